"""What samples are made of: a triplet of a study, or a row of a file that is only looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.sign import Sign
from core.triplets.record import PaperRecord, TripletRecord

TRIPLET = "triplet"
"""The kind of a sample's subject."""


@dataclass(frozen=True, slots=True)
class SourceTriplet:
    """A triplet that samples are made of: its id and collection in the study, and what its file says of it."""

    record: TripletRecord
    triplet_id: str | None = None
    collection: str = ""

    @property
    def subject(self) -> tuple[str, str] | None:
        """What in the study it is, None for a row that is only looked at."""
        return None if self.triplet_id is None else (TRIPLET, self.triplet_id)

    def as_json(self) -> dict[str, Any]:
        """What samples are built from: neither the words of a released question nor what critics said."""
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
    def from_json(cls, said: Mapping[str, Any]) -> SourceTriplet:
        """What `as_json` gave."""
        record = TripletRecord(
            paper=PaperRecord(**said["paper"]), sign=Sign(said["sign"]), **{name: said[name] for name in _OF_RECORD}
        )
        return cls(record, said["triplet_id"], said["collection"])


_OF_PAPER = ("external_id", "title", "year", "venue", "domain", "jel_codes")
_OF_RECORD = ("place", "treatment", "outcome", "context")
