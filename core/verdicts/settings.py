"""Settings of the review of verdicts: sizes of sheets, people per sheet, and what they see first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from core.transcription.queue import Overlap


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictSettings:
    sheet_size: int = 12  # maximum items of a sheet
    overlap: int = 2  # people who label the drawn `share` of sheets; one labels the others
    share: float = 0.0
    label_first: bool = True  # a judge's labels are shown once the user's own are set
    hides_models: bool = True  # names of judged models too
    idle_hours: int = 72
    version: int = 0  # 0: never saved

    @property
    def rule(self) -> Overlap:
        return Overlap(self.overlap, self.share)

    @property
    def description(self) -> str:
        """Sentences on what reviewers see first, for every number based on their labels.

        >>> VerdictSettings(hides_models=False).description
        'Label first is on. Names of judged models are shown.'
        """
        first = "on" if self.label_first else "off: labels given beside the judge's are in no agreement"
        return f"Label first is {first}. Names of judged models are {'hidden' if self.hides_models else 'shown'}."

    @property
    def idle(self) -> timedelta:
        return timedelta(hours=self.idle_hours)
