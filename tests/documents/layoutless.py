"""PyMuPDF without what it loads by itself for Markdown, a second of processor time.

For the programs of this folder that share nothing with the code under test.
"""

import sys

__all__ = ["pymupdf"]

LEFT_OUT = ("pymupdf.layout", "pymupdf4llm")
sys.modules.update(dict.fromkeys(LEFT_OUT))  # type: ignore[arg-type] # as if they were not installed
try:
    import pymupdf
finally:
    for name in LEFT_OUT:
        del sys.modules[name]
