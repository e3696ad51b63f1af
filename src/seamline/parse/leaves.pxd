# cython: language_level=3
# The C types of leaves.py: what its loops run on when it is compiled.
cimport cython

from seamline.parse.containers cimport Box, Containers

cdef int _ITEM
cdef int _PARAGRAPH
cdef int _CODE
cdef int _TABLE
cdef int _FENCE
cdef int _HTML

cdef class Leaves(Containers):
    @cython.locals(at=Py_ssize_t)
    cdef bint goes_on(self) except -1
    cdef int open_leaf(self, Py_ssize_t depth) except -1
    @cython.locals(c=Py_UCS4)
    cdef bint _begins(self, Py_ssize_t depth) except -1
    cdef bint _is_mark(self, Py_UCS4 c) noexcept
    @cython.locals(c=Py_UCS4, whole=bint)
    cdef bint _marks(self, Py_ssize_t depth) except -1
    cdef bint _in_table(self, Py_ssize_t depth) noexcept
    @cython.locals(stop=Py_ssize_t)
    cdef int _text(self, Py_ssize_t depth) except -1
    cdef bint _is_pipe(self) except -1
    @cython.locals(start=Py_ssize_t, box=Box)
    cdef void _open_paragraph(self, Py_ssize_t depth) except *
    cdef bint _begins_note(self, Py_ssize_t depth) except -1
    cdef Py_ssize_t _code_start(self, bint fenced) except -1
    cdef void _open_code(self, Py_ssize_t depth) except *
    @cython.locals(length=Py_ssize_t, info=str)
    cdef bint _fence(self, Py_ssize_t depth) except -1
    cdef bint _html(self, Py_ssize_t depth) except -1
    cdef int _html_line(self) except -1
    @cython.locals(level=int, raw=str, rest=str, row=Py_ssize_t)
    cdef bint _heading(self, Py_ssize_t depth) except -1
    @cython.locals(level=int, raw=str, row=Py_ssize_t, start=Py_ssize_t)
    cdef bint _underline(self) except -1
    @cython.locals(box=Box)
    cdef str _without_markers(self, str raw)
    @cython.locals(box=Box)
    cdef int _turn(self, Py_ssize_t row, str kind) except -1
    cdef bint delimits(self) except -1
    @cython.locals(row=Py_ssize_t, start=Py_ssize_t, top=Py_ssize_t)
    cdef bint _table(self) except -1
