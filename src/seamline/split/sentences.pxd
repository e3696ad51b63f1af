# cython: language_level=3
# The C types of sentences.py: what its loops run on when it is compiled.
cimport cython

from seamline.scan cimport last_mark, next_mark, push

cdef dict _PACKED
cdef str _LONG_LAST
cdef Py_ssize_t _LONGEST
cdef bytearray _SHAPES
cdef frozenset _LONG_ENDS
cdef frozenset _OPENERS
cdef int _TITLE
cdef int _NUMBER
cdef int _SOMETIMES
cdef Py_ssize_t _LONG
cdef Py_ssize_t _WINDOW

cdef bint _is_stop(Py_UCS4 c) noexcept
cdef bint _is_mark(Py_UCS4 c) noexcept
cdef Py_ssize_t _shape(Py_ssize_t n, Py_UCS4 first, Py_UCS4 last) except -1
@cython.locals(n=Py_ssize_t, packed=cython.ulonglong, at=Py_ssize_t, code=cython.uint)
cdef int _kind(str text, Py_ssize_t first, Py_ssize_t last) except -1
@cython.locals(at=Py_ssize_t, first=Py_ssize_t, ended=bint)
cdef Py_ssize_t _word_after(str text, Py_ssize_t offset) except -2
@cython.locals(first=Py_ssize_t, at=Py_ssize_t)
cdef bint _is_long(str text, Py_ssize_t dot) except -1
@cython.locals(first=Py_ssize_t)
cdef Py_ssize_t _word_start(str text, Py_ssize_t floor, Py_ssize_t last) except -1
cdef bint _is_initials(str text, Py_ssize_t first, Py_ssize_t last) except -1
@cython.locals(
    last=Py_ssize_t, floor=Py_ssize_t, first=Py_ssize_t, kind=int,
    initials=bint, start=Py_ssize_t
)
cdef bint _is_abbreviation(str text, Py_ssize_t dot, Py_ssize_t after) except -1
@cython.locals(end=Py_ssize_t, following=str)
cdef bint _goes_on(str text, Py_ssize_t start, int kind, bint initials) except -1
@cython.locals(floor=Py_ssize_t, line=str)
cdef bint _opens_line(str text, Py_ssize_t offset) except -1
@cython.locals(follows=Py_ssize_t)
cdef bint _is_end(str text, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(at=Py_ssize_t)
cdef bint _ends_block(str text, Py_ssize_t line) except -1
@cython.locals(stop=Py_ssize_t, end=Py_ssize_t)
cdef bint _is_marker(str text, Py_ssize_t at) except -1
@cython.locals(end=Py_ssize_t, full=bint)
cdef Py_ssize_t _past(str text, Py_ssize_t start, Py_ssize_t stop) except -2
@cython.locals(end=Py_ssize_t, stop=Py_ssize_t)
cdef Py_ssize_t _end_of(str text, Py_ssize_t start, Py_ssize_t high) except -2
@cython.locals(at=Py_ssize_t, end=Py_ssize_t)
cpdef Py_ssize_t next_sentence_end(str text, Py_ssize_t low, Py_ssize_t high) except -2
@cython.locals(at=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, stop=bint)
cpdef Py_ssize_t last_sentence_end(str text, Py_ssize_t low, Py_ssize_t high) except -2
@cython.locals(at=Py_ssize_t, ends=bytearray)
cpdef sentence_ends(str text)

cdef Py_ssize_t _MOST_MARK
@cython.locals(at=Py_ssize_t, end=Py_ssize_t)
cpdef bint opens_item(str text, Py_ssize_t offset) except -1
