"""Explanations of labels on the desk."""

from __future__ import annotations

from core.verdicts.label_words import label_text
from core.verdicts.labels import LEGAL


def test_every_label_is_explained_and_abstraction_is_that_of_the_prediction_in_every_section() -> None:
    assert all(label_text(label) for fields in LEGAL.values() for labels in fields.values() for label in labels)
    # Of recall the items are true ones, so that "it" would be the truth.
    for label in ("BROADER", "ALIGNED", "NARROWER"):
        assert label_text(f"ABSTRACTION_{label}").startswith("The prediction is ")
