"""Tallies: every score is a function of them, as kept in JSON too; counts of labels and patterns by hand."""

from __future__ import annotations

import json
import random

from core.verdicts.labels import Section
from core.verdicts.scores import score_tallies, score_verdict
from core.verdicts.tallies import EdgePatterns, SectionTally, read_tally, tally_of
from core.verdicts.verdict import Verdict, read_verdict
from tests.core.verdicts.made import drawn, perfect, spoilt


def kept(verdict: Verdict) -> dict[Section, SectionTally]:
    return {
        section: read_tally(json.loads(json.dumps(tally_of(found).as_json())))
        for section, found in verdict.sections.items()
    }


def test_scores_of_kept_tallies_are_those_of_the_verdict() -> None:
    draw = random.Random("tallies")
    for _ in range(100):
        verdict = read_verdict(spoilt(draw))
        gold = draw.choice([None, 4])
        assert score_tallies(kept(verdict), gold) == score_verdict(verdict, gold)


def test_a_tally_of_205_items_takes_some_four_hundred_bytes() -> None:
    verdict = read_verdict({"edge_precision_evaluations": perfect(1, 205)["edge_precision_evaluations"]})
    (found,) = kept(verdict).values()
    assert found.labels["text"]["presence_label"] == (205, 0, 0, 0)
    assert len(json.dumps(found.as_json(), separators=(",", ":"))) < 500


def test_patterns_count_edges_and_among_them_those_that_are_matched() -> None:
    said = perfect(2, 4)["edge_precision_evaluations"]
    said[0]["graph_evaluation"]["presence_label"] = "PRESENCE_NO_MATCH"  # correct, supported, not matched
    said[1]["graph_evaluation"]["directionality_label"] = "DIRECTION_REVERSED"
    said[2]["text_evaluation"]["presence_label"] = "PRESENCE_NO_MATCH"
    found = tally_of(read_verdict({"edge_precision_evaluations": said}).sections[Section.EDGE_PRECISION])
    assert found.patterns == EdgePatterns(
        correct=3, reversed=1, supported=3, matched_correct=2, matched_reversed=1, matched_supported=2
    )
    assert found.odd == {
        "graph only without a graph match": 1,
        "label beside no match": 2,
        "text label beside a graph match": 1,
    }


def test_tallies_of_whole_verdicts_have_no_problem() -> None:
    verdict = read_verdict(drawn(random.Random(5)))
    assert not any(each.default.problem or each.released.problem or each.absent for each in kept(verdict).values())
