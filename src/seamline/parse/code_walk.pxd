# cython: language_level=3
# The C types of code_walk.py: what its pass runs on when it is compiled.
cimport cython

from seamline.parse.code_flat cimport is_flat

cdef unsigned char _BREAK
cdef bytes _BLANK
cdef bytes _MARGIN
cdef Py_ssize_t _LONG

cdef class CodeColumns:
    cdef readonly bytes data
    cdef readonly list kinds
    cdef readonly list starts
    cdef readonly list ends
    cdef readonly list levels
    cdef readonly list titles

    cpdef add(
        self, str kind, Py_ssize_t start, Py_ssize_t end, Py_ssize_t level=*, str title=*
    )
    @cython.locals(piece=bytes, kept=Py_ssize_t, first=Py_ssize_t)
    cpdef add_statement(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t level)

@cython.locals(first=Py_ssize_t, c=cython.uchar)
cpdef Py_ssize_t indented(bytes data, Py_ssize_t start) except -1
@cython.locals(c=cython.uchar)
cpdef Py_ssize_t trimmed(bytes data, Py_ssize_t end) except -1

cdef class _Frame:
    cdef Py_ssize_t end
    cdef Py_ssize_t inside_end
    cdef Py_ssize_t floor
    cdef Py_ssize_t boundary
    cdef Py_ssize_t item_end

cdef class _Walk:
    cdef bytes data
    cdef object grammar
    cdef CodeColumns found
    cdef _Frame frame
    cdef list outer
    cdef Py_ssize_t first_attached
    cdef Py_ssize_t last_attached
    cdef Py_ssize_t wrapper_start
    cdef Py_ssize_t wrapper_end
    cdef bint wide
    cdef bint is_python

    @cython.locals(
        stack=list, newline=Py_ssize_t, n=Py_ssize_t, frame=_Frame, start=Py_ssize_t,
        end=Py_ssize_t
    )
    cpdef run(self, object root, dict actions)
    @cython.locals(frame=_Frame)
    cdef close(self, Py_ssize_t start)
    @cython.locals(frame=_Frame)
    cdef item(self, Py_ssize_t start, Py_ssize_t end)
    cdef bint is_apart(self, Py_ssize_t end, Py_ssize_t start) except -1
    cdef attach(self, Py_ssize_t start, Py_ssize_t end)
    cdef bint touches(self, Py_ssize_t end, Py_ssize_t start) except -1
    @cython.locals(first=Py_ssize_t)
    cdef bint opens_line(self, Py_ssize_t start) except -1
    @cython.locals(
        frame=_Frame, level=Py_ssize_t, floor=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t,
        head_end=Py_ssize_t, inside_end=Py_ssize_t, boundary=Py_ssize_t, item_end=Py_ssize_t
    )
    cpdef define(self, object node, object head, bint has_items)
    @cython.locals(
        data=bytes, start=Py_ssize_t, end=Py_ssize_t, last=Py_ssize_t, floor=Py_ssize_t
    )
    cdef tuple extent(self, object node)
    @cython.locals(first=Py_ssize_t, word=bytes)
    cdef Py_ssize_t modified(self, Py_ssize_t start) except -1
    @cython.locals(data=bytes, stop=Py_ssize_t, rest=bytes, tail=bytes, closed=bytes, marks=bytes)
    cdef Py_ssize_t line_end(self, Py_ssize_t end) except -1

cpdef _inside(_Walk _walk, object node, Py_ssize_t _start, Py_ssize_t _end, str _title)
cpdef _comment(_Walk walk, object _node, Py_ssize_t start, Py_ssize_t end, str _title)
@cython.locals(text=bytes)
cpdef _string(_Walk walk, object _node, Py_ssize_t start, Py_ssize_t end, str _title)
cpdef _decorator(_Walk walk, object node, Py_ssize_t start, Py_ssize_t end, str _title)
cpdef _wrapper(_Walk walk, object node, Py_ssize_t start, Py_ssize_t end, str _title)
cpdef _bound(_Walk walk, object node, Py_ssize_t start, Py_ssize_t end, str _title)
cpdef _type(_Walk walk, object node, Py_ssize_t start, Py_ssize_t end, str title)
cpdef _function(_Walk walk, object node, Py_ssize_t start, Py_ssize_t end, str title)
