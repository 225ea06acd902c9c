"""Files that leave a study, and the forms of tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class ExportedFile:
    name: str
    media_type: str
    content: bytes
    lost: tuple[str, ...] = ()  # what the form could not carry
    left_out: tuple[str, ...] = ()  # graphs that the form could not hold, with the reasons


class TableForm(StrEnum):
    CSV = "csv"
    LATEX = "tex"
    XLSX = "xlsx"


MEDIA = {
    TableForm.CSV: "text/csv",
    TableForm.LATEX: "application/x-tex",
    TableForm.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
