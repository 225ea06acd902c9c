"""Screening: the automatic rule and the counts of the flow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.papers.papers import (
    AUTOMATIC_WORDS,
    ExclusionReason,
    ScreenedPaper,
    Screening,
    automatic_exclusion,
    count_flow,
)


@pytest.mark.parametrize(
    ("abstract", "matched"),
    [
        ("We held a WORKSHOP.", ("workshop",)),
        ("Participatory workshops with farmers", ("workshop",)),
        ("Group Model Building was used", ("group model build",)),
        ("group\nmodel  build in workshops", ("workshop", "group model build")),
        ("group model-building", ()),
        ("We work in the shop; a model group built it.", ()),
        ("", ()),
    ],
)
def test_the_automatic_rule_names_the_words_it_found(abstract: str, matched: tuple[str, ...]) -> None:
    assert automatic_exclusion(abstract) == matched


def test_there_are_seven_manual_reasons() -> None:
    assert [reason.value for reason in ExclusionReason] == [
        "no causal graph",
        "several unrelated graphs",
        "illustrative or non-causal diagram",
        "poor legibility",
        "ambiguous graph elements",
        "workshop paper",
        "other",
    ]


def test_the_flow_counts_every_paper_once() -> None:
    excluded = Screening.EXCLUDED
    papers = [
        ScreenedPaper(Screening.INCLUDED, source="PLOS"),
        ScreenedPaper(Screening.INCLUDED, matched=("workshop",), source="PLOS"),
        ScreenedPaper(Screening.OPEN, source="MDPI"),
        ScreenedPaper(excluded, matched=("workshop", "group model build"), source="MDPI"),
        ScreenedPaper(excluded, (ExclusionReason.WORKSHOP,), ("workshop",), "MDPI"),
        ScreenedPaper(excluded, (ExclusionReason.NO_GRAPH, ExclusionReason.OTHER)),
        ScreenedPaper(excluded),
    ]
    flow = count_flow(papers, duplicates=3)
    assert (flow.identified, flow.duplicates, flow.candidates) == (10, 3, 7)
    assert (flow.automatic, flow.excluded, flow.included, flow.open) == (1, 3, 2, 1)
    assert (flow.assessed, flow.reinstated, flow.without_reason) == (6, 1, 1)
    assert flow.by_source == (("MDPI", 3), ("", 2), ("PLOS", 2))
    assert flow.by_word == (("workshop", 1), ("group model build", 1))
    assert dict(flow.by_reason)[ExclusionReason.WORKSHOP] == 1
    assert sum(count for _, count in flow.by_reason) == 3


def test_no_papers_give_zeros_and_negative_duplicates_are_refused() -> None:
    assert count_flow([]).identified == 0
    with pytest.raises(BadInput, match="-1"):
        count_flow([], duplicates=-1)


@given(
    st.lists(
        st.builds(
            ScreenedPaper,
            st.sampled_from(Screening),
            st.lists(st.sampled_from(ExclusionReason), max_size=2).map(tuple),
            st.lists(st.sampled_from(AUTOMATIC_WORDS), max_size=2).map(tuple),
            st.sampled_from(["PLOS", "MDPI", ""]),
        )
    ),
    st.integers(0, 5),
)
def test_the_parts_of_the_flow_add_up(papers: list[ScreenedPaper], duplicates: int) -> None:
    flow = count_flow(papers, duplicates)
    assert flow.identified - flow.duplicates == flow.automatic + flow.excluded + flow.included + flow.open
    assert sum(count for _, count in flow.by_source) == flow.candidates
