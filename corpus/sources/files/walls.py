"""What the kernel itself keeps from a process that reads foreign bytes: other files, the network, other programs.

Landlock (Linux 5.13) leaves only what is listed to be read; a seccomp filter takes away the system calls that reach
other machines and processes. Both need no right, hold for ever, and are left out where a kernel or an architecture
does not know them: `standing` says which there are.
"""

import ctypes
import mimetypes
import os
import platform
import site
import struct
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

Wall = Literal["landlock", "seccomp"]

ROOT: Final = Path(__file__).resolve().parents[3]
PACKAGE: Final = ROOT / "corpus"
_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Landlock's system calls, the same on every architecture."""
_READ: Final = 0b1101
"""LANDLOCK_ACCESS_FS_EXECUTE, READ_FILE and READ_DIR."""
_READ_FILE: Final = 0b100
_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Version -> how many rights on files it knows; all of them are taken away."""
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_ALLOW, _REFUSE = 0x7FFF0000, 0x0005000D
"""SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO with EACCES."""
_ARCHITECTURES: Final = {
    # audit's name of it; socket, connect, bind, sendto, sendmsg, ptrace, process_vm_readv, execve, execveat,
    # io_uring_setup
    "x86_64": (0xC000003E, (41, 42, 49, 44, 46, 101, 310, 59, 322, 425)),
    "aarch64": (0xC00000B7, (198, 203, 200, 206, 211, 117, 270, 221, 281, 425)),
}


def standing() -> tuple[Wall, ...]:
    """Which walls this machine can put up."""
    if sys.platform != "linux":
        return ()
    found: tuple[Wall, ...] = ("landlock",) if _version() > 0 else ()
    return (
        (*found, "seccomp")
        if platform.machine() in _ARCHITECTURES and Path("/proc/sys/kernel/seccomp").is_dir()
        else found
    )


def put_up(readable: Sequence[Path] = ()) -> None:
    """For this process and for good. `readable`: files and folders besides Python's own and our parsers'."""
    walls = standing()
    if not walls or _libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return
    if "landlock" in walls:
        _only_to_read([*_pythons_own(), PACKAGE, *readable])
    if "seccomp" in walls:
        _without_calls()


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _version() -> int:
    """Of Landlock; -1 where the kernel has none, or has it switched off."""
    return int(_libc().syscall(_CREATE, None, ctypes.c_size_t(0), 1))


def _pythons_own() -> list[Path]:
    """Libraries, compiled parts, kinds of files: what imports need after the walls stand."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = [*map(Path, filter(None, (*paths, *site.getsitepackages(), sys.base_prefix + "/lib")))]
    names = ("/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/dev/urandom", "/dev/null")
    system = [Path(name) for name in (*names, *mimetypes.knownfiles)]
    return [path for path in dict.fromkeys([*folders, *system]) if path.exists()]


def _only_to_read(paths: Sequence[Path]) -> None:
    libc = _libc()
    rights = (1 << _RIGHTS.get(_version(), max(_RIGHTS.values()))) - 1
    attributes = struct.pack("=Q", rights)
    rules = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return
    for path in paths:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", _READ if path.is_dir() else _READ_FILE, opened)
        libc.syscall(_ADD, rules, 1, rule, 0)
        os.close(opened)
    libc.syscall(_RESTRICT, rules, 0)
    os.close(rules)


def _without_calls() -> None:
    """A filter over the number of each system call; another architecture's numbers are refused whole."""
    name, calls = _ARCHITECTURES[platform.machine()]
    load = 0x20  # BPF_LD | BPF_W | BPF_ABS
    equal, give = 0x15, 0x06  # BPF_JMP | BPF_JEQ | BPF_K; BPF_RET | BPF_K
    steps = [(load, 0, 0, 4), (equal, 1, 0, name), (give, 0, 0, _REFUSE), (load, 0, 0, 0)]
    steps += [(equal, len(calls) - at, 0, call) for at, call in enumerate(calls)]
    steps += [(give, 0, 0, _ALLOW), (give, 0, 0, _REFUSE)]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(steps), ctypes.addressof(held))
    _libc().prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.c_char_p(program), 0, 0)
