"""Triplets that samples are made of: of a study, or rows of a file in a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.sign import Sign
from core.triplets.record import PaperRecord, TripletRecord

TRIPLET = "triplet"  # kind of a sample's subject


@dataclass(frozen=True, slots=True)
class SourceTriplet:
    """A triplet that samples are made of, as stated in its file."""

    record: TripletRecord
    triplet_id: str | None = None  # None for a row in a preview
    collection: str = ""

    @property
    def subject(self) -> tuple[str, str] | None:
        """(kind, id) in the study; None for a row in a preview."""
        return None if self.triplet_id is None else (TRIPLET, self.triplet_id)

    def as_json(self) -> dict[str, Any]:
        """Return the content of samples, without the wording of a released question and critics' scores."""
        record = self.record
        paper = asdict(record.paper)
        return {
            "paper": {name: paper[name] for name in _OF_PAPER},
            **{name: getattr(record, name) for name in _OF_RECORD},
            "sign": record.sign.value,
            "triplet_id": self.triplet_id,
            "collection": self.collection,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SourceTriplet:
        """Read the result of `as_json`."""
        record = TripletRecord(
            paper=PaperRecord(**content["paper"]),
            sign=Sign(content["sign"]),
            **{name: content[name] for name in _OF_RECORD},
        )
        return cls(record, content["triplet_id"], content["collection"])


_OF_PAPER = ("external_id", "title", "year", "venue", "domain", "jel_codes")
_OF_RECORD = ("place", "treatment", "outcome", "context")
