"""A disk that changes or loses what it holds: backup and verify tell of it, and everything sound comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.soak.damaging import damage_all
from tests.soak.table import scaled

TRIES = scaled(200, least=10)


@pytest.mark.proof(
    "T1", "study or backup with one changed byte or lost file", gate="every change noticed, everything sound restored"
)
def test_every_damage_is_noticed_and_everything_sound_comes_back(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    counts = damage_all(tmp_path, TRIES, 20260302)
    print(f"\nnoticed by: {dict(counts.noticed)}; changed nothing: {dict(counts.harmless)}; {dict(counts.unnoticed)}")
    record_property("repetitions", counts.tries)
    record_property(
        "figure",
        f"{counts.noticed.total()} noticed, {counts.harmless.total()} changed nothing that is kept, "
        f"{counts.unnoticed.total()} unnoticed; {counts.restored} restored with all that was sound, "
        f"{counts.by_yesterdays} by the backup before",
    )
    assert counts.faults == []
    assert counts.unnoticed == {}
    assert counts.noticed.total() + counts.harmless.total() == counts.tries == TRIES
