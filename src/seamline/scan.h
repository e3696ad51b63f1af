/* The C code behind scan.py: a loop for each width in which Python stores characters. */
#pragma once
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Whole blocks are looked at without a branch, which compilers turn into vector code. */
#define SEAMLINE_BLOCK 64

#define SEAMLINE_LOW_MARKS (1ull << '\n' | 1ull << '.' | 1ull << '!' | 1ull << '?')

static inline int seamline_is_mark(Py_UCS4 c) {
    if (c < 0x2026) return (c < 64) & SEAMLINE_LOW_MARKS >> (c & 63); /* no branch at a space */
    return c == 0x2026 || c == 0x3002 || c == 0xff01 || c == 0xff1f || c == 0xff1b || c == 0xff61;
}

#define SEAMLINE_IS_SURROGATE(T, c) ((T)((c) - 0xd800) < 0x800)

#define SEAMLINE_SCANS(T) \
    static Py_ssize_t seamline_surrogate_##T(const T *text, Py_ssize_t n) { \
        Py_ssize_t at = 0; \
        for (; at + SEAMLINE_BLOCK <= n; at += SEAMLINE_BLOCK) { \
            T found = 0; \
            for (int i = 0; i < SEAMLINE_BLOCK; i++) \
                found |= SEAMLINE_IS_SURROGATE(T, text[at + i]); \
            if (found) break; \
        } \
        for (; at < n; at++) \
            if (SEAMLINE_IS_SURROGATE(T, text[at])) return at; \
        return -1; \
    } \
    static Py_ssize_t seamline_next_##T(const T *text, Py_ssize_t low, Py_ssize_t high) { \
        while (low < high && !seamline_is_mark(text[low])) low++; \
        return low; \
    } \
    static Py_ssize_t seamline_last_##T(const T *text, Py_ssize_t low, Py_ssize_t high) { \
        do high--; while (high >= low && !seamline_is_mark(text[high])); \
        return high; \
    } \
    /* Where the last `part` in [low, high) begins, else -1. */ \
    static Py_ssize_t seamline_rfind_##T( \
        const T *text, Py_ssize_t low, Py_ssize_t high, PyObject *part \
    ) { \
        Py_ssize_t n = PyUnicode_GET_LENGTH(part); \
        Py_UCS4 wanted = PyUnicode_READ_CHAR(part, n - 1); \
        T last = (T)wanted; \
        if (last != wanted) return -1; \
        low += n - 1; \
        while (high > low) { \
            Py_ssize_t near = high - 16 > low ? high - 16 : low; \
            while (high > near && text[high - 1] != last) high--; \
            if (high == near) { \
                for (; high - SEAMLINE_BLOCK >= low; high -= SEAMLINE_BLOCK) { \
                    T found = 0; \
                    for (int i = 1; i <= SEAMLINE_BLOCK; i++) \
                        found |= text[high - i] == last; \
                    if (found) break; \
                } \
                while (high > low && text[high - 1] != last) high--; \
                if (high == low) return -1; \
            } \
            Py_ssize_t at = high - n, i = n - 1; \
            while (i > 0 && text[at + i - 1] == PyUnicode_READ_CHAR(part, i - 1)) i--; \
            if (i == 0) return at; \
            high--; \
        } \
        return -1; \
    }

SEAMLINE_SCANS(Py_UCS1)
SEAMLINE_SCANS(Py_UCS2)
SEAMLINE_SCANS(Py_UCS4)

#define SEAMLINE_BY_WIDTH(name, text, ...) \
    switch (PyUnicode_KIND(text)) { \
    case PyUnicode_1BYTE_KIND: return name##_Py_UCS1(PyUnicode_1BYTE_DATA(text), __VA_ARGS__); \
    case PyUnicode_2BYTE_KIND: return name##_Py_UCS2(PyUnicode_2BYTE_DATA(text), __VA_ARGS__); \
    default: return name##_Py_UCS4(PyUnicode_4BYTE_DATA(text), __VA_ARGS__); \
    }

/* What follows is asked for by Python too: no argument may make it read beyond a text. */

static Py_ssize_t seamline_first_surrogate(PyObject *text) {
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return -1;
    SEAMLINE_BY_WIDTH(seamline_surrogate, text, PyUnicode_GET_LENGTH(text))
}
static Py_ssize_t seamline_next_mark(PyObject *text, Py_ssize_t low, Py_ssize_t high) {
    if (low < 0) low = 0;
    if (high > PyUnicode_GET_LENGTH(text)) high = PyUnicode_GET_LENGTH(text);
    if (low >= high) return high;
    SEAMLINE_BY_WIDTH(seamline_next, text, low, high)
}
static Py_ssize_t seamline_last_mark(PyObject *text, Py_ssize_t low, Py_ssize_t high) {
    if (low < 0) low = 0;
    if (high > PyUnicode_GET_LENGTH(text)) high = PyUnicode_GET_LENGTH(text);
    if (low >= high) return low - 1;
    SEAMLINE_BY_WIDTH(seamline_last, text, low, high)
}
static Py_ssize_t seamline_rfind(PyObject *text, PyObject *part, Py_ssize_t low, Py_ssize_t high) {
    if (low < 0) low = 0;
    if (high > PyUnicode_GET_LENGTH(text)) high = PyUnicode_GET_LENGTH(text);
    if (low > high) return -1;
    if (PyUnicode_GET_LENGTH(part) == 0) return high;
    SEAMLINE_BY_WIDTH(seamline_rfind, text, low, high, part)
}
/* The first byte from `at` on that is not 0. */
static Py_ssize_t seamline_next_set(PyObject *marks, Py_ssize_t at) {
    Py_ssize_t n = PyByteArray_GET_SIZE(marks);
    const char *data = PyByteArray_AS_STRING(marks);
    uint64_t eight;
    if (at < 0) at = 0;
    for (; n - at >= 8 && (memcpy(&eight, data + at, 8), !eight); at += 8) {}
    while (at < n && !data[at]) at++;
    return at < n ? at : n;
}
static PyObject *seamline_row(
    PyTypeObject *kind, PyObject *doc_id, PyObject *start, PyObject *end, PyObject *text,
    PyObject *ordinal, PyObject *context, PyObject *indexed, PyObject *metadata
) {
    PyObject *items[] = {
        doc_id, start, end, text, ordinal, context, Py_None, indexed, metadata
    };
    if (!PyType_IsSubtype(kind, &PyTuple_Type)) {
        PyErr_Format(PyExc_TypeError, "rows must be tuples, got the type %s", kind->tp_name);
        return NULL;
    }
    PyObject *row = kind->tp_alloc(kind, 9);
    for (int i = 0; row && i < 9; i++) {
        Py_INCREF(items[i]);
        PyTuple_SET_ITEM(row, i, items[i]);
    }
    return row;
}

/* Where each token ends, in characters; one that ends inside a character ends with it.
   A width holds the bytes of a token below and its characters above, 255 if it is a part
   of a character. Returns 0, or -1 with an exception. */
static int seamline_fill_ends(
    PyObject *text, const uint32_t *ids, Py_ssize_t n, const uint16_t *widths, Py_ssize_t known,
    int32_t *ends
) {
    int32_t total = 0;
    uint16_t most = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (ids[i] >= known) {
            PyErr_SetString(PyExc_IndexError, "a token id is beyond the vocabulary");
            return -1;
        }
        uint16_t width = widths[ids[i]] >> 8;
        most = width > most ? width : most;
        ends[i] = total += width;
    }
    if (most < 255) return 0;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(text);
    int64_t bytes = 0, passed = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        bytes += widths[ids[i]] & 255;
        for (; passed < bytes && at < length; at++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, at);
            passed += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        }
        ends[i] = (int32_t)at;
    }
    return 0;
}
static int seamline_token_ends(PyObject *text, PyObject *ids, PyObject *widths, PyObject *ends) {
    Py_buffer views[3];
    PyObject *given[] = {ids, widths, ends};
    Py_ssize_t sizes[] = {4, 2, 4};
    int result = -1, held = 0;
    for (; held < 3; held++) {
        if (PyObject_GetBuffer(given[held], &views[held], held == 2 ? PyBUF_CONTIG : PyBUF_CONTIG_RO))
            goto done;
        if (views[held].itemsize != sizes[held]) {
            PyErr_SetString(PyExc_TypeError, "token ids, widths or ends are of another type");
            held++;
            goto done;
        }
    }
    if (views[2].len < views[0].len)
        PyErr_SetString(PyExc_IndexError, "there are more tokens than ends");
    else
        result = seamline_fill_ends(
            text, views[0].buf, views[0].len / 4, views[1].buf, views[1].len / 2, views[2].buf
        );
done:
    while (held--) PyBuffer_Release(&views[held]);
    return result;
}

/* Append to a column that is being made, in a bytearray. */
static int seamline_push(PyObject *buffer, Py_ssize_t value) {
    Py_ssize_t n = PyByteArray_GET_SIZE(buffer);
    int32_t item = (int32_t)value;
    if (value < 0 || value > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "an offset must be below 2147483648");
        return -1;
    }
    if (PyByteArray_Resize(buffer, n + 4) < 0) return -1;
    memcpy(PyByteArray_AS_STRING(buffer) + n, &item, 4);
    return 0;
}
/* Append where each run of characters that are no white space starts and ends. */
static int seamline_word_bounds(PyObject *text, PyObject *starts, PyObject *ends) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "words are those of a string");
        return -1;
    }
    int kind = PyUnicode_KIND(text), blank = 1;
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t at = 0; at <= n; at++) {
        int here = at == n || Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at));
        if (here != blank && seamline_push(here ? ends : starts, at) < 0) return -1;
        blank = here;
    }
    return 0;
}
/* Columns of int32, kept as bytes objects. */
static inline Py_ssize_t seamline_n_items(PyObject *column) {
    return PyBytes_Check(column) ? PyBytes_GET_SIZE(column) / 4 : 0;
}
static inline int32_t seamline_read(const char *data, Py_ssize_t at) {
    int32_t value;
    memcpy(&value, data + 4 * at, 4);
    return value;
}
static Py_ssize_t seamline_item(PyObject *column, Py_ssize_t at) {
    if (at >= 0 && at < seamline_n_items(column))
        return seamline_read(PyBytes_AS_STRING(column), at);
    PyErr_SetString(PyExc_IndexError, "offset beyond its column");
    return -1;
}
static Py_ssize_t seamline_first_over(PyObject *column, Py_ssize_t limit) {
    const char *data = PyBytes_AS_STRING(column);
    Py_ssize_t low = 0, high = seamline_n_items(column);
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (seamline_read(data, middle) > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
