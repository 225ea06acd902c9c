"""How verdicts are reviewed: sizes of sheets, how many people label each, and what they see first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from core.transcription.queue import Overlap


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictSettings:
    """`sheet_size`: items of a sheet at most; `overlap` people label the `share` of sheets that is drawn, one the
    others. `label_first`: a judge's labels are shown when one's own are set; `hides_models`: names of judged models are
    too. `version` 0: never saved."""

    sheet_size: int = 12
    overlap: int = 2
    share: float = 0.0
    label_first: bool = True
    hides_models: bool = True
    idle_hours: int = 72
    version: int = 0

    @property
    def rule(self) -> Overlap:
        return Overlap(self.overlap, self.share)

    @property
    def told(self) -> str:
        """What reviewers see first, in sentences that stand beside every number that rests on their labels.

        >>> VerdictSettings(hides_models=False).told
        'Label first is on. Names of judged models are shown.'
        """
        first = "on" if self.label_first else "off: labels given beside the judge's are in no agreement"
        return f"Label first is {first}. Names of judged models are {'hidden' if self.hides_models else 'shown'}."

    @property
    def idle(self) -> timedelta:
        return timedelta(hours=self.idle_hours)
