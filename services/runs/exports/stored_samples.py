"""A sample as an export reads it, as those know it who make its messages again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.runs.items import KeptSample


def kept_sample(row: Mapping[str, Any]) -> KeptSample:
    """`row`: of `store.runs.exports.samples`, with slots."""
    names = ("task", "variant", "key", "answer", "facts", "step", "truth", "slots")
    subject = None if row["subject_kind"] is None else (row["subject_kind"], row["subject_id"])
    said = {name: row[name] for name in names}
    return KeptSample(**said, hash=row["sample_hash"], messages=(), subject=subject)
