"""Messages of a pool whose child did not answer, in the words of its subject."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """Message templates; `{seconds}` is the limit that was reached, `{error}` what went wrong."""

    reader: str  # name of the child in logs
    too_slow: str  # the processor time is used up
    overdue: str  # the wall time is used up, the processor time is not
    crashed: str
    unusable: str
    unstarted: str
    busy: str
    closed: str


DOCUMENTS = Sentences(
    reader="document reader",
    too_slow="Stopped after {seconds:.0f} s of work; print it to a new PDF, or upload a picture of the figure.",
    overdue="Stopped after {seconds:.0f} s of work; print it to a new PDF, or upload a picture of the figure.",
    crashed="The document reader stopped on this file, which may be damaged; print it to a new PDF.",
    unusable="The document reader gave no usable answer ({error}).",
    unstarted="The document reader did not start; check that PyMuPDF is installed and memory is free.",
    busy="All document readers were busy for {seconds:.0f} s; try again in a moment.",
    closed="The document reader was shut down.",
)

NO_DOCUMENT = "Neither a PDF nor a PNG, JPEG, WebP, GIF or SVG picture; upload one of these."

_NOT_READ = "The picture was not read: it takes more than {seconds:.0f} s. Click to place names and draw edges by hand."
PICTURES = replace(DOCUMENTS, too_slow=_NOT_READ, overdue=_NOT_READ)
