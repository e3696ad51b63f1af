# cython: language_level=3
# The C types of heads.py, and the functions of heads.h that it calls.
cimport cython

cdef Py_ssize_t _LONGEST_LINE

cdef extern from "parse/heads.h":
    int c_line_heads "seamline_line_heads"(
        str text, Py_ssize_t start, Py_ssize_t stop, list turns, list labels, list numbered
    ) except -1
    Py_ssize_t c_count_words "seamline_count_words"(
        str text, Py_ssize_t low, Py_ssize_t high, tuple words
    ) except -1
    bint c_has_pair "seamline_has_pair"(str text, Py_UCS4 first, Py_UCS4 second) noexcept

@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, stop=Py_ssize_t, kind=str, title=str,
    all_kinds=list, all_starts=list, all_ends=list, all_titles=list, kinds=list, starts=list,
    ends=list, titles=list, places=list, asking=list, stops=list, turns=list, labels=list,
    numbered=list
)
cpdef object outer_blocks(str text, object blocks)
cdef bint _may_ask(str text, str kind, str title, Py_ssize_t start, Py_ssize_t end) except -1
cpdef Py_ssize_t count_words(str text, tuple words, Py_ssize_t low, Py_ssize_t high) except -1
cpdef bint has_pair(str text, str pair)
