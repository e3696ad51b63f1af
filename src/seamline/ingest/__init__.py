"""Documents into a store: cut, embedded and written, again and again, with nothing done twice."""
