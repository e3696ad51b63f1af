# cython: language_level=3
# The C types of widen.py: what its loops run on when it is compiled.
cimport cython

from seamline.sizers.rulers cimport Ruler
from seamline.split.graphemes cimport is_border, next_border
from seamline.split.pack cimport content_end, content_start, forced_end, skip_blank
from seamline.split.sentences cimport next_sentence_end

cdef Py_ssize_t _MARGIN

@cython.locals(
    i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, room=Py_ssize_t, floor=Py_ssize_t,
    low=Py_ssize_t, candidate=Py_ssize_t
)
cpdef widen(str text, cuts, Ruler ruler, size, overlap)
cdef tuple _widen(
    str text, list starts, list ends, Ruler ruler, Py_ssize_t size, Py_ssize_t overlap
)
cpdef windows(str text, Ruler ruler, size, overlap)
@cython.locals(
    starts=list, ends=list, limit=Py_ssize_t, start=Py_ssize_t, last=Py_ssize_t, end=Py_ssize_t,
    low=Py_ssize_t, floor=Py_ssize_t, after=Py_ssize_t
)
cdef tuple _windows(str text, Ruler ruler, Py_ssize_t size, Py_ssize_t overlap)
cdef Py_ssize_t _border(str text, Py_ssize_t low, Py_ssize_t high, Py_ssize_t floor) except -1
@cython.locals(start=Py_ssize_t, mark=Py_ssize_t, _turn=Py_ssize_t)
cdef Py_ssize_t _unit(str text, Py_ssize_t low, Py_ssize_t high, Py_ssize_t floor) except -1
@cython.locals(begin=Py_ssize_t)
cdef Py_ssize_t _nearer(
    str text, Py_ssize_t mark, Py_ssize_t low, Py_ssize_t start, Py_ssize_t floor
) except -1
@cython.locals(line=Py_ssize_t, indent=str)
cdef Py_ssize_t _indented(str text, Py_ssize_t low, Py_ssize_t start) except -1
@cython.locals(at=Py_ssize_t)
cdef Py_ssize_t _word(str text, Py_ssize_t low, Py_ssize_t high, Py_ssize_t floor) except -1
