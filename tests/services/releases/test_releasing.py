"""Releases: what would be frozen and why not the rest, immutable once frozen, and the same bytes whenever exported."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import col, select

from core.adjudication.differences import Choice
from core.agreement.counts import total
from core.agreement.edges import View
from core.agreement.tallies import Counts
from core.errors import BadInput, Conflict, Missing, Refused, StoreUnavailable
from core.graphs.alignment import NameClass
from core.papers.papers import ExclusionReason, Screening
from core.papers.releases import canonical, compare_releases, hash_of
from core.people import Viewer
from exchange.recite import read_default
from services.adjudication import adjudicating, editor, rounds
from services.agreement.annotators import study_agreement
from services.papers import papers
from services.releases import releasing
from services.releases.files import ReleaseForm
from services.study import Study
from services.transcription import transcribing
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, FigureRow, GraphRow, ReleaseItemRow, ReleaseRow, new_id
from store.tables.runs import SampleFlagRow
from tests.services.acts import VersionedAct
from tests.services.release_parts import lay_truth, record_of

LICENCE = "CC-BY-4.0"


def freeze(viewer: Viewer, **changed: Any) -> Any:
    seen = changed.pop("seen", None) or releasing.preview(viewer).seen
    given = {"title": "", "notes": "", "licence": LICENCE, "act_id": new_id(), **changed}
    return releasing.freeze(viewer, given.pop("title"), given.pop("notes"), given.pop("licence"), seen=seen, **given)


def draw(viewer: Viewer, figure_id: str, lines: str, *, submit: bool = True) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


@pytest.fixture
def frozen(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> SimpleNamespace:
    """Release 1 of one figure: A -> B (+), B -> C, an isolated D."""
    lay_truth(study, a_figure.id, "A -> B +; B -> C; D")
    freeze(people.researcher, title="First")
    return a_figure


# --- what would be frozen ---------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_only_finished_ground_truth_would_be_frozen_and_the_rest_says_why(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    figures = {
        name: another_figure(name).id
        for name in (
            "adjudicated",
            "imported",
            "open",
            "returned",
            "reopened",
            "twice",
            "once",
            "none",
            "two truths",
            "archived truth",
            "empty",
            "excluded",
            "put away",
        )
    }
    lay_truth(study, figures["adjudicated"], "A -> B")
    lay_truth(study, figures["imported"], "A -> B", state=None)
    lay_truth(study, figures["open"], "A -> B", state="open")
    lay_truth(study, figures["returned"], "A -> B", state="returned")
    for _ in range(2):
        lay_truth(study, figures["two truths"], "A -> B", state=None)
    archived = [lay_truth(study, figures[name], "A -> B", state="submitted") for name in ("archived truth", "reopened")]
    lay_truth(study, figures["empty"], record_of("A"), state=None)
    for name in ("excluded", "put away"):
        lay_truth(study, figures[name], "A -> B")
    with study.store.writing() as session:
        for graph_id in archived:
            row = session.get(GraphRow, graph_id)
            assert row is not None
            row.archived_at = study.clock()
            session.add(row)
        reopened = session.exec(select(AssignmentRow).where(AssignmentRow.graph_id == archived[1])).one()
        new = GraphRow(
            kind="ground truth",
            figure_id=figures["reopened"],
            based_on=archived[1],
            created_by="terminal",
            created_at=study.clock(),
        )
        session.add(new)
        session.flush()
        reopened.graph_id, reopened.state, reopened.round = new.id, "open", 2
        session.add(reopened)
        put_away = session.get(FigureRow, figures["put away"])
        assert put_away is not None
        put_away.archived_at = study.clock()
        session.add(put_away)
        empty = session.exec(select(GraphRow).where(GraphRow.figure_id == figures["empty"])).one()
        session.execute(text("DELETE FROM node WHERE graph_id = :id"), {"id": empty.id})
    for viewer in (people.annotator, people.colleague):
        draw(viewer, figures["twice"], "A -> B")
    draw(people.annotator, figures["once"], "A -> B")
    excluded = next(paper for paper in papers.list_papers(people.owner) if paper.title == "excluded")
    papers.screen(
        people.owner,
        excluded.id,
        Screening.EXCLUDED,
        [ExclusionReason.NO_GRAPH],
        "",
        seen=1,
        act_id=new_id(),
    )
    seen = releasing.preview(people.researcher)
    assert [name.title for name in seen.diff.added] == ["adjudicated", "imported"]
    assert (seen.number, seen.figures, seen.papers, seen.nodes, seen.edges) == (1, 2, 2, 4, 2)
    assert {each.name.title: each.reason.split(";")[0] for each in seen.left_out} == {
        "open": "its adjudication is not finished",
        "returned": "its adjudication is not finished",
        "reopened": "its adjudication is not finished",
        "twice": "two submitted transcriptions are waiting for adjudication",
        "once": "one transcription has been submitted",
        "none": "no transcription has been submitted",
        "two truths": "it has several ground truth graphs",
        "archived truth": "no transcription has been submitted",
        "empty": "its ground truth is empty",
        "excluded": "its paper is excluded",
        "put away": "the figure or its paper is archived",
    }


@pytest.mark.both(usually=False)
def test_the_difference_to_the_last_release_counts_figures_and_arrows(
    study: Study,
    people: SimpleNamespace,
    frozen: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    with study.store.writing() as session:
        old = session.exec(select(GraphRow).where(GraphRow.kind == "ground truth")).one()
        old.archived_at = study.clock()
        session.add(old)
    lay_truth(study, frozen.id, "A -> B -; C -> B; D; E", state=None)
    new = another_figure("Newcomer")
    lay_truth(study, new.id, "X -> Y")
    diff = releasing.preview(people.researcher).diff
    assert [name.title for name in diff.added] == ["Newcomer"]
    (changed,) = diff.changed
    assert (changed.edges_added, changed.edges_removed) == ((("C", "B"),), (("B", "C"),))
    assert [(change.source, change.sink, change.before, change.after) for change in changed.re_signed] == [
        ("A", "B", "+", "-")
    ]
    assert (changed.nodes_added, changed.besides) == (("E",), ("provenance",))
    assert diff.edge_counts == (1, 1, 1)
    freeze(people.researcher)
    assert releasing.difference(people.reviewer, 1, 2) == diff
    back = releasing.difference(people.reviewer, 2, 1)
    assert [name.title for name in back.removed] == ["Newcomer"]
    assert (back.changed[0].edges_added, back.changed[0].edges_removed) == ((("B", "C"),), (("C", "B"),))


def test_drawing_the_same_graph_in_another_order_changes_nothing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    from core.papers.releases import frozen_graph

    one, other = (frozen_graph(record_of(lines)) for lines in ("A -> B +; B -> C; D", "D; B -> C; A -> B +"))
    assert one == other


NAMES = st.sampled_from(["A", "B", "C", "D"])
GRAPHS = st.dictionaries(st.tuples(NAMES, NAMES), st.sampled_from([None, "+", "-"]), max_size=6)


def content_of(edges: dict[tuple[str, str], str | None]) -> dict[str, Any]:
    return {
        "figure": {"id": "f", "label": "1", "place": ""},
        "paper": {"title": "T"},
        "provenance": {},
        "text": None,
        "levels": None,
        "nodes": [{"name": name, "origin": "both"} for name in sorted({name for pair in edges for name in pair})],
        "edges": [
            {"source": source, "sink": sink, "sign": sign, "delay": False, "flag": None, "origin": "both"}
            for (source, sink), sign in sorted(edges.items())
        ],
    }


@given(before=GRAPHS, after=GRAPHS)
def test_applying_the_difference_to_the_earlier_graph_gives_the_later_one(
    before: dict[tuple[str, str], str | None], after: dict[tuple[str, str], str | None]
) -> None:
    diff = compare_releases({"f": content_of(before)}, {"f": content_of(after)})
    assert diff.is_empty == (before == after)
    words = {None: "no sign", "+": "+", "-": "-"}
    made = {pair: words[sign] for pair, sign in before.items()}
    for changed in diff.changed:
        for pair in changed.edges_removed:
            del made[pair]
        made |= {pair: words[after[pair]] for pair in changed.edges_added}
        made |= {(change.source, change.sink): change.after for change in changed.re_signed}
    assert made == {pair: words[sign] for pair, sign in after.items()}


# --- freezing ---------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_releases_are_numbered_without_gaps_and_keep_what_was_frozen(
    study: Study, people: SimpleNamespace, frozen: SimpleNamespace, clock: Any
) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE paper SET title = 'Another title', licence = 'CC0-1.0'"))
    clock.advance(hours=1)
    with pytest.raises(BadInput, match="A licence is needed"):
        freeze(people.researcher, licence=" ")
    receipt = freeze(people.researcher, title="Second", notes="Better.")
    assert receipt.version == 2
    first, second = (releasing.release(people.reviewer, number) for number in (1, 2))
    assert [first.contents[frozen.id]["paper"]["title"], second.contents[frozen.id]["paper"]["title"]] == [
        "Grain and people",
        "Another title",
    ]
    assert [line.number for line in releasing.releases(people.reviewer)] == [2, 1]
    assert second.manifest["since"]["release"] == 1
    assert second.manifest["since"]["sha256"] == first.sha256
    assert second.manifest["counts"] == {
        "figures": 1,
        "papers": 1,
        "nodes": 4,
        "edges": 2,
        "signed_edges": 1,
        "texts": 0,
        "labelled": 0,
    }
    assert second.created_at - first.created_at == timedelta(hours=1)
    with study.store.reading() as session:
        event = session.exec(
            select(EventRow).where(
                EventRow.id
                == session.exec(
                    select(EventRow.id).where(EventRow.act == "release.freeze").order_by(col(EventRow.seq).desc())
                ).first()
            )
        ).one()
    assert event.payload == {"number": 2, "sha256": second.sha256, "figures": 1, "version": 2}


def test_nothing_new_is_refused_unless_the_person_insists(people: SimpleNamespace, frozen: SimpleNamespace) -> None:
    assert releasing.preview(people.researcher).is_unchanged
    with pytest.raises(Refused, match="Nothing has changed since release 1"):
        freeze(people.researcher)
    assert freeze(people.researcher, even_if_unchanged=True).version == 2


def test_nothing_finished_is_nothing_to_freeze(people: SimpleNamespace, study: Study) -> None:
    with pytest.raises(Refused, match="No ground truth"):
        freeze(people.researcher)
    assert releasing.releases(people.researcher) == ()


@pytest.mark.both(usually=False)
def test_what_is_frozen_is_what_was_previewed(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    graph_id = lay_truth(study, a_figure.id, "A -> B")
    seen = releasing.preview(people.researcher).seen
    with study.store.writing() as session:
        session.execute(text("UPDATE edge SET sign = '+' WHERE graph_id = :id"), {"id": graph_id})
    with pytest.raises(Conflict, match="Check the new preview"):
        freeze(people.researcher, seen=seen)
    assert releasing.releases(people.researcher) == ()


@pytest.mark.both(usually=False)
def test_a_repeated_act_freezes_once(people: SimpleNamespace, study: Study, a_figure: SimpleNamespace) -> None:
    lay_truth(study, a_figure.id, "A -> B")
    seen, act_id = releasing.preview(people.researcher).seen, new_id()
    first = freeze(people.researcher, seen=seen, act_id=act_id)
    again = freeze(people.researcher, seen=seen, act_id=act_id)
    assert (again.seq, again.is_repeat) == (first.seq, True)
    assert len(releasing.releases(people.researcher)) == 1


@pytest.mark.both
def test_of_many_who_freeze_at_once_one_does_and_the_others_are_told(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_truth(study, a_figure.id, "A -> B")
    seen = releasing.preview(people.researcher).seen
    together, said = threading.Barrier(6), []

    def one() -> None:
        together.wait()
        try:
            said.append(freeze(people.researcher, seen=seen).version)
        except Conflict as error:
            said.append(type(error))

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, said)) == sorted(map(str, [1, *[Conflict] * 5]))
    assert [line.number for line in releasing.releases(people.researcher)] == [1]


@pytest.mark.parametrize("field", ["title", "notes", "licence"])
def test_a_release_names_nobody_of_the_study(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer], field: str
) -> None:
    newcomer("Ilse Wagenknecht-Ōta")
    lay_truth(study, a_figure.id, "A -> B")
    with pytest.raises(BadInput, match=f"The {field} names “Ilse Wagenknecht-Ōta”"):
        freeze(people.researcher, **{field: "As wagenknecht ota, Ilse … no: ILSE WAGENKNECHT OTA ruled"})
    with study.store.writing() as session:
        session.execute(text("UPDATE figure SET label = 'Figure of Ilse Wagenknecht-Ōta'"))
    with pytest.raises(BadInput, match="label of the figure"):
        freeze(people.researcher)
    assert releasing.releases(people.researcher) == ()


# --- frozen means frozen ----------------------------------------------------------------------------------------

TAMPERING = (
    "UPDATE release SET manifest = '{}'",
    "UPDATE release SET title = 'Mine'",
    "DELETE FROM release_item",
    "UPDATE release_item SET content = '{}'",
    "DELETE FROM release",
    "INSERT OR REPLACE INTO release_item SELECT release_id, figure_id, paper_id, graph_id, '{}', '' FROM release_item",
)


@pytest.mark.parametrize("statement", TAMPERING)
@pytest.mark.both
def test_the_database_itself_refuses_to_change_a_release(
    study: Study, people: SimpleNamespace, frozen: SimpleNamespace, statement: str
) -> None:
    if not study.store.is_sqlite and "OR REPLACE" in statement:
        statement = "TRUNCATE release_item"
    before = releasing.release(people.researcher, 1)
    with pytest.raises(DatabaseError, match="a release is frozen"), study.store.writing() as session:
        session.execute(text(statement))
    assert releasing.release(people.researcher, 1) == before


def force(study: Study, statement: str, **values: object) -> None:
    """Change a release as someone could who owns the database."""
    with study.store.writing() as session:
        if study.store.is_sqlite:
            for table in ("release", "release_item"):
                for act in ("UPDATE", "DELETE", "REPLACE"):
                    session.execute(text(f"DROP TRIGGER {table}_refuse_{act}"))
        else:
            for table in ("release", "release_item"):
                session.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        session.execute(text(statement), values)


@pytest.mark.both(usually=False)
def test_content_that_was_tampered_with_is_named_and_not_handed_out(
    study: Study, people: SimpleNamespace, frozen: SimpleNamespace
) -> None:
    content = releasing.release(people.researcher, 1).contents[frozen.id]
    forged = {**content, "edges": []}
    force(study, "UPDATE release_item SET content = :content", content=json.dumps(forged))
    found = releasing.release(people.researcher, 1)
    assert len(found.faults) == 1
    assert frozen.id in found.faults[0]
    assert "the manifest says" in found.faults[0]
    with pytest.raises(StoreUnavailable, match="Release 1 differs from what was frozen"):
        releasing.export(people.researcher, 1)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM release_item", "has no content"),
        ("UPDATE release SET sha256 = 'x'", "The manifest itself was changed"),
    ],
)
@pytest.mark.both(usually=False)
def test_lost_content_and_another_manifest_are_named(
    study: Study, people: SimpleNamespace, frozen: SimpleNamespace, statement: str, said: str
) -> None:
    force(study, statement)
    assert said in releasing.release(people.researcher, 1).faults[0]


# --- exporting --------------------------------------------------------------------------------------------------


def members(viewer: Viewer, number: int = 1) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(releasing.export(viewer, number).content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def lines_of(files: dict[str, bytes]) -> list[Any]:
    return list(map(json.loads, files["ground-truth.jsonl"].decode().splitlines()))


@pytest.mark.proof("T8", "a release exported again on another day", gate="the same bytes")
@pytest.mark.both(usually=False)
def test_the_same_release_gives_the_same_bytes_whatever_happens_meanwhile(
    study: Study, people: SimpleNamespace, frozen: SimpleNamespace, clock: Any
) -> None:
    before = {form: releasing.export(people.reviewer, 1, form).content for form in ReleaseForm}
    clock.advance(hours=7)
    with study.store.writing() as session:
        session.execute(text("UPDATE paper SET title = 'Another title'"))
        session.execute(text("UPDATE edge SET sign = '-'"))
    freeze(people.researcher)
    assert {form: releasing.export(people.owner, 1, form).content for form in ReleaseForm} == before


@pytest.mark.both
def test_an_export_holds_the_table_its_card_and_hashes_that_agree(
    people: SimpleNamespace, frozen: SimpleNamespace
) -> None:
    files = members(people.reviewer)
    assert sorted(files) == [
        "LICENSE.txt",
        "README.md",
        "default.parquet",
        "edges.csv",
        "ground-truth.jsonl",
        "manifest.json",
    ]
    whole = json.loads(files["manifest.json"])
    assert hashlib.sha256(canonical(whole["manifest"])).hexdigest() == whole["sha256"]
    (line,) = map(json.loads, files["ground-truth.jsonl"].decode().splitlines())
    assert hash_of(line["content"]) == line["sha256"] == whole["manifest"]["items"][0]["sha256"]
    (sample,) = read_default(files["default.parquet"], "default.parquet").samples
    assert (sample.id, sample.title, sample.nodes, sample.edges) == (
        frozen.id,
        "Grain and people",
        ("A", "B", "C", "D"),
        (("A", "B"), ("B", "C")),
    )
    assert (sample.num_nodes, sample.num_edges) == (4, 2)
    assert (sample.explicitness, sample.node_explicitness, sample.input_text) == (None, None, None)
    rows = list(csv.DictReader(io.StringIO(files["edges.csv"].decode())))
    assert [(row["source"], row["sink"], row["sign"], row["origin"]) for row in rows] == [
        ("A", "B", "+", "both"),
        ("B", "C", "", "both"),
    ]
    card = files["README.md"].decode()
    assert card.startswith('---\npretty_name: "First"\nlicense: cc-by-4.0\n')
    assert "1 causal diagram of 1 paper: 4 variables, 2 edges, 1 of them with a printed sign" in card
    assert "licence not recorded" in files["LICENSE.txt"].decode()


@pytest.mark.both
def test_a_flagged_sample_of_a_figure_is_in_the_release_and_the_card_counts_with_and_without_it(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    one, other = another_figure("One"), another_figure("Other")
    lay_truth(study, one.id, "A -> B +; B -> C; D")
    lay_truth(study, other.id, "A -> B -")
    freeze(people.researcher)
    about = {"subject_kind": "figure", "flagged_by": people.reviewer.person_id, "flagged_at": study.clock()}
    with study.store.writing() as session:
        for key, reasons in (("names", ["ambiguous"]), ("text", ["label wrong", "ambiguous"])):
            flag = {"sample_hash": key, "key": key, "subject_id": one.id, "reasons": reasons, "note": "SECRET"}
            session.add(SampleFlagRow(**about, **flag))
    (changed,) = releasing.preview(people.researcher).diff.changed
    assert (changed.name.figure_id, changed.besides) == (one.id, ("flags",))
    freeze(people.researcher)
    files = members(people.reviewer, 2)
    flags = {line["content"]["figure"]["id"]: line["content"].get("flags") for line in lines_of(files)}
    assert flags == {one.id: ["label wrong", "ambiguous"], other.id: None}
    card = files["README.md"].decode()
    assert "flagged 1 of 2 diagrams as bad samples for models (label wrong 1, ambiguous 1)" in card
    assert "| all | 2 | 6 | 3 | 2 |\n| without flagged ones | 1 | 2 | 1 | 1 |" in card
    assert not any(b"SECRET" in content for content in files.values())
    assert "Flagged samples" not in members(people.reviewer, 1)["README.md"].decode()


def test_the_card_tells_the_agreement_of_the_two_transcriptions(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    # First: A->B, B->C, A->C. Second: a->B, B->C, C->A. Names a and A fold to one, so nodes agree: TP 3.
    # Edges: TP A->B, B->C; FP C->A; FN A->C: P = R = F1 = 2/3. Kappa over 6 ordered pairs: observed 4/6, chance
    # 1/2 (both say yes to half of the pairs), so (4/6 - 1/2) / (1 - 1/2) = 1/3.
    works = [
        draw(people.annotator, a_figure.id, "A -> B; C\nB -> C"),
        draw(people.colleague, a_figure.id, "a -> B\nB -> C\nC -> a"),
    ]
    lay_truth(study, a_figure.id, "A -> B; B -> C", between=(works[0], works[1]))
    freeze(people.researcher)
    agreement = releasing.release(people.researcher, 1).manifest["agreement"]
    assert agreement["figures"] == 1
    assert agreement["nodes"] == {"tp": 3, "fp": 0, "fn": 0, "precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert agreement["edges"] == {
        "tp": 2,
        "fp": 1,
        "fn": 1,
        "precision": 0.666667,
        "recall": 0.666667,
        "f1": 0.666667,
        "kappa": 0.333333,
    }
    assert "| edges | 2 | 1 | 1 | 0.667 | 0.667 | 0.667 | 0.333 |" in members(people.owner)["README.md"].decode()


@pytest.mark.both(usually=False)
def test_a_release_counts_names_as_the_agreement_page_does_and_names_that_definition(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    # Demnad is ruled a typo, Rainfall a minor difference, so all four variables and all three edges are found:
    # nodes TP 4, FP 1 (the minor difference), F1 = 8/9; edges TP 3. Equal after folding only, F1 were 1/2 and 1/3.
    draw(people.annotator, a_figure.id, "Demand -> Price\nPrice -> Supply\nRain -> Supply")
    draw(people.colleague, a_figure.id, "Demnad -> Price\nPrice -> Supply\nRainfall -> Supply")
    case = rounds.begin(people.reviewer, a_figure.id, act_id=new_id()).subject_id
    for name, reference, kind in (("Demnad", "Demand", NameClass.TYPO), ("Rainfall", "Rain", NameClass.MINOR)):
        seen = editor.desk(people.reviewer, case).version
        at = VersionedAct(seen=seen, act_id=new_id())
        adjudicating.rule_name(people.reviewer, case, name, Choice.A, reference=reference, name_class=kind, **at)
    seen = editor.desk(people.reviewer, case).version
    rounds.finish(people.reviewer, case, seen=seen, act_id=new_id())
    assert releasing.preview(people.researcher).agreement is not None
    freeze(people.researcher)
    agreement = releasing.release(people.researcher, 1).manifest["agreement"]
    assert agreement["nodes"] == {"tp": 4, "fp": 1, "fn": 0, "precision": 0.8, "recall": 1.0, "f1": 0.888889}
    assert (agreement["edges"]["f1"], agreement["edges"]["kappa"]) == (1.0, 1.0)
    page = total(figure.counts[View.PRINTED] for figure in study_agreement(people.reviewer).figures)
    assert (page.nodes, page.edges) == (Counts(4, 1, 0), Counts(3, 0, 0))
    assert "a typo costs nothing" in agreement["names"]
    assert agreement["names"] in members(people.owner)["README.md"].decode()


def test_a_release_that_is_not_there_is_missing(people: SimpleNamespace, frozen: SimpleNamespace) -> None:
    for number in (0, 2, -1):
        with pytest.raises(Missing, match="no release"):
            releasing.release(people.researcher, number)


def test_notes_of_edges_stay_behind(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    graph_id = lay_truth(study, a_figure.id, "A -> B")
    with study.store.writing() as session:
        session.execute(text("UPDATE edge SET note = 'ask my colleague'"))
        assert next(iter(graphs.read_graph(session, graph_id).edges.values())).note == "ask my colleague"
    freeze(people.researcher)
    for form in ReleaseForm:
        assert b"ask my colleague" not in releasing.export(people.researcher, 1, form).content
    with study.store.reading() as session:
        rows = [*session.exec(select(ReleaseItemRow)), *session.exec(select(ReleaseRow))]
        assert not any("ask my colleague" in json.dumps(row.model_dump(), default=str) for row in rows)
