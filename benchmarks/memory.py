"""Peak memory of a process. `process`: its number; "self" is this one."""

from __future__ import annotations

from pathlib import Path


def highest_mb(process: int | str = "self") -> float:
    """Return VmHWM of a process: unlike getrusage it excludes the peak of the parent process."""
    return _read_mb("VmHWM", process)


def resident_mb() -> float:
    """Return VmRSS of this process."""
    return _read_mb("VmRSS", "self")


def highest_space_mb(process: int | str = "self") -> float:
    """Return VmPeak of a process: its peak address space, resident or not."""
    return _read_mb("VmPeak", process)


def _read_mb(name: str, process: int | str) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
