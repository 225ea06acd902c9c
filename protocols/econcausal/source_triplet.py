"""What samples are made of: a triplet of a study, or a row of a file that is only looked at."""

from __future__ import annotations

from dataclasses import dataclass

from core.triplets.record import TripletRecord

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
