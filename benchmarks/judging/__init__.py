"""What one tool made of one small input, and whether it is right: for benchmarks/cases.py."""
