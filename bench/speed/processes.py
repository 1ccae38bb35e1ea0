"""What a process takes of the machine (Linux: /proc)."""

import contextlib
import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """User and system time so far, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int, name: str = "VmHWM") -> float:
    """`VmHWM`: the most it ever held; `VmRSS`: what it holds. Zero for a process that is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1024
    return 0.0
