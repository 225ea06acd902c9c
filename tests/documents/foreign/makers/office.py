"""Runs LibreOffice without a window: prints a file as PDF, or runs a program of its UNO interface."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

SYSTEM_PYTHON = "/usr/bin/python3"  # knows UNO
PROFILE = f"-env:UserInstallation=file://{tempfile.gettempdir()}/foreign-libreoffice"


@cache
def version() -> str:
    said = subprocess.run(["soffice", PROFILE, "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split()[:2])


def printed(source: Path, path: Path) -> None:
    """Print a drawing or presentation to `path`."""
    command = ["soffice", PROFILE, "--headless", "--convert-to", "pdf", "--outdir", source.parent, source]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    path.write_bytes(source.with_suffix(".pdf").read_bytes())
