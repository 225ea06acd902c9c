"""Files that leave a study: what is handed out, and the forms of tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to hand out. `lost` names what the form could not carry, `left_out` each graph that it could not hold,
    with the reason."""

    name: str
    media_type: str
    content: bytes
    lost: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class TableForm(StrEnum):
    CSV = "csv"
    LATEX = "tex"
    XLSX = "xlsx"


MEDIA = {
    TableForm.CSV: "text/csv",
    TableForm.LATEX: "application/x-tex",
    TableForm.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
