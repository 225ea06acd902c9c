"""Credit: what was handed in, what of it stands in ground truth, and shares that add up to one."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.people import Viewer
from services.people import credit
from services.study import Study
from services.transcription import transcribing
from store import efforts
from store.tables import new_id
from tests.services.release_parts import lay_truth, record_of
from tests.services.scoring_parts import bring_in, hand_in, rows_of, settle, take


def draw(viewer: Viewer, figure_id: str, lines: str, *, submit: bool = True) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


@pytest.mark.both(usually=False)
def test_people_are_credited_for_what_they_handed_in_and_what_was_accepted(
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    # Handed in: annotator 3 nodes 2 edges and 2 nodes 1 edge; colleague 3 nodes 3 edges. All: 8 nodes, 6 edges.
    first = draw(people.annotator, a_figure.id, "A -> B\nB -> C")
    second = draw(people.colleague, a_figure.id, "A -> B\nC -> B\nA -> C")
    other = another_figure("Second").id
    draw(people.annotator, other, "X -> Y")
    draw(people.colleague, other, "never handed in -> Y", submit=False)
    # The truth: A and B by both, C by the first only (another wording), D by the adjudicator; A->B both, C->B second.
    nodes = {"A": "both", "B": "both", "C as ruled": "first", "D": "adjudicator"}
    record = record_of("A -> B; C as ruled -> B; D -> A")
    for key, node in record.nodes.items():
        object.__setattr__(record.nodes[key], "origin", nodes[node.name])
    for edge, origin in zip(record.ordered_edges(), ("both", "second", "adjudicator"), strict=True):
        object.__setattr__(edge, "origin", origin)
    lay_truth(study, a_figure.id, record, by=people.reviewer.person_id, between=(first, second))
    lay_truth(study, other, "x -> Z", state=None)  # X folds to x; the edge X -> Y is not in it
    with study.store.writing() as session:
        efforts.count_up(session, first, 5400.0, new_id(), study.clock())
    found = credit.credit(people.owner)
    assert (found.nodes, found.edges) == (8, 6)
    annotator, colleague, reviewer = found.people
    assert (annotator.transcriptions, annotator.nodes, annotator.edges) == (2, 5, 3)
    assert (annotator.nodes_accepted, annotator.edges_accepted) == (3 + 1, 1 + 0)
    assert (colleague.nodes, colleague.nodes_accepted, colleague.edges_accepted) == (3, 2, 2)
    assert (annotator.share_of_nodes.value, annotator.share_of_edges.value) == (5 / 8, 3 / 6)
    assert (annotator.active_hours, reviewer.adjudications, reviewer.nodes) == (1.5, 1, 0)
    assert sum(line.share_of_nodes.value or 0 for line in found.people) == pytest.approx(1)


def test_experts_are_credited_for_what_they_scored(people: SimpleNamespace) -> None:
    bring_in(people.owner, rows_of(1))
    settle(people.owner)
    hand_in(people.expert, take(people.expert))
    (expert,) = credit.credit(people.owner).people
    assert (expert.name, expert.triplets, expert.transcriptions) == (people.expert.name, 1, 0)
    (row,) = csv.DictReader(io.StringIO(credit.export_credit(people.owner).content.decode("utf-8-sig")))
    assert (row["triplets scored"], row["sheets of verdicts"], row["nodes"]) == ("1", "0", "0")


def test_unfinished_adjudications_accept_nothing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = draw(people.annotator, a_figure.id, "A -> B")
    other = draw(people.colleague, a_figure.id, "A -> B")
    lay_truth(study, a_figure.id, "A -> B", by=people.reviewer.person_id, state="open", between=(work, other))
    assert [(line.nodes_accepted, line.adjudications) for line in credit.credit(people.owner).people] == [(0, 0)] * 2


def test_with_nothing_handed_in_a_share_is_undefined_and_nobody_is_listed(people: SimpleNamespace) -> None:
    assert credit.credit(people.owner).people == ()
    assert list(csv.reader(io.StringIO(credit.export_credit(people.owner).content.decode("utf-8-sig")))) == [
        list(credit.COLUMNS)
    ]


def test_the_file_holds_the_same_counts(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    draw(people.annotator, a_figure.id, "A -> B")
    (row,) = csv.DictReader(io.StringIO(credit.export_credit(people.owner).content.decode("utf-8-sig")))
    assert (row["name"], row["nodes"], row["edges"], row["share by nodes"]) == ("The annotator", "2", "1", "1.000000")
