# cython: language_level=3
# The C types of optimal.py: what its loops run on when it is compiled.
cimport cython

cdef double _EDGE
cdef double _ORPHAN

@cython.locals(made=cython.longlong[::1], i=Py_ssize_t)
cdef long long[::1] _whole(list values)
@cython.locals(made=cython.double[::1], i=Py_ssize_t)
cdef double[::1] _real(list values)

@cython.locals(
    n=Py_ssize_t, least=cython.double[::1], came=cython.longlong[::1], end=Py_ssize_t, last=bint, price=double,
    best=double, start=Py_ssize_t, size=Py_ssize_t, off=double, cost=double, starts=list, at=Py_ssize_t,
    here=int, before=int, room=Py_ssize_t
)
cdef list _units(
    long long[::1] weights, double[::1] borders, long long[::1] flags, long long[::1] hangs,
    double stiffness, Py_ssize_t target, Py_ssize_t most, Py_ssize_t limit
)

@cython.locals(lows=list, highs=list, i=Py_ssize_t, low=Py_ssize_t, high=Py_ssize_t)
cpdef tuple trim_spans(str text, list starts, list ends)
