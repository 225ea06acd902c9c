"""Errors that PyMuPDF raises on a hostile file, as findings about the document. Runs in a child process only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import UnreadableDocument
from documents.pdf_library import pymupdf

# A hostile file raises six classes and more; all of them mean that this file cannot be read.
PDF_FAULTS = (RuntimeError, ValueError, IndexError, KeyError, TypeError, AttributeError, pymupdf.mupdf.FzErrorBase)


@contextmanager
# Turn any fault of the library into one finding about the document.
def faults_as(kind: str, message: str) -> Iterator[None]:
    """Turn any fault of the library into one finding about the document."""
    try:
        yield
    except PDF_FAULTS as error:
        if "malloc" in str(error):
            raise MemoryError from error
        raise UnreadableDocument(kind, message) from error
