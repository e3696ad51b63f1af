/* The C code behind heads.py: a loop for each width in which Python stores characters. */
#include "../scan.h"

/* Signs that no speaker's name holds. */
static inline int seamline_ends_name(Py_UCS4 c) {
    static const char ends[128] = {
        ['\n'] = 1, ['"'] = 1, ['*'] = 1, [':'] = 1, ['<'] = 1, ['='] = 1, ['>'] = 1,
        ['['] = 1, [']'] = 1, ['{'] = 1, ['|'] = 1, ['}'] = 1,
    };
    return c < 128 ? ends[c] : c == 0x201c || c == 0xff1a;
}
static inline int seamline_is_blank(Py_UCS4 c) { return c == ' ' || c == '\t'; }
static inline int seamline_is_colon(Py_UCS4 c) { return c == ':' || c == 0xff1a; }
static inline int seamline_is_query(Py_UCS4 c) { return c == '?' || c == 0xff1f; }
static inline int seamline_is_digit(Py_UCS4 c) {
    return c < 128 ? c >= '0' && c <= '9' : Py_UNICODE_ISDECIMAL(c);
}
/* As in a regular expression, where letters are also numbers that are no digits. */
static inline int seamline_is_letter(Py_UCS4 c) {
    return c < 128 ? (c | 32) >= 'a' && (c | 32) <= 'z' : Py_UNICODE_ISALNUM(c);
}
static inline int seamline_opens_time(Py_UCS4 c) {
    return c == '[' || c == '(' || seamline_is_digit(c);
}
/* The first letters of words for a question, or `#` of its number. */
static inline int seamline_opens_label(Py_UCS4 c) {
    switch (c) {
    case '#': case 'D': case 'F': case 'P': case 'Q':
    case 0x0412: case 0x554f: case 0x8cea: case 0x8d28: case 0x95ee: return 1;
    default: return 0;
    }
}
static inline Py_UCS4 seamline_lower(Py_UCS4 c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }
static int seamline_append(PyObject *list, Py_ssize_t value) {
    PyObject *item = PyLong_FromSsize_t(value);
    int result = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return result;
}

/* Of a name without brackets, and of any with the time behind it; see _is_name in turns.py. */
#define SEAMLINE_MOST_WORDS 6
#define SEAMLINE_MOST_WORDS_WITH_TIME 16
#define SEAMLINE_AT(i) ((i) < n ? (Py_UCS4)text[i] : 0)

#define SEAMLINE_HEADS(T) \
    /* Whether a colon or `<` stands near the start of the line. */ \
    static int seamline_near_##T(const T *text, Py_ssize_t n, Py_ssize_t line) { \
        Py_ssize_t stop = line + (line ? 140 : 141); \
        if (stop > n) stop = n; \
        for (; line < stop && text[line] != '\n'; line++) \
            if (seamline_is_colon(text[line]) || text[line] == '<') return 1; \
        return 0; \
    } \
    /* Whether what stands from `at` on may be a name and the colon or time behind it. */ \
    static int seamline_named_##T(const T *text, Py_ssize_t n, Py_ssize_t at) { \
        if (!seamline_is_letter(SEAMLINE_AT(at))) return 0; \
        int n_words = 0, is_open = 0; \
        for (int blank = 1; at < n && !seamline_ends_name(text[at]); at++) { \
            int here = seamline_is_blank(text[at]); \
            if (blank && !here && ++n_words > SEAMLINE_MOST_WORDS_WITH_TIME) return 0; \
            is_open |= text[at] == '('; \
            blank = here; \
        } \
        Py_UCS4 sign = SEAMLINE_AT(at), then = SEAMLINE_AT(at + 1); \
        if (sign == 0xff1a) return 1; \
        if (sign == ':' && (seamline_is_blank(then) || then == '\n')) \
            return n_words <= SEAMLINE_MOST_WORDS || is_open; \
        if (sign == ':') return then == '*' || then == '_' || seamline_is_digit(then); \
        if (sign == '[') return seamline_opens_time(then); \
        if (sign != '*' || then != '*') return 0; \
        at += 2; \
        if (seamline_is_blank(SEAMLINE_AT(at))) at++; \
        return seamline_is_colon(SEAMLINE_AT(at)); \
    } \
    static int seamline_turn_##T(const T *text, Py_ssize_t n, Py_ssize_t at) { \
        Py_UCS4 first = text[at], then = SEAMLINE_AT(at + 1); \
        if (first == '<') return seamline_is_letter(then); \
        if (first == '[' || first == '(') return seamline_opens_time(then); \
        if (first == '*' || first == '_') \
            return then == first \
                && (SEAMLINE_AT(at + 2) == '[' || seamline_named_##T(text, n, at + 2)); \
        if (!seamline_is_digit(first)) return seamline_named_##T(text, n, at); \
        while (seamline_is_digit(SEAMLINE_AT(at))) at++; \
        first = SEAMLINE_AT(at), then = SEAMLINE_AT(at + 1); \
        return (seamline_is_colon(first) || first == '-' || first == '.' || first == '/') \
            && seamline_is_digit(then); \
    } \
    static int seamline_label_##T(const T *text, Py_ssize_t n, Py_ssize_t at) { \
        Py_ssize_t stop; \
        if (text[at] == '*') at += SEAMLINE_AT(at + 1) == '*' ? 2 : 1; \
        else if (text[at] == '_' && SEAMLINE_AT(at + 1) == '_') at += 2; \
        if (!seamline_opens_label(SEAMLINE_AT(at))) return 0; \
        for (stop = ++at + 8; at < stop && seamline_is_letter(SEAMLINE_AT(at));) at++; \
        if (seamline_is_blank(SEAMLINE_AT(at))) at++; \
        for (stop = at + 3; at < stop && seamline_is_digit(SEAMLINE_AT(at));) at++; \
        Py_UCS4 sign = SEAMLINE_AT(at); \
        return seamline_is_colon(sign) || sign == '.' || sign == ')' || sign == 0x3001; \
    } \
    static int seamline_numbered_##T(const T *text, Py_ssize_t n, Py_ssize_t at) { \
        if (text[at] == '*') at += SEAMLINE_AT(at + 1) == '*' ? 2 : 1; \
        if (!seamline_is_digit(SEAMLINE_AT(at))) return 0; \
        while (seamline_is_digit(SEAMLINE_AT(at))) at++; \
        if (SEAMLINE_AT(at) != '.' && SEAMLINE_AT(at) != ')') return 0; \
        if (!seamline_is_blank(SEAMLINE_AT(at + 1))) return 0; \
        Py_ssize_t end = ++at; \
        while (end < n && text[end] != '\n') end++; \
        while (seamline_is_blank(text[end - 1])) end--; \
        for (int i = 0; i < 2 && text[end - 1] == '*'; i++) end--; \
        return seamline_is_query(text[end - 1]); \
    } \
    static int seamline_heads_##T( \
        const T *text, Py_ssize_t n, Py_ssize_t start, Py_ssize_t stop, \
        PyObject *turns, PyObject *labels, PyObject *numbered \
    ) { \
        Py_ssize_t line = start, at = start; \
        while (line > 0 && seamline_is_blank(text[line - 1])) line--; \
        int begins = line == 0 || text[line - 1] == '\n'; \
        for (;; begins = 1) { \
            if (begins) { \
                if (at - line <= 20 && seamline_turn_##T(text, n, at) \
                    && seamline_near_##T(text, n, line) && seamline_append(turns, at)) return -1; \
                if (seamline_label_##T(text, n, at) && seamline_append(labels, at)) return -1; \
                if (seamline_numbered_##T(text, n, at) && seamline_append(numbered, at)) \
                    return -1; \
            } \
            while (at < stop && text[at] != '\n') at++; \
            line = ++at; \
            while (at < stop && seamline_is_blank(text[at])) at++; \
            if (at >= stop) return 0; \
        } \
    } \
    static int seamline_pair_##T(const T *text, Py_ssize_t n, Py_UCS4 first, Py_UCS4 second) { \
        Py_ssize_t at = 0; \
        for (; at + 64 < n; at += 64) { \
            int found = 0; \
            for (int i = 0; i < 64; i++) \
                found |= (text[at + i] == (T)first) & (text[at + i + 1] == (T)second); \
            if (found) return 1; \
        } \
        for (; at + 1 < n; at++) \
            if (text[at] == first && text[at + 1] == second) return 1; \
        return 0; \
    } \
    static int seamline_is_at_##T(const T *text, Py_ssize_t n, PyObject *word) { \
        const Py_UCS1 *letters = PyUnicode_1BYTE_DATA(word); \
        Py_ssize_t length = PyUnicode_GET_LENGTH(word), i = 0; \
        if (length > n) return 0; \
        while (i < length && seamline_lower(text[i]) == letters[i]) i++; \
        return i == length; \
    } \
    /* `opens` says of pairs of small letters whether a word begins with them. */ \
    static Py_ssize_t seamline_count_##T( \
        const T *text, Py_ssize_t n, PyObject *words, const char (*opens)[32] \
    ) { \
        Py_ssize_t count = 0; \
        for (Py_ssize_t at = 0; at + 1 < n; at++) { \
            Py_UCS4 first = text[at] | 32, second = text[at + 1] | 32; \
            if (first - 'a' >= 26 || second - 'a' >= 26) continue; \
            if (!opens[first - 'a'][second - 'a']) continue; \
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) \
                count += seamline_is_at_##T(text + at, n - at, PyTuple_GET_ITEM(words, i)); \
        } \
        return count; \
    }

SEAMLINE_HEADS(Py_UCS1)
SEAMLINE_HEADS(Py_UCS2)
SEAMLINE_HEADS(Py_UCS4)

/* What follows is asked for by Python too: no argument may make it read beyond a text. */

static int seamline_line_heads(
    PyObject *text, Py_ssize_t start, Py_ssize_t stop,
    PyObject *turns, PyObject *labels, PyObject *numbered
) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (stop > n) stop = n;
    if (start < 0 || start >= stop) return 0;
    SEAMLINE_BY_WIDTH(seamline_heads, text, n, start, stop, turns, labels, numbered)
}
/* The words must be strings of small letters of ASCII, two at least. */
static Py_ssize_t seamline_count_words(
    PyObject *text, Py_ssize_t low, Py_ssize_t high, PyObject *words
) {
    char opens[26][32] = {{0}};
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        if (!PyUnicode_Check(word) || !PyUnicode_IS_ASCII(word) || PyUnicode_GET_LENGTH(word) < 2) {
            PyErr_SetString(PyExc_TypeError, "words are counted that are strings of ASCII");
            return -1;
        }
        Py_UCS4 first = PyUnicode_READ_CHAR(word, 0) - 'a';
        Py_UCS4 second = PyUnicode_READ_CHAR(word, 1) - 'a';
        if (first < 26 && second < 26) opens[first][second] = 1;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (high > n) high = n;
    if (low < 0 || low >= high) return 0;
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        return seamline_count_Py_UCS1(PyUnicode_1BYTE_DATA(text) + low, high - low, words, opens);
    case PyUnicode_2BYTE_KIND:
        return seamline_count_Py_UCS2(PyUnicode_2BYTE_DATA(text) + low, high - low, words, opens);
    default:
        return seamline_count_Py_UCS4(PyUnicode_4BYTE_DATA(text) + low, high - low, words, opens);
    }
}
/* Both characters must be ASCII. */
static int seamline_has_pair(PyObject *text, Py_UCS4 first, Py_UCS4 second) {
    SEAMLINE_BY_WIDTH(seamline_pair, text, PyUnicode_GET_LENGTH(text), first, second)
}
