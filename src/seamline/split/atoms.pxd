# cython: language_level=3
# The C types of atoms.py: what its loops run on when it is compiled.
cimport cython

from seamline.scan cimport next_set
from seamline.sizers.rulers cimport Ruler
from seamline.split.graphemes cimport at_least
from seamline.split.pack cimport content_start, ink_beside, is_led, skip_blank
from seamline.split.sentences cimport next_sentence_end, opens_item

cdef int _BEGINS
cdef int _HEADING
cdef int _SENTENCE
cdef int _PART
cdef int _BLOCK
cdef int _INTRODUCED
cdef int _FITS
cdef tuple _COSTS
cdef dict _KINDS
cdef int _PARTS
cdef int _WHOLE
cdef int _LINES
cdef int _NO_PROSE
cdef int _LED
cdef int _HEADS
cdef int _HEADINGS
cdef int _DEFINED
cdef int _ALONE
cdef int _STRING
cdef tuple _PROVISOS
cdef Py_ssize_t _SLACK

cdef class Atoms:
    cdef readonly list starts
    cdef readonly list ends
    cdef readonly list weights
    cdef readonly list borders
    cdef readonly list flags

    cdef add(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t weight, object border, int flag)

@cython.locals(
    open_until=Py_ssize_t, last_heading=Py_ssize_t, section=Py_ssize_t, i=Py_ssize_t,
    kind=int, start=Py_ssize_t, end=Py_ssize_t
)
cdef int _mark_sections(
    str text, list known, list starts, list ends, Py_ssize_t sure, bytearray marks
) except -1
@cython.locals(most=Py_ssize_t)
cdef int _fit(
    str text, list starts, list ends, Py_ssize_t section, Py_ssize_t after, Py_ssize_t sure,
    bytearray marks
) except -1
@cython.locals(
    open_until=Py_ssize_t, clause=Py_ssize_t, clause_end=Py_ssize_t, i=Py_ssize_t, kind=int,
    start=Py_ssize_t, end=Py_ssize_t, nested=bint, mark=int, goes_on=bint
)
cdef int _mark_blocks(
    str text, list known, list starts, list ends, list titles, bytearray marks
) except -1

cdef class _Spans:
    cdef list _known
    cdef list _starts
    cdef list _ends
    cdef int _of
    cdef Py_ssize_t _at
    cdef Py_ssize_t _end

    @cython.locals(kind=int, start=Py_ssize_t)
    cdef Py_ssize_t end(self, Py_ssize_t offset) except -1

@cython.locals(at=Py_ssize_t, end=Py_ssize_t)
cdef int _mark_sentences(str text, _Spans other, bytearray marks) except -1
@cython.locals(
    last=Py_ssize_t, i=Py_ssize_t, kind=int, start=Py_ssize_t, end=Py_ssize_t, fence=bint, at=Py_ssize_t,
    before=Py_ssize_t, is_first=bint, solid=Py_ssize_t, opened=Py_ssize_t, closed=bint, whole=_Spans
)
cdef int _mark_lines(
    str text, list known, list starts, list ends, bytearray marks
) except -1
cdef Py_ssize_t _solid(str text, Py_ssize_t low, Py_ssize_t high) except -1
cdef class _Regions:
    cdef list _kinds
    cdef list _starts
    cdef list _ends
    cdef Ruler _ruler
    cdef dict _whole
    cdef Py_ssize_t _at
    cdef Py_ssize_t _low
    cdef Py_ssize_t _high
    cdef Py_ssize_t _size
    cdef bint alone

    @cython.locals(found=Py_ssize_t, low=Py_ssize_t)
    cdef Py_ssize_t end(self, Py_ssize_t before, Py_ssize_t start) except -1
    @cython.locals(kind=str, low=Py_ssize_t, high=Py_ssize_t, most=Py_ssize_t)
    cdef Py_ssize_t _end(self, Py_ssize_t start) except -1
    @cython.locals(missing=Py_ssize_t)
    cdef bint _larger(self, Py_ssize_t low, Py_ssize_t high, Py_ssize_t limit) except -1

cdef class _Joined:
    cdef Atoms found
    cdef Ruler _ruler
    cdef Py_ssize_t _most
    cdef object _cut
    cdef _Regions _regions
    cdef Py_ssize_t _start
    cdef Py_ssize_t _last
    cdef Py_ssize_t _end
    cdef Py_ssize_t _region_end
    cdef int _flag
    cdef int _begins
    cdef object _border

    cdef introduce(self)
    cdef take(self, Py_ssize_t start, Py_ssize_t end, object border, int flag)
    @cython.locals(weight=Py_ssize_t, flag=int, low=Py_ssize_t, high=Py_ssize_t)
    cdef finish(self, Py_ssize_t after)

@cython.locals(at=Py_ssize_t, known=int, low=Py_ssize_t, high=Py_ssize_t)
cdef Atoms _between(str text, bytearray marks, _Joined joined)
@cython.locals(
    starts=list, ends=list, before=Py_ssize_t, i=Py_ssize_t, after=Py_ssize_t, last=Py_ssize_t,
    solid=Py_ssize_t, begin=Py_ssize_t
)
cpdef tuple spans_of(str text, Atoms atoms, list firsts, Py_ssize_t room)
@cython.locals(i=Py_ssize_t)
cpdef list larger_than(list rooms, list starts, list ends, Ruler ruler)
