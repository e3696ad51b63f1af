"""Simulated questions whose true answers are known, and what `seamline.compare` says of them."""
