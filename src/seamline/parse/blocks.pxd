# cython: language_level=3
# The C types of blocks.py: what its loops run on when it is compiled.
cimport cython

from seamline.parse.containers cimport Box
from seamline.parse.leaves cimport Leaves

cdef int _QUOTE
cdef int _ITEM
cdef int _NOTE
cdef int _PARAGRAPH
cdef int _CODE
cdef Py_ssize_t _NEVER

@cython.final
cdef class Scanner(Leaves):
    cpdef int scan(self) except -1
    @cython.locals(depth=Py_ssize_t)
    cdef int _line(self) except -1
    @cython.locals(boxes=list, box=Box, last=Box, depth=Py_ssize_t, n_boxes=Py_ssize_t)
    cdef Py_ssize_t _match(self) except -1
    cdef int _take_quote(self) except -1
    @cython.locals(boxes=list, box=Box)
    cdef int _blank_line(self, Py_ssize_t depth) except -1
    @cython.locals(c=Py_UCS4)
    cdef void _open(self, Py_ssize_t depth) except *
    @cython.locals(box=Box)
    cdef int _open_quote(self, Py_ssize_t depth) except -1
    @cython.locals(boxes=list, box=Box, after=Py_ssize_t)
    cdef bint _open_note(self, Py_ssize_t depth) except -1
    @cython.locals(width=Py_ssize_t, mark=Py_UCS4)
    cdef bint _open_item(self, Py_ssize_t depth) except -1
    cdef bint _interrupts(self, Py_ssize_t width) except -1
    @cython.locals(boxes=list, box=Box, ink=Py_ssize_t, indent=Py_ssize_t, blanks=Py_ssize_t)
    cdef int _new_item(self, Py_ssize_t depth, Py_UCS4 mark, Py_ssize_t width) except -1
    @cython.locals(box=Box)
    cdef Box _new_list(self, Py_ssize_t depth, Py_UCS4 mark, Py_ssize_t width)
