# cython: language_level=3
# The C types of context.py: what its loops run on when it is compiled.
cimport cython

cdef frozenset _CHILDREN
cdef frozenset _KINDS
cdef Py_ssize_t _MOST
cdef Py_ssize_t _MOST_BEFORE
cdef Py_ssize_t _MOST_TITLE

cdef class _Open:
    cdef str kind
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef str title
    cdef str before
    cdef Py_ssize_t header_end
    cdef Py_ssize_t n_items
    cdef Py_ssize_t item_start
    cdef Py_ssize_t item_end

    cdef bint speaks(self) except -1
    @cython.locals(end=Py_ssize_t)
    cdef str line(self, str text, Py_ssize_t start)
    @cython.locals(stop=Py_ssize_t)
    cdef str _heading(self, str text, Py_ssize_t start)
    @cython.locals(number=str)
    cdef str _steps(self, str text, Py_ssize_t start)

@cython.locals(
    found=list, inside=list, defined=list, speaking=list, others=list, at=Py_ssize_t, n=Py_ssize_t,
    start=Py_ssize_t, opened=_Open, asked=str, line=str
)
cdef list _contexts(str text, list kinds, list lows, list highs, list titles, list starts)
@cython.locals(names=list, lines=list, left=Py_ssize_t, block=_Open, line=str)
cdef str _joined(list defined, list speaking, str text, Py_ssize_t start)
@cython.locals(opened=_Open, block=_Open)
cdef _Open _take(
    list inside, str text, str kind, Py_ssize_t start, Py_ssize_t end, str title, str asked
)
@cython.locals(block=_Open)
cdef int _leave(list inside, Py_ssize_t offset) except -1
@cython.locals(lead=str, line=str)
cdef str _before(str text, str kind, Py_ssize_t start, str asked)
@cython.locals(said=str)
cdef str _question(str text, Py_ssize_t start, Py_ssize_t end)
