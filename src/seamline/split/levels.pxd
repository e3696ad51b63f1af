# cython: language_level=3
# The C types of levels.py: what its searches run on when it is compiled.
cimport cython

from seamline.scan cimport column, first_over, item, n_items, rfind
from seamline.split.sentences cimport last_sentence_end, next_sentence_end

cdef Py_ssize_t _SLACK
cdef str _WIDE_SPACES
cdef str _COMMAS

cdef class Level:
    cdef public bint closed
    cdef public Py_ssize_t ahead

    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef class Literal(Level):
    cdef str _text
    cdef str _separator
    cdef Py_ssize_t _keep
    cdef Py_ssize_t _rest
    cdef Py_ssize_t _skip

    @cython.locals(found=Py_ssize_t)
    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    @cython.locals(found=Py_ssize_t)
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef class Pattern(Level):
    cdef str _text
    cdef object _finditer

    @cython.locals(best=Py_ssize_t, cut=Py_ssize_t)
    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    @cython.locals(cut=Py_ssize_t)
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef class Sentences(Level):
    cdef str _text

    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    @cython.locals(end=Py_ssize_t)
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef class Words(Level):
    cdef str _text
    cdef bint _ascii

    @cython.locals(text=str, found=Py_ssize_t, space=str, comma=str)
    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    @cython.locals(found=Py_ssize_t, space=str, comma=str)
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef class Offsets(Level):
    cdef object _offsets

    @cython.locals(at=Py_ssize_t, cut=Py_ssize_t)
    cpdef Py_ssize_t last(self, Py_ssize_t low, Py_ssize_t high) except -2
    @cython.locals(at=Py_ssize_t)
    cpdef Py_ssize_t next(self, Py_ssize_t low, Py_ssize_t bound) except -2

cdef Py_ssize_t _content_end(str separator) except -1
cpdef Level make_level(str text, str separator)
@cython.locals(separator=str)
cpdef list make_levels(str text, separators)
