# cython: language_level=3
# The C types of containers.py: what its loops run on when it is compiled.
cimport cython

from seamline.parse.lines cimport Lines, plain_title

cdef int _QUOTE
cdef int _ITEM
cdef int _NOTE
cdef int _PARAGRAPH
cdef int _FENCE
cdef Py_ssize_t _NOWHERE

cdef class Box:
    cdef int kind
    cdef Py_ssize_t quotes
    cdef Py_ssize_t lists
    cdef Py_ssize_t row
    cdef Py_ssize_t list_row
    cdef Py_ssize_t indent
    cdef Py_UCS4 mark
    cdef bint empty
    cdef bint loose
    cdef Py_ssize_t first
    cdef Py_ssize_t end

cdef class Containers(Lines):
    cdef list boxes
    cdef list quotes
    cdef list paragraphs
    cdef list kinds
    cdef list starts
    cdef list ends
    cdef list levels
    cdef list titles
    cdef int leaf
    cdef Py_ssize_t leaf_row
    cdef Py_ssize_t leaf_end
    cdef Py_ssize_t line_start
    cdef Py_ssize_t text_start
    cdef Py_UCS4 fence_mark
    cdef Py_ssize_t fence_length
    cdef str html_mark
    cdef bint lazy
    cdef list lines
    cdef list links
    cdef list notes
    cdef Py_ssize_t note_start
    cdef Py_ssize_t note_depth
    cdef list headings
    cdef list top_rows
    cdef Py_ssize_t fence_row
    cdef Py_ssize_t blank
    cdef Py_ssize_t content_end
    cdef Py_ssize_t marked_end
    cdef bint dropped

    cdef Py_ssize_t add(self, str kind, Py_ssize_t start, Py_ssize_t level, str title) except -1
    @cython.locals(boxes=list, box=Box, outer=Box, quotes=Py_ssize_t, lists=Py_ssize_t)
    cdef Box push(self, int kind)
    @cython.locals(box=Box)
    cdef int begin(self, Py_ssize_t depth) except -1
    @cython.locals(
        boxes=list, box=Box, limit=Py_ssize_t, n_boxes=Py_ssize_t, at=Py_ssize_t
    )
    cdef int close(self, Py_ssize_t depth, bint sibling) except -1
    @cython.locals(box=Box, limit=Py_ssize_t, at=Py_ssize_t)
    cdef Py_ssize_t _end_rows(self, Py_ssize_t depth, Py_ssize_t n_boxes) except -1
    @cython.locals(first=Py_ssize_t, n_rows=Py_ssize_t, at=Py_ssize_t)
    cdef int _close_list(self, Box box) except -1
    cdef int end_leaf(self, Py_ssize_t limit) except -1
    @cython.locals(lines=list, n_defining=Py_ssize_t)
    cdef bint settle(self) except -1
    @cython.locals(boxes=list, box=Box)
    cdef int entitle(self, Py_ssize_t row, str raw) except -1
    @cython.locals(row=Py_ssize_t)
    cpdef str resolve_titles(self)
    @cython.locals(row=Py_ssize_t)
    cpdef Py_ssize_t unclosed(self) except -2
