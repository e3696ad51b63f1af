# cython: language_level=3
# The C types of graphemes.py, for the offsets that need no regular expression.
cimport cython

cdef bytes _PLAIN

@cython.locals(first=Py_ssize_t)
cdef Py_ssize_t _after_flags(str text, Py_ssize_t floor, Py_ssize_t offset) except -2
cdef bint _is_plain(Py_ssize_t code) noexcept
cpdef bint is_border(str text, Py_ssize_t offset, Py_ssize_t floor=*) except -1
cpdef Py_ssize_t at_most(str text, Py_ssize_t offset, Py_ssize_t floor=*) except? -1
cpdef Py_ssize_t at_least(str text, Py_ssize_t offset, Py_ssize_t floor=*) except? -1
cpdef Py_ssize_t next_border(str text, Py_ssize_t offset, Py_ssize_t floor=*) except? -1
