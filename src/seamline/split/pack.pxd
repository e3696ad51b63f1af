# cython: language_level=3
# The C types of pack.py: what its loops run on when it is compiled.
cimport cython

from seamline.sizers.rulers cimport Ruler
from seamline.split.graphemes cimport at_least, at_most, is_border, next_border
from seamline.split.levels cimport Level

cpdef bint ink_beside(str text, Py_ssize_t at, Py_ssize_t step) except -1
@cython.locals(at=Py_ssize_t)
cpdef bint is_led(str text, Py_ssize_t offset) except -1
cpdef Py_ssize_t content_end(str text) except -1
cpdef Py_ssize_t skip_blank(str text, Py_ssize_t offset) except? -1
@cython.locals(line=Py_ssize_t, indent=Py_ssize_t, deep=bint)
cpdef Py_ssize_t content_start(str text, Py_ssize_t offset, Py_ssize_t solid, Py_ssize_t room) except? -1

cdef class _Chooser:
    cdef str _text
    cdef list _levels
    cdef list _closed
    cdef Py_ssize_t _deepest

    @cython.locals(level=Level)
    cdef Py_ssize_t last(self, Py_ssize_t start, Py_ssize_t stop) except -1
    @cython.locals(level=Level)
    cdef _forget(self, Py_ssize_t first)
    @cython.locals(i=Py_ssize_t, level=Level, ahead=Py_ssize_t, cut=Py_ssize_t)
    cdef Py_ssize_t choose(
        self, Py_ssize_t start, Py_ssize_t soft, Py_ssize_t hard, Py_ssize_t bound
    ) except -1

@cython.locals(
    starts=list, ends=list, chooser=_Chooser, most=Py_ssize_t, soft=Py_ssize_t,
    at=Py_ssize_t, stop=Py_ssize_t, floor=Py_ssize_t, n_bounds=Py_ssize_t, solid=Py_ssize_t, start=Py_ssize_t
)
cdef tuple _pack(
    str text, levels, Ruler ruler, Py_ssize_t limit, Py_ssize_t size, Py_ssize_t reserve,
    Py_ssize_t keep, bounds
)
cdef Py_ssize_t _tidy(str text, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(hard=Py_ssize_t, soft=Py_ssize_t, end=Py_ssize_t, over=Py_ssize_t)
cdef Py_ssize_t _end(
    str text, _Chooser chooser, Ruler ruler, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t size,
    Py_ssize_t preferred
) except -1
cpdef Py_ssize_t forced_end(
    str text, Ruler ruler, Py_ssize_t start, Py_ssize_t limit, Py_ssize_t size
) except -1
