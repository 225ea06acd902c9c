"""Peak memory of a process. `process`: its number; "self" is this one."""

from __future__ import annotations

from pathlib import Path


def highest_mb(process: int | str = "self") -> float:
    """VmHWM of a process: unlike getrusage it does not begin with what the process that started this one held."""
    return _read_mb("VmHWM", process)


def resident_mb() -> float:
    """VmRSS of this process: what it holds now."""
    return _read_mb("VmRSS", "self")


def highest_space_mb(process: int | str = "self") -> float:
    """VmPeak of a process: the most address space it has had, held or not."""
    return _read_mb("VmPeak", process)


def _read_mb(name: str, process: int | str) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
