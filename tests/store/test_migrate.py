"""Making and upgrading a store's tables, and refusing a store that is not ours to touch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from random import Random

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from core.errors import StoreTrouble
from core.graphs.names import name_key
from protocols.econcausal.faces import labels_of
from store import history
from store.engine import Store
from store.migrate import NEWEST, alembic_config, migrate
from store.runs import cells
from store.runs.cells import hash_of, kept
from store.tables import GraphRow, metadata

pytestmark = pytest.mark.both
cells_and_subjects = import_module("store.migrations.versions.0014_cells_and_subjects_of_samples")


@pytest.fixture
def bare(bare_url: str) -> Iterator[Store]:
    store = Store(bare_url)
    yield store
    store.close()


def tables(store: Store) -> set[str]:
    with store.write_engine.connect() as connection:
        return set(inspect(connection).get_table_names())


def test_a_bare_database_gets_the_tables_of_the_code_once_and_of_a_newer_version_is_left_alone(bare: Store) -> None:
    assert tables(bare) == set()
    migrate(bare)
    assert tables(bare) == {*metadata.tables, "alembic_version"}
    with bare.write_engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == NEWEST
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    migrating_again_changes_nothing(bare)
    a_store_of_a_newer_version_is_refused_and_left_alone(bare)


def migrating_again_changes_nothing(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("INSERT INTO study_setting (key, value, version) VALUES ('kept', '1', 1)"))
    migrate(store)
    with store.reading() as session:
        assert session.execute(text("SELECT key FROM study_setting")).scalars().all() == ["kept"]


def a_store_of_a_newer_version_is_refused_and_left_alone(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreTrouble, match=r"newer Edgewise \(revision 9999\)"):
        migrate(store)
    with store.reading() as session:
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"


def test_a_database_of_another_program_is_refused_and_left_alone(bare: Store) -> None:
    with bare.writing() as session:
        session.execute(text("CREATE TABLE invoice (number INTEGER)"))
    with pytest.raises(StoreTrouble, match="tables of another program"):
        migrate(bare)
    assert tables(bare) == {"invoice"}


def test_the_tables_can_be_taken_down_and_made_again(bare: Store) -> None:
    migrate(bare)
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "base")
    assert tables(bare) == {"alembic_version"}
    migrate(bare)
    assert tables(bare) == {*metadata.tables, "alembic_version"}


def test_a_revision_that_fails_leaves_no_half_made_table(bare: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        with bare.write_engine.connect():
            raise StoreTrouble("stopped half-way")

    original = command.upgrade

    def upgrade_and_fail(*args: object) -> None:
        original(*args)  # type: ignore[arg-type]
        fail()

    monkeypatch.setattr(command, "upgrade", upgrade_and_fail)
    with pytest.raises(StoreTrouble, match="half-way"):
        migrate(bare)
    assert tables(bare) == set()


def test_the_newest_revision_is_the_last_one_in_the_folder() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == NEWEST


@pytest.mark.both(usually=False)
def test_a_store_of_the_first_version_keeps_its_graphs(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0001")
        connection.execute(
            text(
                "INSERT INTO graph (id, kind, created_by, created_at, layout, version)"
                " VALUES ('g', 'import', 'p', '2025-01-01 00:00:00', '{}', 3)"
            )
        )
    migrate(bare)
    with bare.reading() as session:
        assert session.execute(text("SELECT id, kind, title, version FROM graph")).one() == ("g", "import", "", 3)


HELD = (
    "INSERT INTO run (id, number, title, protocol, protocol_version, state, reason, settings, manifest, created_by,"
    " created_at, version)"
    " VALUES ('r', 1, 'Kept', 'econcausal', '1', 'running', 'why', '{}', '{}', 'p', '2025-01-01 00:00:00', 4)",
    "INSERT INTO worker (id, host, pid, started_at, seen_at)"
    " VALUES ('w', 'h', 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00')",
    "INSERT INTO run_sample (id, run_id, place, task, variant, key, sample_hash, prompt, prompt_hash, messages, answer,"
    " facts) VALUES ('s', 'r', 0, 'task1', 'context', 'k', 'h', '', '', '[]', '+', '{}')",
    "INSERT INTO run_item (id, run_id, sample_id, model, repeat, shard, status, rung, fault, attempts, was_cached)"
    " VALUES ('i', 'r', 's', 'm', 0, 0, 'pending', '', '', 0, false)",
    "INSERT INTO attempt (id, run_id, item_id, request_hash, number, endpoint, model, worker_id, state, kind, message,"
    " sent_at) VALUES ('a', 'r', 'i', 'q', 1, 'lab', 'm', 'w', 'error', '', '', '2025-01-01 00:00:00')",
)
"""A run with everything that points at it."""


def test_a_store_of_the_sixth_version_keeps_its_runs_which_can_wait_from_then_on(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0006")
        for statement in HELD:
            connection.execute(text(statement))
    migrate(bare)
    with bare.writing() as session:
        found = session.execute(text("SELECT id, state, reason, version, CAST(hindered AS TEXT) FROM run")).one()
        assert found == ("r", "running", "why", 4, "{}")
        session.execute(text("UPDATE run SET state = 'waiting'"))
        session.execute(text("UPDATE attempt SET state = 'unsent', most_tokens = 7, most_usd = 0.5"))
    with pytest.raises(IntegrityError), bare.writing() as session:  # foreign keys hold as before
        session.execute(text(HELD[2].replace("'s', 'r'", "'t', 'nowhere'")))
    with pytest.raises(IntegrityError), bare.writing() as session:
        session.execute(text("UPDATE run SET state = 'asleep'"))
    with pytest.raises(IntegrityError), bare.writing() as session:
        session.execute(text("DELETE FROM run"))
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0006")
    with bare.reading() as session:
        assert session.execute(text("SELECT state FROM run")).one() == ("stopped",)
        assert session.execute(text("SELECT state FROM attempt")).one() == ("error",)
    migrate(bare)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_answers_of_a_store_of_the_eleventh_version_are_right_where_they_are_the_true_label(bare: Store) -> None:
    planted = {
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
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0011")
        for statement in (HELD[0].replace("reason,", "reason, hindered,").replace("'why',", "'why', '{}',"), HELD[2]):
            connection.execute(text(statement))
        for number, (status, predicted) in enumerate(planted):
            connection.execute(
                text(
                    "INSERT INTO run_item (id, run_id, sample_id, model, repeat, shard, status, predicted, rung, fault,"
                    " attempts, was_cached) VALUES (:i, 'r', 's', 'm', :n, 0, :status, :predicted, '', '', 0, false)"
                ),
                {"i": str(number), "n": number, "status": status, "predicted": predicted},
            )
    migrate(bare)
    with bare.reading() as session:
        found = session.execute(text("SELECT status, predicted, is_right, score, parts FROM run_item ORDER BY id"))
        told = {(row.status, row.predicted): (row.is_right, row.score, row.parts) for row in found}
    assert told == {which: (is_right, None, None) for which, is_right in planted.items()}
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0011")
    migrate(bare)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_items_of_a_store_of_the_thirteenth_version_can_be_incomplete_and_have_rounds_from_then_on(bare: Store) -> None:
    before = "0013"
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), before)
        held = [HELD[0].replace("reason,", "reason, hindered,").replace("'why',", "'why', '{}',"), *HELD[1:]]
        for statement in held:
            connection.execute(text(statement))
        connection.execute(text("UPDATE run_item SET status = 'answered', predicted = '+', is_right = true"))
    migrate(bare)
    with bare.writing() as session:
        found = session.execute(text("SELECT id, status, predicted, is_right, flags FROM run_item")).one()
        assert found == ("i", "answered", "+", True, None)
        session.execute(text("UPDATE run_item SET status = 'incomplete'"))
        session.execute(
            text(
                "INSERT INTO run_round (item_id, number, purpose, model, request_hash, status, fault)"
                " VALUES ('i', 2, 'faults listed', 'm', 'q', 'answered', 'why')"
            )
        )
    for refused in (
        "UPDATE run_item SET status = 'half'",
        "UPDATE run_round SET item_id = 'nobody'",
        "DELETE FROM run_item",  # attempts and rounds point at it
    ):
        with pytest.raises(IntegrityError), bare.writing() as session:
            session.execute(text(refused))
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), before)
    with bare.reading() as session:
        assert session.execute(text("SELECT status FROM run_item")).one() == ("unparsable",)
        assert session.execute(text("SELECT item_id FROM attempt")).one() == ("i",)
    migrate(bare)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_runs_of_a_store_of_the_thirteenth_version_have_no_groups_and_can_have_them_from_then_on(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0013")
        for statement in (HELD[0].replace("reason,", "reason, hindered,").replace("'why',", "'why', '{}',"), HELD[2]):
            connection.execute(text(statement))
    migrate(bare)
    group = (
        "INSERT INTO run_group (id, run_id, step, key, state, reason, inputs_hash, version)"
        " VALUES ('g', 'r', 'ask', 'p1', 'open', '', '', 1)"
    )
    with bare.writing() as session:
        assert session.execute(text("SELECT based_on, next_place FROM run")).one() == (None, None)
        assert session.execute(text("SELECT group_id FROM run_sample")).one() == (None,)
        session.execute(text(group))
        session.execute(text("UPDATE run_sample SET group_id = 'g'"))
    for wrong in (
        group.replace("'g'", "'h'"),  # one group a step and key
        "UPDATE run_group SET state = 'asleep'",
        "UPDATE run_sample SET group_id = 'nowhere'",
        "UPDATE run SET based_on = 'nowhere'",
    ):
        with pytest.raises(IntegrityError), bare.writing() as session:
            session.execute(text(wrong))
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0013")
    migrate(bare)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_a_store_of_the_second_version_keeps_its_work_and_shows_it_no_proposals(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0002")
        connection.execute(
            text(
                "INSERT INTO person (id, name, roles, is_active, is_demo, created_at, version)"
                " VALUES ('p', 'P', '[]', true, false, '2025-01-01 00:00:00', 1)"
            )
        )
        connection.execute(
            text(
                "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, comment, claimed_at, version)"
                " VALUES ('a', 'transcription', 'f', 'p', 1, 'open', '', '2025-01-01 00:00:00', 1)"
            )
        )
    migrate(bare)
    with bare.reading() as session:
        assert session.execute(text("SELECT id, state, proposals FROM assignment")).one() == ("a", "open", "")


@pytest.mark.both(usually=False)
def test_a_store_of_the_eighth_version_keeps_its_assignments_which_can_be_declined_from_then_on(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0008")
        for statement in (
            "INSERT INTO person (id, name, roles, is_active, is_demo, created_at, version)"
            " VALUES ('p', 'P', '[]', true, false, '2025-01-01 00:00:00', 1)",
            "INSERT INTO assignment (id, kind, subject_id, person_id, round, state, proposals, comment, claimed_at,"
            " version) VALUES ('a', 'transcription', 'f', 'p', 1, 'returned', 'shown', 'Again', '2025-01-01 00:00:00',"
            " 3)",
            "INSERT INTO effort (assignment_id, day, active_s, last_at, beats)"
            " VALUES ('a', '2025-01-01', 7.0, '2025-01-01 00:00:00', '[]')",
        ):
            connection.execute(text(statement))
    migrate(bare)
    columns = "SELECT id, state, proposals, comment, version, verdict, reason FROM assignment"
    with bare.writing() as session:
        assert session.execute(text(columns)).one() == ("a", "returned", "shown", "Again", 3, None, "")
        session.execute(text("UPDATE assignment SET state = 'declined', verdict = 'illegible', reason = 'Grey'"))
    for wrong in (
        "UPDATE assignment SET verdict = 'ugly'",
        "UPDATE assignment SET state = 'lost'",
        "DELETE FROM assignment",  # its effort points at it, as before
    ):
        with pytest.raises(IntegrityError), bare.writing() as session:
            session.execute(text(wrong))
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0008")
    with bare.reading() as session:
        assert session.execute(text("SELECT state FROM assignment")).one() == ("abandoned",)
    migrate(bare)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_a_store_of_the_eleventh_version_keeps_its_model_cards_of_which_nothing_more_is_known(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0011")
        connection.execute(
            text(
                "INSERT INTO model_card (id, name, model, provider, family, kind, context_length, parameters, notes,"
                " created_by, created_at, version) VALUES ('c', 'M', 'm', '', '', 'instruct', 8192, '{}', '', 'p',"
                " '2025-01-01 00:00:00', 3)"
            )
        )
    migrate(bare)
    columns = "SELECT name, context_length, version, takes_images, takes_pdfs, tokens_per_image, tokens_per_page"
    with bare.reading() as session:
        found = session.execute(text(f"{columns} FROM model_card")).one()
        assert found == ("M", 8192, 3, None, None, None, None)
    assert bare.check() == []


@pytest.mark.both(usually=False)
def test_a_store_of_the_sixth_version_gets_the_keys_of_its_names(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0006")
        connection.execute(
            text(
                "INSERT INTO graph (id, kind, title, created_by, created_at, layout, version)"
                " VALUES ('g', 'import', '', 'p', '2025-01-01 00:00:00', '{}', 1),"
                " ('h', 'import', '', 'p', '2025-01-01 00:00:00', '{}', 1)"
            )
        )
        rows = [("a", "g", "Grain  output"), ("b", "g", "Été"), ("c", "h", "grain OUTPUT"), ("d", "h", "Été")]
        for place, (node_id, graph_id, name) in enumerate(rows):
            connection.execute(
                text("INSERT INTO node (id, graph_id, place, name, origin) VALUES (:i, :g, :p, :n, 'import')"),
                {"i": node_id, "g": graph_id, "p": place, "n": name},
            )
    migrate(bare)
    with bare.reading() as session:
        keys = {row[0]: row[1] for row in session.execute(text("SELECT id, name_key FROM node"))}
    grain, summer = name_key("grain output"), name_key("été")
    assert keys == {"a": grain, "b": summer, "c": grain, "d": summer}


@pytest.mark.both(usually=False)
def test_a_store_of_the_eighth_version_finds_the_abstracts_that_its_files_brought(bare: Store) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0008")
        for paper in "ab":
            connection.execute(
                text(
                    "INSERT INTO triplet_paper (id, collection, external_id, title, author, venue, domain, jel_letters,"
                    " url) VALUES (:p, 'c', :p, '', '', '', '', '[]', '')"
                ),
                {"p": paper},
            )
        details = ['{"Abstract": "We find Ä.", "note": 1}', '{"abstract": "Another."}', '{"note": "no abstract"}']
        for place, (paper, said) in enumerate(zip("aab", details, strict=True)):
            connection.execute(
                text(
                    "INSERT INTO triplet (id, collection, place, triplet_paper_id, treatment, outcome, sign, context,"
                    " evidence, details, created_by, created_at, version) VALUES (:i, 'c', :n, :p, 't', 'o', '+', '',"
                    " '[]', :d, 'p', '2025-01-01 00:00:00', 1)"
                ),
                {"i": str(place), "n": place, "p": paper, "d": said},
            )
    migrate(bare)
    with bare.reading() as session:
        found = {row[0]: row[1] for row in session.execute(text("SELECT id, abstract FROM triplet_paper"))}
    assert found == {"a": "We find Ä.", "b": ""}


@pytest.mark.both(usually=False)
def test_a_store_of_the_tenth_version_gets_the_depths_of_undo_from_its_history(bare: Store) -> None:
    migrate(bare)
    now, draw = datetime(2026, 1, 1, tzinfo=UTC), Random(5)
    with bare.writing() as session:
        session.add_all(GraphRow(id=key, kind="transcription", created_by="p", created_at=now) for key in "ghi")
        session.flush()
        for number in range(60):  # of g and h by turns; i is never touched
            act = draw.choice((*(history.EDIT_ACTS if number % 2 else history.RULING_ACTS), "graph.edit"))
            about = {"subject_kind": "graph", "subject_id": "x", "graph_id": "gh"[number % 2]}
            history.record(session, history.Actor("p"), act, at=now, act_id=f"act {number}", **about)
    depths = "SELECT id, undo_depth, redo_depth FROM graph ORDER BY id"
    with bare.reading() as session:
        kept = session.execute(text(depths)).all()
    assert kept[2] == ("i", 0, 0)
    assert all(row.undo_depth for row in kept[:2])
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0010")
    migrate(bare)
    with bare.reading() as session:
        assert session.execute(text(depths)).all() == kept
    assert bare.check() == []


JELS = (["J", "numeric"], ["numeric", "J"], [], ["H"])
SAMPLES = 2 * cells_and_subjects.AT_ONCE + 3
"""More than two parts of what the revision reads together."""


def test_samples_of_a_store_of_the_thirteenth_version_get_their_subjects_and_the_cells_of_their_labels(
    bare: Store,
) -> None:
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0013")
        connection.execute(text(HELD[0].replace("reason,", "reason, hindered,").replace("'why',", "'why', '{}',")))
        connection.execute(
            text(
                "INSERT INTO triplet_paper (id, collection, external_id, title, author, venue, domain, jel_letters,"
                " url, abstract) VALUES ('p', 'c', 'w1', '', '', '', '', '[]', '', '')"
            )
        )
        connection.execute(
            text(
                "INSERT INTO triplet (id, collection, triplet_paper_id, place, treatment, outcome, sign, context,"
                " evidence, details, created_by, created_at, version)"
                " VALUES ('t', 'c', 'p', 1, 'x', 'y', '+', '', '[]', '{}', 'p', '2025-01-01 00:00:00', 1)"
            )
        )
        insert = HELD[2].replace("'{}')", ":facts)")
        insert = insert.replace("'s', 'r', 0", ":id, 'r', :place")
        facts = [{"jel": jel, "domain": "Ökonomie", "year": 2001, "title": "Ä"} for jel in JELS]
        rows = [
            {"id": f"s{place:05}", "place": place, "facts": json.dumps(facts[place % 4])} for place in range(SAMPLES)
        ]
        connection.execute(text(insert), rows)
        connection.execute(text("UPDATE run_sample SET triplet_id = 't' WHERE place = 7"))
        connection.execute(
            text(
                "INSERT INTO run_item (id, run_id, sample_id, model, repeat, shard, status, rung, fault, attempts,"
                " was_cached) VALUES ('i', 'r', 's00007', 'm', 0, 0, 'pending', '', '', 0, false)"
            )
        )
    migrate(bare)
    told = "SELECT c.hash, CAST(c.labels AS TEXT), count(*) FROM run_sample s JOIN run_cell c ON c.id = s.cell_id"
    with bare.writing() as session:
        found = session.execute(text(f"{told} WHERE c.run_id = 'r' GROUP BY 1, 2")).all()
        labels = [kept(labels_of(each)) for each in facts[1:]]
        assert sorted((key, json.loads(said)) for key, said, _ in found) == sorted(
            ((hash_of(each), each) for each in labels), key=lambda each: each[0]
        )
        assert sorted(many for *_, many in found) == [500, 501, 1002]
        # What a run of today would keep is what the revision has kept.
        assert cells.keep(session, "r", map(labels_of, facts)) == [
            session.execute(text("SELECT cell_id FROM run_sample WHERE place = :place"), {"place": place}).scalar_one()
            for place in range(4)
        ]
        subjects = "SELECT place, subject_kind, subject_id FROM run_sample WHERE subject_id IS NOT NULL"
        assert session.execute(text(subjects)).all() == [(7, "triplet", "t")]
        steps = "SELECT DISTINCT step, answer, CAST(truth AS TEXT), CAST(slots AS TEXT) FROM run_sample"
        assert session.execute(text(steps)).all() == [("ask", "+", None, None)]
        session.execute(text("UPDATE run_sample SET answer = NULL WHERE place = 8"))
    with pytest.raises(IntegrityError), bare.writing() as session:  # an item still holds its sample
        session.execute(text("DELETE FROM run_sample WHERE place = 7"))
    assert bare.check() == []
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0013")
    with bare.reading() as session:
        before = "SELECT place, answer, triplet_id FROM run_sample WHERE place IN (7, 8) ORDER BY place"
        assert session.execute(text(before)).all() == [(7, "+", "t"), (8, "", None)]
    migrate(bare)
    assert bare.check() == []


def test_transcriptions_of_a_store_of_the_seventeenth_version_have_one_state_and_can_have_two_from_then_on(
    bare: Store,
) -> None:
    at = "'2025-01-01 00:00:00'"
    graph = "INSERT INTO graph ({}id, kind, title, created_by, created_at, layout, undo_depth, redo_depth, version)"
    drawn = f"'transcription', '', 'p', {at}, '{{}}', 0, 0, 1)"
    mark = f"INSERT INTO mark (graph_id, kind, key, value, set_by, set_at) VALUES ('g', '{{}}', 'k', '{{}}', 'p', {at})"
    with bare.write_engine.connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0017")
        connection.execute(text(graph.format("") + f" VALUES ('g', {drawn}"))
        connection.execute(text(mark.format("swept", "{}")))
    migrate(bare)
    first = graph.format("is_first, based_on, ") + f" VALUES (true, 'g', 'ID', {drawn}"
    with bare.writing() as session:
        assert not session.execute(text("SELECT is_first FROM graph")).scalar_one()
        session.execute(text(first.replace("ID", "f")))
        session.execute(text(mark.format("late voice", "{}")))
    with pytest.raises(IntegrityError), bare.writing() as session:  # one first state of a graph
        session.execute(text(first.replace("ID", "another")))
    with bare.write_engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "0017")
    with bare.reading() as session:
        found = session.execute(text("SELECT id, archived_at IS NOT NULL FROM graph ORDER BY id")).all()
        assert [(row[0], bool(row[1])) for row in found] == [("f", True), ("g", False)]
        assert session.execute(text("SELECT kind FROM mark")).scalars().all() == ["swept"]
    migrate(bare)
    assert bare.check() == []
