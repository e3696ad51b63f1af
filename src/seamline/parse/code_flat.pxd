# cython: language_level=3
# The C types of code_flat.py: what its loop runs on when it is compiled.
cimport cython

cdef unsigned char _BREAK
cdef unsigned char _BACKSLASH
cdef unsigned char _DOUBLE
cdef unsigned char _SINGLE
cdef unsigned char _REMARK
cdef unsigned char _F
cdef unsigned char _S

@cython.locals(at=Py_ssize_t, c=cython.uchar)
cpdef bint is_flat(bytes data, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(quote=cython.uchar)
cdef Py_ssize_t _string_end(bytes data, Py_ssize_t at, Py_ssize_t end) except -2
cdef bint _ends_word(bytes data, Py_ssize_t at) except -1
