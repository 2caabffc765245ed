"""Which files a process may open: Linux's Landlock, where the kernel has it (5.13 and later).

Without it, native code that an attacker has taken over could read whatever the user can: keys, mail, the app's own
data. With it, what is not named here does not open, to read or to write, nor can other processes be looked into.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers of its calls are the same on all processors
_VERSION, _BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_ACTIONS = (13, 14, 15, 15, 16)
"""So many deeds with files each version of Landlock knows; one that is not allowed is refused."""
_TCP, _SIGNALS = 0b11, 0b11
"""All it knows of networks from version 4 on, and of reaching other processes from version 6 on."""
_NETWORK_FROM, _SIGNALS_FROM = 4, 6

_CODE = Path(__file__).resolve().parents[1]
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/nix/store")
_FILES = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/dev/urandom",
)


def restrict(files: Iterable[str] = (), *, reaches_hosts: bool = False) -> bool:
    """Let this process read its own code, libraries and `files`, and open no other file, for good.

    Nor may it reach hosts, unless it is to. Returns False where it cannot be.
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    call, number = libc.syscall, ctypes.c_ulong
    version = call(number(_CREATE), None, number(0), number(_VERSION))
    if version < 1:
        return False
    actions = (1 << _ACTIONS[min(version, len(_ACTIONS)) - 1]) - 1
    network = _TCP if version >= _NETWORK_FROM and not reaches_hosts else 0
    asked = struct.pack("=QQQ", actions, network, _SIGNALS if version >= _SIGNALS_FROM else 0)
    rules = call(number(_CREATE), asked, number(len(asked)), number(0))
    if rules < 0:
        return False
    try:
        for path, allowed in (*_allowed(), *((file, _READ_FILE) for file in files)):
            with suppress(OSError):  # what is not there need not be allowed
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
                rule = struct.pack("=Qi", allowed, place)
                call(number(_ADD), number(rules), number(_BENEATH), rule, number(0))
                os.close(place)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, number(1), number(0), number(0), number(0))
        return bool(call(number(_RESTRICT), number(rules), number(0)) == 0)
    finally:
        os.close(rules)


def _allowed() -> list[tuple[str, int]]:
    """Folders and files with what may be done there. The folder that the app runs in is none: keys may lie there."""
    libraries = [f"{prefix}/{name}" for prefix in (sys.prefix, sys.base_prefix) for name in ("lib", "lib64")]
    unpacked = os.environ.get("TMPDIR", "")  # the reader's own (`pdf_library.py`)
    paths = (path for path in sys.path if _is_of_python(path))
    folders = dict.fromkeys((str(_CODE), *libraries, *_SYSTEM, unpacked, *paths))
    return [
        *((path, _READ_FILE | _READ_DIR) for path in folders),
        *((path, _READ_FILE) for path in _FILES),
        ("/dev/null", _READ_FILE | _WRITE_FILE),
    ]


def _is_of_python(path: str) -> bool:
    """True for the folders of libraries in `sys.path`, other than the one that the app runs in."""
    return bool(path) and Path(path).is_dir() and Path(path).resolve() not in (_CODE.parent, *_CODE.parents, Path.cwd())
