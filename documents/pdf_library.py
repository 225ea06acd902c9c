"""PyMuPDF without its optional imports for Markdown (pymupdf4llm and a layout model), which cost each child a second of
processor time at start. `documents/markdown.py` loads both on first use."""

from __future__ import annotations

import sys

__all__ = ["pymupdf"]

_LATER = [name for name in ("pymupdf.layout", "pymupdf4llm") if name not in sys.modules]
for _name in _LATER:
    sys.modules[_name] = None  # type: ignore[assignment] # as if it were not installed
try:
    import pymupdf
finally:
    for _name in _LATER:
        del sys.modules[_name]
