# cython: language_level=3
# The C types of outline.py: what its loops run on when it is compiled.
cimport cython

cdef str _JOINER
cdef Py_ssize_t _PATH_CHARACTERS
cdef Py_ssize_t _DEEPEST

cdef class _Sections:
    cdef list _above
    cdef list _levels
    cdef list _inside
    cdef list _ends
    cdef readonly list starts
    cdef readonly list paths

    cdef int _note(self, Py_ssize_t offset) except -1
    @cython.locals(end=Py_ssize_t)
    cdef int leave(self, Py_ssize_t offset) except -1
    cdef int define(self, Py_ssize_t start, Py_ssize_t end, str title) except -1
    cdef int head(self, Py_ssize_t start, Py_ssize_t level, str title) except -1

@cython.locals(last=Py_ssize_t, i=Py_ssize_t, kind=str)
cdef int _enter_all(
    _Sections sections, list kinds, list starts, list ends, list levels, list titles
) except -1

@cython.locals(
    found=list, last=Py_ssize_t, at=Py_ssize_t, i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t,
    path=tuple, other=Py_ssize_t
)
cdef list _indexed(str text, list sections, list paths, list starts, list ends, list contexts)
@cython.locals(n=Py_ssize_t, most=Py_ssize_t)
cdef tuple _common(tuple path, tuple other)
@cython.locals(shown=list, names=list, line=str, before=str)
cdef object _one_indexed(tuple path, str text, str context)
@cython.locals(kept=list, left=Py_ssize_t, title=str)
cdef str _joined(list path, Py_ssize_t most)
