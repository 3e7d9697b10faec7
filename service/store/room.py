"""Room on the disk: how much is left, and some that is set apart for what is written next.

The server answers the first write that finds the disk full all the same, and keeps it in memory
alone. So behind the end of its append-only file there is room that no other program can take: its
size stays what it is, and what is appended goes there. That is on Linux, and on file systems that
can do so, which ext4, XFS, Btrfs and tmpfs can; elsewhere all that is left is to look.
"""

import ctypes
import errno
import os
from pathlib import Path
from typing import Final

_RESERVE: Final = 16 * 1024 * 1024  # bytes
_KEEP_SIZE: Final = 1  # FALLOC_FL_KEEP_SIZE
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def has_room(directory: Path) -> bool:
    """Tell whether the disk has the reserve left: 16 MiB, or a twentieth of a small disk."""
    disk = os.statvfs(directory)
    return disk.f_bavail * disk.f_frsize >= _reserve(disk)


def set_apart(directory: Path) -> bool:
    """Set a reserve apart behind the newest file of a directory; False if there is no room."""
    newest = max(directory.glob("*.incr.aof"), key=_number, default=None)
    if newest is None:
        return True
    try:
        file = os.open(newest, os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True  # the next one will be found
    try:
        size = _reserve(os.fstatvfs(file))
        return _allocate(file, os.fstat(file).st_size, size) not in _FULL
    finally:
        os.close(file)


def _reserve(disk: os.statvfs_result) -> int:
    return min(_RESERVE, disk.f_blocks * disk.f_frsize // 20)


def _number(path: Path) -> int:
    word = path.name.split(".")[-3]  # appendonly.aof.12.incr.aof
    return int(word) if word.isdecimal() else 0


def _allocate(file: int, start: int, size: int) -> int:
    """Allocate blocks for these bytes of a file, beyond its end; return the number of the error."""
    allocate = getattr(ctypes.CDLL(None, use_errno=True), "fallocate", None)
    if allocate is None:
        return errno.ENOSYS
    allocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long)
    return ctypes.get_errno() if allocate(file, _KEEP_SIZE, start, size) else 0
