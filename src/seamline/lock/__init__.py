"""Locks: a chosen configuration with what it scored, and the check that holds it to that."""

from seamline.lock.lock import LOCK_FILE, Lock

__all__ = ["LOCK_FILE", "Lock"]
