"""Ways to use seamline from inside other tools; each module needs its own tool."""
