"""What studies of earlier versions hold is kept on the way to this version's tables, and on the way down from them.

One store a database goes through every revision: on the way up each case plants its rows at the version that they are
of, at the top it looks at what became of them, on the way down it looks again where it planted them, and the store is
brought up once more. No case looks at another's rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from random import Random
from typing import Any

import pytest
from alembic import command
from sqlalchemy import DateTime, Text, inspect, text
from sqlalchemy.exc import IntegrityError

from core.graphs.names import name_key
from protocols.econcausal.faces import labels_of
from store import history
from store.engine import Store
from store.migrate import alembic_config, migrate
from store.runs import cells
from store.runs.cells import hash_of, kept
from store.tables import GraphRow

cells_and_subjects = import_module("store.migrations.versions.0014_cells_and_subjects_of_samples")
AT = "'2025-01-01 00:00:00'"


@dataclass(frozen=True)
class Case:
    """Rows of one version. `held`: statements that plant them; `looked`: at the top; `back`: at their version again;
    `again`: at the top once more."""

    version: str
    held: tuple[str | tuple[str, Any], ...]
    looked: Callable[[Store], None]
    back: Callable[[Store], None] | None = None
    again: Callable[[Store], None] | None = None


def ask(store: Store, query: str, **values: Any) -> list[Any]:
    with store.reading() as session:
        return [tuple(row) for row in session.execute(text(query), values)]


def do(store: Store, *statements: str) -> None:
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))


def refuses(store: Store, *statements: str) -> None:
    for statement in statements:
        with pytest.raises(IntegrityError):
            do(store, statement)


# --- graphs --------------------------------------------------------------------------------------------------------


def graph(key: str, kind: str = "import", version: int = 1) -> str:
    """Of the first version."""
    return (
        "INSERT INTO graph (id, kind, created_by, created_at, layout, version)"
        f" VALUES ('{key}', '{kind}', 'p', {AT}, '{{}}', {version})"
    )


def a_graph_has_no_title_yet(store: Store) -> None:
    assert ask(store, "SELECT kind, title, version FROM graph WHERE id = 'first'") == [("import", "", 3)]


NAMES = (("a", "g", "Grain  output"), ("b", "g", "Été"), ("c", "h", "grain OUTPUT"), ("d", "h", "Été"))


def names_have_their_keys(store: Store) -> None:
    grain, summer = name_key("grain output"), name_key("été")
    found = dict(ask(store, "SELECT id, name_key FROM node WHERE graph_id IN ('g', 'h')"))
    assert found == {"a": grain, "b": summer, "c": grain, "d": summer}


DEPTHS = "SELECT id, undo_depth, redo_depth FROM graph WHERE id LIKE 'drawn%' ORDER BY id"
told: dict[Store, list[Any]] = {}


def graphs_are_drawn(store: Store) -> None:
    """The depths of undo, as acts of today keep them: they are worked out again from the history."""
    now, draw = datetime(2026, 1, 1, tzinfo=UTC), Random(5)
    with store.writing() as session:
        for each in "ghi":
            session.add(GraphRow(id=f"drawn {each}", kind="transcription", created_by="p", created_at=now))
        session.flush()
        for number in range(60):  # of g and h by turns; i is never touched
            act = draw.choice((*(history.EDIT_ACTS if number % 2 else history.RULING_ACTS), "graph.edit"))
            about = {"subject_kind": "graph", "subject_id": "x", "graph_id": f"drawn {'gh'[number % 2]}"}
            history.record(session, history.Actor("p"), act, at=now, act_id=f"act {number}", **about)
    told[store] = ask(store, DEPTHS)
    assert told[store][2] == ("drawn i", 0, 0)
    assert all(undo for _, undo, _ in told[store][:2])


def depths_of_undo_are_those_of_the_history(store: Store) -> None:
    assert ask(store, DEPTHS) == told.pop(store)


MARK = f"INSERT INTO mark (graph_id, kind, key, value, set_by, set_at) VALUES ('s', '{{}}', 'k', '{{{{}}}}', 'p', {AT})"


def a_transcription_can_have_a_first_state(store: Store) -> None:
    first = (
        "INSERT INTO graph (is_first, based_on, id, kind, title, created_by, created_at, layout, undo_depth,"
        f" redo_depth, version) VALUES (true, 's', 'ID', 'transcription', '', 'p', {AT}, '{{}}', 0, 0, 1)"
    )
    assert not ask(store, "SELECT is_first FROM graph WHERE id = 's'")[0][0]
    do(store, first.replace("ID", "s first"), MARK.format("late voice"))
    refuses(store, first.replace("ID", "another"))  # one first state of a graph


def a_first_state_is_put_away(store: Store) -> None:
    found = ask(store, "SELECT id, archived_at IS NOT NULL FROM graph WHERE id IN ('s', 's first') ORDER BY id")
    assert [(key, bool(is_away)) for key, is_away in found] == [("s", False), ("s first", True)]
    assert ask(store, "SELECT kind FROM mark") == [("swept",)]


# --- people's work and papers --------------------------------------------------------------------------------------


def person(key: str) -> str:
    return (
        "INSERT INTO person (id, name, roles, is_active, is_demo, created_at, version)"
        f" VALUES ('{key}', 'Person {key}', '[]', true, false, {AT}, 1)"
    )


def work_was_shown_no_proposals(store: Store) -> None:
    assert ask(store, "SELECT state, proposals FROM assignment WHERE id = 'a2'") == [("open", "")]


def assignments_can_be_declined(store: Store) -> None:
    columns = "SELECT state, proposals, comment, version, verdict, reason FROM assignment WHERE id = 'a8'"
    assert ask(store, columns) == [("returned", "shown", "Again", 3, None, "")]
    do(store, "UPDATE assignment SET state = 'declined', verdict = 'illegible', reason = 'Grey' WHERE id = 'a8'")
    refuses(
        store,
        "UPDATE assignment SET verdict = 'ugly' WHERE id = 'a8'",
        "UPDATE assignment SET state = 'lost' WHERE id = 'a8'",
        "DELETE FROM assignment WHERE id = 'a8'",  # its effort points at it, as before
    )


def what_was_declined_is_abandoned(store: Store) -> None:
    assert ask(store, "SELECT state FROM assignment WHERE id = 'a8'") == [("abandoned",)]


def triplet_paper(key: str, *more: str) -> str:
    """`more`: columns of later versions, which stay empty."""
    said = {"id": key, "collection": "c", "external_id": key, "jel_letters": "[]"}
    columns = (*said, "title", "author", "venue", "domain", "url", *more)
    values = ", ".join(f"'{said.get(each, '')}'" for each in columns)
    return f"INSERT INTO triplet_paper ({', '.join(columns)}) VALUES ({values})"


TRIPLET = (
    "INSERT INTO triplet (id, collection, place, triplet_paper_id, treatment, outcome, sign, context, evidence,"
    f" details, created_by, created_at, version) VALUES (:i, 'c', :n, :p, 't', 'o', '+', '', '[]', :d, 'p', {AT}, 1)"
)
DETAILS = ('{"Abstract": "We find Ä.", "note": 1}', '{"abstract": "Another."}', '{"note": "no abstract"}')


def abstracts_that_files_brought_are_found(store: Store) -> None:
    found = ask(store, "SELECT id, abstract FROM triplet_paper WHERE id IN ('x', 'y') ORDER BY id")
    assert found == [("x", "We find Ä."), ("y", "")]


LABEL = (
    "INSERT INTO person_label (assignment_id, number, block, field, label, saw_verdict, set_at)"
    f" VALUES ('a28', 1, 'item', 'abstraction_label', 'ABSTRACTION_BROADER', false, {AT})"
)


def labels_that_are_there_were_given_under_the_first_wording(store: Store) -> None:
    assert ask(store, "SELECT wording, label FROM person_label") == [(1, "ABSTRACTION_BROADER")]
    do(store, "UPDATE person_label SET wording = 2")
    refuses(store, "UPDATE person_label SET wording = NULL")


def labels_stay_without_their_wording(store: Store) -> None:
    assert ask(store, "SELECT number, label FROM person_label") == [(1, "ABSTRACTION_BROADER")]


# --- runs ----------------------------------------------------------------------------------------------------------


def run(key: str, number: int, *, is_early: bool = False) -> str:
    """`is_early`: of a version in which no run waited."""
    statement = (
        "INSERT INTO run (id, number, title, protocol, protocol_version, state, reason, hindered, settings, manifest,"
        f" created_by, created_at, version) VALUES ('{key}', {number}, 'Kept', 'econcausal', '1', 'running', 'why',"
        f" '{{}}', '{{}}', '{{}}', 'p', {AT}, 4)"
    )
    return statement.replace("hindered, ", "").replace("'why', '{}',", "'why',") if is_early else statement


def sample(key: str, run_key: str, place: str = "0", facts: str = "'{}'") -> str:
    return (
        "INSERT INTO run_sample (id, run_id, place, task, variant, key, sample_hash, prompt, prompt_hash, messages,"
        f" answer, facts) VALUES ({key}, '{run_key}', {place}, 'task1', 'context', 'k', 'h', '', '', '[]', '+',"
        f" {facts})"
    )


def item(key: str, run_key: str, sample_key: str, number: int = 0, status: str = "pending", said: str = "NULL") -> str:
    return (
        "INSERT INTO run_item (id, run_id, sample_id, model, repeat, shard, status, predicted, rung, fault, attempts,"
        f" was_cached) VALUES ('{key}', '{run_key}', '{sample_key}', 'm', {number}, 0, '{status}', {said}, '', '', 0,"
        " false)"
    )


def attempt(key: str) -> tuple[str, str]:
    """Of the item that has the same key, and its worker."""
    return (
        f"INSERT INTO worker (id, host, pid, started_at, seen_at) VALUES ('{key}', 'h', 1, {AT}, {AT})",
        "INSERT INTO attempt (id, run_id, item_id, request_hash, number, endpoint, model, worker_id, state, kind,"
        f" message, sent_at) VALUES ('{key}', '{key}', '{key}', 'q', 1, 'lab', 'm', '{key}', 'error', '', '', {AT})",
    )


def whole(key: str, number: int, **said: Any) -> tuple[str, ...]:
    """A run with everything that points at it, all of one key."""
    return run(key, number, **said), sample(f"'{key}'", key), item(key, key, key), *attempt(key)


def runs_can_wait(store: Store) -> None:
    found = ask(store, "SELECT state, reason, version, CAST(hindered AS TEXT) FROM run WHERE id = 'r6'")
    assert found == [("running", "why", 4, "{}")]
    do(
        store,
        "UPDATE run SET state = 'waiting' WHERE id = 'r6'",
        "UPDATE attempt SET state = 'unsent', most_tokens = 7, most_usd = 0.5 WHERE id = 'r6'",
    )
    refuses(
        store,
        "UPDATE run_sample SET run_id = 'nowhere' WHERE id = 'r6'",  # foreign keys hold as before
        "UPDATE run SET state = 'asleep' WHERE id = 'r6'",
        "DELETE FROM run WHERE id = 'r6'",
    )


def a_run_that_waited_is_stopped(store: Store) -> None:
    assert ask(store, "SELECT state FROM run WHERE id = 'r6'") == [("stopped",)]
    assert ask(store, "SELECT state FROM attempt WHERE id = 'r6'") == [("error",)]


ANSWERS = {
    ("answered", "+"): True,
    ("answered", "-"): False,
    ("answered", None): False,
    ("unparsable", None): False,
    ("truncated", None): None,
    ("refused", None): None,
    ("excluded", None): None,
    ("failed", None): None,
    ("pending", None): None,
}


def answers_are_right_where_they_are_the_true_label(store: Store) -> None:
    found = ask(store, "SELECT status, predicted, is_right, score, parts FROM run_item WHERE run_id = 'r11'")
    assert {(status, said): tuple(rest) for status, said, *rest in found} == {
        which: (is_right, None, None) for which, is_right in ANSWERS.items()
    }


def of_model_cards_nothing_more_is_known(store: Store) -> None:
    columns = "name, context_length, version, takes_images, takes_pdfs, tokens_per_image, tokens_per_page"
    assert ask(store, f"SELECT {columns} FROM model_card") == [("M", 8192, 3, None, None, None, None)]


def items_can_be_incomplete_and_have_rounds(store: Store) -> None:
    found = ask(store, "SELECT status, predicted, is_right, flags FROM run_item WHERE id = 'r13'")
    assert found == [("answered", "+", True, None)]
    do(
        store,
        "UPDATE run_item SET status = 'incomplete' WHERE id = 'r13'",
        "INSERT INTO run_round (item_id, number, purpose, model, request_hash, status, fault)"
        " VALUES ('r13', 2, 'faults listed', 'm', 'q', 'answered', 'why')",
    )
    refuses(
        store,
        "UPDATE run_item SET status = 'half' WHERE id = 'r13'",
        "UPDATE run_round SET item_id = 'nobody'",
        "DELETE FROM run_item WHERE id = 'r13'",  # attempts and rounds point at it
    )


def what_was_incomplete_cannot_be_read(store: Store) -> None:
    assert ask(store, "SELECT status FROM run_item WHERE id = 'r13'") == [("unparsable",)]
    assert ask(store, "SELECT item_id FROM attempt WHERE id = 'r13'") == [("r13",)]


def runs_can_have_groups(store: Store) -> None:
    group = (
        "INSERT INTO run_group (id, run_id, step, key, state, reason, inputs_hash, version)"
        " VALUES ('g', 'stepped', 'ask', 'p1', 'open', '', '', 1)"
    )
    assert ask(store, "SELECT based_on, next_place FROM run WHERE id = 'stepped'") == [(None, None)]
    assert ask(store, "SELECT group_id FROM run_sample WHERE id = 'stepped'") == [(None,)]
    do(store, group, "UPDATE run_sample SET group_id = 'g' WHERE id = 'stepped'")
    refuses(
        store,
        group.replace("'g'", "'h'"),  # one group a step and key
        "UPDATE run_group SET state = 'asleep'",
        "UPDATE run_sample SET group_id = 'nowhere' WHERE id = 'stepped'",
        "UPDATE run SET based_on = 'nowhere' WHERE id = 'stepped'",
    )


JELS = (["J", "numeric"], ["numeric", "J"], [], ["H"])
FACTS = [{"jel": jel, "domain": "Ökonomie", "year": 2001, "title": "Ä"} for jel in JELS]
SAMPLES = 2 * cells_and_subjects.AT_ONCE + 3
"""More than two parts of what the revision reads together."""
OF_THE_RUN = "FROM run_sample WHERE run_id = 'cells'"


def samples_get_their_subjects_and_the_cells_of_their_labels(store: Store) -> None:
    query = "SELECT c.hash, CAST(c.labels AS TEXT), count(*) FROM run_sample s JOIN run_cell c ON c.id = s.cell_id"
    found = ask(store, f"{query} WHERE c.run_id = 'cells' GROUP BY 1, 2")
    labels = [kept(labels_of(each)) for each in FACTS[1:]]
    assert sorted((key, json.loads(said)) for key, said, _ in found) == sorted(
        ((hash_of(each), each) for each in labels), key=lambda each: each[0]
    )
    assert sorted(many for *_, many in found) == [500, 501, 1002]
    first = [key for (key,) in ask(store, f"SELECT cell_id {OF_THE_RUN} AND place < 4 ORDER BY place")]
    with store.writing() as session:  # what a run of today would keep is what the revision has kept
        assert cells.keep(session, "cells", map(labels_of, FACTS)) == first
    subjects = f"SELECT place, subject_kind, subject_id {OF_THE_RUN} AND subject_id IS NOT NULL"
    assert ask(store, subjects) == [(7, "triplet", "t")]
    steps = f"SELECT DISTINCT step, answer, CAST(truth AS TEXT), CAST(slots AS TEXT) {OF_THE_RUN}"
    assert ask(store, steps) == [("ask", "+", None, None)]
    do(store, "UPDATE run_sample SET answer = NULL WHERE run_id = 'cells' AND place = 8")
    refuses(store, "DELETE FROM run_sample WHERE run_id = 'cells' AND place = 7")  # an item still holds its sample


def samples_have_their_triplets_again(store: Store) -> None:
    found = ask(store, f"SELECT place, answer, triplet_id {OF_THE_RUN} AND place IN (7, 8) ORDER BY place")
    assert found == [(7, "+", "t"), (8, "", None)]


SKIPS = (
    ("said30", "abandoned", "Too hard"),
    ("silent30", "abandoned", "Too hard"),
    ("twice30", "abandoned", "Still"),
    ("resumed30", "open", "Too hard"),
    ("edited30", "open", "Better"),
)
EVENT = (
    "INSERT INTO event (id, at, actor, act, subject_kind, subject_id, payload)"
    f" VALUES (:id, {AT}, 'p30', 'scoring.skip', 'assignment', :work, :payload)"
)


def work(name: str, kind: str, state: str, comment: str) -> str:
    """Work whose claim has no end: skipped if it is abandoned."""
    return (
        "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, proposals, comment, reason, claimed_at,"
        f" version) VALUES ('{name}', '{kind}', '{name}', 'p30', 1, '{state}', '', '{comment}', '', {AT}, 1)"
    )


def skip(name: str, number: int, reason: str, comment: str) -> dict[str, str]:
    return {"id": f"e30-{number}", "work": name, "payload": json.dumps({"reason": reason, "comment": comment})}


def said30(store: Store) -> dict[str, tuple[str, str]]:
    rows = ask(store, "SELECT id, comment, reason FROM assignment WHERE person_id = 'p30'")
    return {name: (comment, reason) for name, comment, reason in rows}


def reasons_for_skipping_stand_beside_the_comments(store: Store) -> None:
    assert said30(store) == {
        "said30": ("A good one", "Too hard"),
        "silent30": ("", "Too hard"),
        "twice30": ("First", "Still"),
        "resumed30": ("First", ""),
        "edited30": ("Better", ""),
        "sheet30": ("", "Not mine"),
    }


def reasons_for_skipping_stand_in_the_comments(store: Store) -> None:
    said = said30(store)
    assert (said["said30"], said["sheet30"], said["resumed30"]) == (("Too hard", ""), ("Not mine", ""), ("First", ""))


def counterparts_of_earlier_types_are_texts(store: Store) -> None:
    assert ask(store, "SELECT answer, truth_node, answer_node FROM verdict_counterpart") == [("a31", "rain", "Rain")]
    with store.reading() as session:
        columns = inspect(session.connection()).get_columns("verdict_counterpart")
    assert [each["name"] for each in columns if not isinstance(each["type"], Text | DateTime)] == ["by"]


CASES = (
    Case("0001", (graph("first", version=3),), a_graph_has_no_title_yet),
    Case(
        "0002",
        (
            person("p2"),
            "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, comment, claimed_at, version)"
            f" VALUES ('a2', 'transcription', 'f2', 'p2', 1, 'open', '', {AT}, 1)",
        ),
        work_was_shown_no_proposals,
    ),
    Case("0006", whole("r6", 6, is_early=True), runs_can_wait, a_run_that_waited_is_stopped),
    Case(
        "0006",
        (
            *(graph(key).replace("kind,", "kind, title,").replace("'import',", "'import', '',") for key in "gh"),
            *(
                (
                    "INSERT INTO node (id, graph_id, place, name, origin) VALUES (:i, :g, :p, :n, 'import')",
                    {"i": key, "g": graph_key, "p": place, "n": name},
                )
                for place, (key, graph_key, name) in enumerate(NAMES)
            ),
        ),
        names_have_their_keys,
        again=names_have_their_keys,
    ),
    Case(
        "0008",
        (
            person("p8"),
            "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, proposals, comment, claimed_at,"
            f" version) VALUES ('a8', 'transcription', 'f8', 'p8', 1, 'returned', 'shown', 'Again', {AT}, 3)",
            "INSERT INTO effort (assignment_id, day, active_s, last_at, beats)"
            f" VALUES ('a8', '2025-01-01', 7.0, {AT}, '[]')",
        ),
        assignments_can_be_declined,
        what_was_declined_is_abandoned,
    ),
    Case(
        "0008",
        (
            *map(triplet_paper, "xy"),
            *(
                (TRIPLET, {"i": f"brought {place}", "n": place, "p": paper, "d": said})
                for place, (paper, said) in enumerate(zip("xxy", DETAILS, strict=True))
            ),
        ),
        abstracts_that_files_brought_are_found,
    ),
    Case("0010", (), graphs_are_drawn, again=depths_of_undo_are_those_of_the_history),
    Case(
        "0011",
        (
            run("r11", 11),
            sample("'s11'", "r11"),
            *(
                item(f"i11 {number}", "r11", "s11", number, status, f"'{said}'" if said else "NULL")
                for number, (status, said) in enumerate(ANSWERS)
            ),
        ),
        answers_are_right_where_they_are_the_true_label,
        again=answers_are_right_where_they_are_the_true_label,
    ),
    Case(
        "0011",
        (
            "INSERT INTO model_card (id, name, model, provider, family, kind, context_length, parameters, notes,"
            " created_by, created_at, version) VALUES ('c', 'M', 'm', '', '', 'instruct', 8192, '{}', '', 'p',"
            f" {AT}, 3)",
        ),
        of_model_cards_nothing_more_is_known,
    ),
    Case(
        "0013",
        (
            *whole("r13", 13),
            "UPDATE run_item SET status = 'answered', predicted = '+', is_right = true WHERE id = 'r13'",
        ),
        items_can_be_incomplete_and_have_rounds,
        what_was_incomplete_cannot_be_read,
    ),
    Case("0013", (run("stepped", 14), sample("'stepped'", "stepped")), runs_can_have_groups),
    Case(
        "0013",
        (
            run("cells", 15),
            triplet_paper("w", "abstract"),
            (TRIPLET, {"i": "t", "n": 9, "p": "w", "d": "{}"}),
            (
                sample(":id", "cells", ":place", ":facts"),
                [
                    {"id": f"s{place:05}", "place": place, "facts": json.dumps(FACTS[place % 4])}
                    for place in range(SAMPLES)
                ],
            ),
            "UPDATE run_sample SET triplet_id = 't' WHERE run_id = 'cells' AND place = 7",
            item("i", "cells", "s00007"),
        ),
        samples_get_their_subjects_and_the_cells_of_their_labels,
        samples_have_their_triplets_again,
    ),
    Case(
        "0017",
        (
            "INSERT INTO graph (id, kind, title, created_by, created_at, layout, undo_depth, redo_depth, version)"
            f" VALUES ('s', 'transcription', '', 'p', {AT}, '{{}}', 0, 0, 1)",
            MARK.format("swept"),
        ),
        a_transcription_can_have_a_first_state,
        a_first_state_is_put_away,
    ),
    Case(
        "0028",
        (
            person("p28"),
            "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, proposals, comment, reason,"
            f" claimed_at, version) VALUES ('a28', 'verdict', 's28', 'p28', 1, 'open', '', '', '', {AT}, 1)",
            LABEL,
        ),
        labels_that_are_there_were_given_under_the_first_wording,
        labels_stay_without_their_wording,
    ),
    Case(
        "0030",
        (
            person("p30"),
            *(work(each, "scoring", state, comment) for each, state, comment in SKIPS),
            work("sheet30", "verdict", "abandoned", "Not mine"),
            (EVENT, [skip("said30", 1, "Too hard", "A good one"), skip("silent30", 2, "Too hard", "")]),
            (EVENT, [skip("twice30", 3, "Too hard", "First"), skip("twice30", 4, "Still", "Too hard")]),
            (EVENT, [skip("resumed30", 5, "Too hard", "First"), skip("edited30", 6, "Too hard", "First")]),
        ),
        reasons_for_skipping_stand_beside_the_comments,
        reasons_for_skipping_stand_in_the_comments,
    ),
    Case(
        "0031",
        (
            "DROP TABLE verdict_counterpart",
            'CREATE TABLE verdict_counterpart (answer VARCHAR NOT NULL, "by" VARCHAR NOT NULL, truth_node VARCHAR NOT'
            " NULL, answer_node VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL, CONSTRAINT pk_verdict_counterpart PRIMARY"
            ' KEY (answer, "by", truth_node, answer_node))',
            f"INSERT INTO verdict_counterpart VALUES ('a31', 'p31', 'rain', 'Rain', {AT})",
        ),
        counterparts_of_earlier_types_are_texts,
    ),
)


@pytest.fixture
def bare(bare_url: str) -> Iterator[Store]:
    store = Store(bare_url)
    yield store
    store.close()


def to(store: Store, version: str, *, is_down: bool = False) -> None:
    go = command.downgrade if is_down else command.upgrade
    with store.write_engine.connect() as connection, connection.begin():
        go(alembic_config(connection), version)


def plant(store: Store, case: Case) -> None:
    with store.write_engine.connect() as connection, connection.begin():
        for each in case.held:
            statement, values = each if isinstance(each, tuple) else (each, None)
            connection.execute(text(statement), values)


@pytest.mark.both
def test_rows_of_every_version_are_kept_up_to_this_one_and_down_again(bare: Store) -> None:
    versions = sorted({case.version for case in CASES})
    for version in versions:
        to(bare, version)
        for case in CASES:
            if case.version == version:
                plant(bare, case)
    migrate(bare)
    for case in CASES:
        case.looked(bare)
    assert bare.check() == []
    for version in sorted({case.version for case in CASES if case.back}, reverse=True):
        to(bare, version, is_down=True)
        for case in CASES:
            if case.version == version and case.back:
                case.back(bare)
    migrate(bare)
    for case in CASES:
        if case.again:
            case.again(bare)
    assert bare.check() == []
