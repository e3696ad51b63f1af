# cython: language_level=3
# The C types of rulers.py: what its arithmetic runs on when it is compiled.
cimport cython

from seamline.scan cimport column, first_over, item, n_items

cdef class Ruler:
    cpdef Py_ssize_t size(self, Py_ssize_t start, Py_ssize_t end) except? -1
    cpdef Py_ssize_t reach(self, Py_ssize_t start, Py_ssize_t budget) except? -1
    cpdef Py_ssize_t back(self, Py_ssize_t end, Py_ssize_t budget) except? -1

cdef class CharacterRuler(Ruler):
    cdef Py_ssize_t _length

cdef class WordRuler(Ruler):
    cdef Py_ssize_t _length
    cdef object _starts
    cdef object _ends

    @cython.locals(after=Py_ssize_t)
    cpdef Py_ssize_t reach(self, Py_ssize_t start, Py_ssize_t budget) except? -1
    @cython.locals(first=Py_ssize_t)
    cpdef Py_ssize_t back(self, Py_ssize_t end, Py_ssize_t budget) except? -1

cdef Py_ssize_t _whole(object count) except -1

cdef class EndsRuler(Ruler):
    cdef str _text
    cdef object _count
    cdef object _ends

    cdef Py_ssize_t _furthest(self, Py_ssize_t start, Py_ssize_t tokens) except -1
    @cython.locals(first=Py_ssize_t)
    cpdef Py_ssize_t back(self, Py_ssize_t end, Py_ssize_t budget) except? -1

cdef bytes _KINDS
cdef Py_ssize_t _WIDE
cdef Py_ssize_t _LOOK_BACK
cdef Py_ssize_t _LOOK_AHEAD
cdef str _GLUED

@cython.locals(before=Py_ssize_t, after=Py_ssize_t)
cdef bint _is_sync(str text, Py_ssize_t offset) except -1

cdef class BpeRuler(EndsRuler):
    cdef Py_ssize_t _start
    cdef Py_ssize_t _head
    cdef Py_ssize_t _first
    cdef Py_ssize_t _counted

    @cython.locals(text=str)
    cdef bint _starts_line(self, Py_ssize_t offset) except -1
    @cython.locals(text=str, head=Py_ssize_t, size=Py_ssize_t, stop=Py_ssize_t)
    cdef bint _find_head(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(at=Py_ssize_t, stop=Py_ssize_t)
    cdef Py_ssize_t _tail(self, Py_ssize_t floor, Py_ssize_t end) except -1
    @cython.locals(tail=Py_ssize_t, total=Py_ssize_t)
    cpdef Py_ssize_t size(self, Py_ssize_t start, Py_ssize_t end) except? -1

cdef class SearchRuler(Ruler):
    cdef str _text
    cdef object _count
    cdef double _density

    @cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
    cdef Py_ssize_t _widest(self, Py_ssize_t at, Py_ssize_t budget, Py_ssize_t room, Py_ssize_t step) except -1
    cdef Py_ssize_t _window(self, Py_ssize_t at, Py_ssize_t width) except -1
