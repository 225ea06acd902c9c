"""Marked texts: every word escaped, places named, and what is faint told from what is lit."""

from __future__ import annotations

from components.widgets.highlighted_text import highlighted_text
from core.triplets.phrases import highlight_phrases


def test_places_are_marked_with_their_names_and_every_word_is_escaped() -> None:
    found = highlight_phrases("A <b>tax</b> cuts use. Taxes & the tax.", ["tax", "use", "the tax"])
    said = highlighted_text(found, ["X1", "Y1", "X2"], faint={2})
    assert "<b>" not in said
    assert "&lt;b&gt;" in said
    marks = [each.partition("</mark>")[0].partition(">")[2] for each in said.split("<mark")[1:]]
    assert marks == ["tax<sup>X1</sup>", "use<sup>Y1</sup>", "the <sup>X2</sup>", "tax<sup>X1, X2</sup>"]
    assert [("underline" in each.partition(">")[0]) for each in said.split("<mark")[1:]] == [False, False, True, False]
    assert highlighted_text(highlight_phrases("Nothing.", ["tax"]), ["X1"]) == "Nothing."
