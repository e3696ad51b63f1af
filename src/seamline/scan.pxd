# cython: language_level=3
# The C types of scan.py, and the functions of scan.h that it calls.
cimport cython

cdef extern from "scan.h":
    Py_ssize_t c_rfind "seamline_rfind"(
        str text, str part, Py_ssize_t low, Py_ssize_t high
    ) noexcept
    object c_row "seamline_row"(
        type kind, str doc_id, object start, object end, str text, object ordinal, str context,
        object indexed, object metadata
    )
    int c_token_ends "seamline_token_ends"(
        str text, object ids, object widths, object ends
    ) except -1
    int c_push "seamline_push"(bytearray buffer, Py_ssize_t value) except -1
    int c_word_bounds "seamline_word_bounds"(str text, bytearray starts, bytearray ends) except -1
    Py_ssize_t c_n_items "seamline_n_items"(bytes column) noexcept
    Py_ssize_t c_item "seamline_item"(bytes column, Py_ssize_t at) except? -1
    Py_ssize_t c_first_over "seamline_first_over"(bytes column, Py_ssize_t limit) noexcept
    Py_ssize_t c_next_set "seamline_next_set"(bytearray marks, Py_ssize_t at) noexcept
    Py_ssize_t c_first_surrogate "seamline_first_surrogate"(str text) noexcept
    Py_ssize_t c_next_mark "seamline_next_mark"(str text, Py_ssize_t low, Py_ssize_t high) noexcept
    Py_ssize_t c_last_mark "seamline_last_mark"(str text, Py_ssize_t low, Py_ssize_t high) noexcept

cpdef Py_ssize_t first_surrogate(str text) except -2
cpdef Py_ssize_t next_mark(str text, Py_ssize_t low, Py_ssize_t high) except -2
cpdef Py_ssize_t last_mark(str text, Py_ssize_t low, Py_ssize_t high) except -2
cpdef Py_ssize_t rfind(str text, str part, Py_ssize_t low, Py_ssize_t high) except -2
cpdef Py_ssize_t next_set(bytearray marks, Py_ssize_t at) except -2
@cython.locals(
    i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, context=str, rows=list
)
cpdef list rows_of(
    type kind, str doc_id, str text, list starts, list ends, metadata, list contexts=*, list indexed=*
)
cpdef object token_ends(str text, object ids, object widths)
cpdef object column(object offsets)
cpdef Py_ssize_t n_items(object offsets) except? -1
cpdef Py_ssize_t item(object offsets, Py_ssize_t at) except? -1
cpdef Py_ssize_t first_over(object offsets, Py_ssize_t limit) except? -1
cpdef int push(bytearray buffer, Py_ssize_t value) except -1
