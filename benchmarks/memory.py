"""How much memory a process has held."""

from __future__ import annotations

from pathlib import Path


def highest_mb() -> float:
    """VmHWM of this process: unlike getrusage it does not begin with what the process that started this one held."""
    return _read_mb("VmHWM")


def resident_mb() -> float:
    """VmRSS of this process: what it holds now."""
    return _read_mb("VmRSS")


def _read_mb(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
