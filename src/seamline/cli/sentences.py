"""An error as a sentence: what must hold, what was given, what to do."""

from __future__ import annotations

import os
from errno import (
    EACCES,
    EBADF,
    EDQUOT,
    EFBIG,
    EISDIR,
    ELOOP,
    ENAMETOOLONG,
    ENOENT,
    ENOSPC,
    ENOTDIR,
    EPERM,
    EROFS,
)

from seamline.errors import SeamlineError

__all__ = ["sentence"]

_DENIED = (
    "{it} must be open to this user, but is not ({why}): check its permissions and those of its "
    "folder"
)
_FULL = "{it} must have room for what is written, but has none ({why}): make room, and run again"
_SAID = {
    EACCES: _DENIED,
    EPERM: _DENIED,
    EROFS: "{it} must lie where files can be written, but does not ({why}): give another place",
    ENOSPC: _FULL,
    EDQUOT: _FULL,
    EFBIG: "{it} must be no larger than a file may be here ({why}): raise that limit",
    ENOENT: "{it} must be there, but is not ({why}): check its spelling",
    EISDIR: "{it} must be a file, but is a folder ({why}): give the path of a file",
    ENOTDIR: "{it} must lie in a folder, but what is there is a file ({why}): check the path",
    ELOOP: "{it} must be a file or folder, but is a link to itself ({why}): mend the link",
    ENAMETOOLONG: "{it} must be a shorter name ({why}): give another one",
}
_OTHER = "{it} must be readable and writable, but is not ({why}): check the path and its disk"


def sentence(error: BaseException) -> str:
    """What is said of an error; of the system's own as of any other."""
    if isinstance(error, SeamlineError) or not isinstance(error, OSError):
        return str(error)
    if error.errno == EBADF and error.filename is None:
        return "stdout must be open to take the output, but is closed"
    why = error.strerror or str(error)
    if error.errno is None or why != os.strerror(error.errno):  # it is a sentence already
        return f"{error.filename}: {why}" if error.filename else why
    it = "stdout" if error.filename is None else str(error.filename)
    return _SAID.get(error.errno, _OTHER).format(it=it, why=why)
