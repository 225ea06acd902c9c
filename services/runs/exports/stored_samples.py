"""A sample as exports read it, from which its messages are made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.runs.items import StoredRunSample


def sample_as_stored(row: Mapping[str, Any]) -> StoredRunSample:
    """Return the sample of a row of `store.runs.exports.samples` with slots."""
    names = ("task", "variant", "key", "answer", "facts", "step", "truth", "slots")
    subject = None if row["subject_kind"] is None else (row["subject_kind"], row["subject_id"])
    columns = {name: row[name] for name in names}
    return StoredRunSample(**columns, hash=row["sample_hash"], messages=(), subject=subject)
