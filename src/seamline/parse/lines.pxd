# cython: language_level=3
# The C types of lines.py: what its scans run on when it is compiled.
cimport cython

cdef extern from "Python.h":
    Py_ssize_t c_find "PyUnicode_FindChar"(
        str text, Py_UCS4 c, Py_ssize_t low, Py_ssize_t high, int direction
    ) except -2

cdef bint _COMPILED
cdef Py_ssize_t _TAB

cdef class Lines:
    cdef str text
    cdef Py_ssize_t size
    cdef Py_ssize_t start
    cdef Py_ssize_t stop
    cdef Py_ssize_t at
    cdef Py_ssize_t ink
    cdef Py_ssize_t marked
    cdef Py_ssize_t column
    cdef Py_ssize_t indent
    cdef Py_ssize_t no_rule

    @cython.locals(start=Py_ssize_t)
    cdef bint next_line(self) except -1
    @cython.locals(text=str, at=Py_ssize_t, column=Py_ssize_t, c=Py_UCS4)
    cdef int look(self) except -1
    @cython.locals(text=str, width=Py_ssize_t)
    cdef void skip(self, Py_ssize_t columns) except *
    cdef int take(self, Py_ssize_t width) except -1
    @cython.locals(text=str, at=Py_ssize_t, most=Py_ssize_t, c=Py_UCS4)
    cdef Py_ssize_t marker(self) except -1
    @cython.locals(text=str, at=Py_ssize_t, last=Py_ssize_t)
    cdef bint is_first(self, Py_ssize_t width) except -1
    @cython.locals(text=str, at=Py_ssize_t, n_marks=Py_ssize_t, c=Py_UCS4, mark=Py_UCS4)
    cdef bint is_rule(self) except -1
    @cython.locals(text=str, mark=Py_UCS4)
    cdef Py_ssize_t run(self, Py_ssize_t at) except -1
    @cython.locals(text=str, c=Py_UCS4)
    cdef bint is_blank(self, Py_ssize_t at) except -1
    @cython.locals(at=Py_ssize_t, c=Py_UCS4)
    cdef int atx_level(self) except -1
    @cython.locals(c=Py_UCS4)
    cdef int setext_level(self) except -1
    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t fence(self) except -1

@cython.locals(tidy=bint, before=Py_UCS4, c=Py_UCS4, at=Py_ssize_t)
cpdef str plain_title(str raw)
