"""Destroying identities: no byte of the store, its log, its files or any new export holds a name; counts stay."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import JSON, Text, create_engine, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import col, select

from core.errors import BadInput, Missing, Refused, SignedOut, StoreUnavailable
from core.papers.papers import Screening
from core.people import Receipt, Role, Viewer
from exchange.graphs import GraphForm
from services import drafts
from services.acting import terminal_viewer
from services.agreement.annotators import study_agreement
from services.backups.backup import backup
from services.backups.restoring import restore
from services.graphs import exporting
from services.papers import figures, papers
from services.people import access, credit, identities, invitations, people
from services.releases import releasing
from services.releases.files import ReleaseForm
from services.study import Study
from services.transcription import effort, guidelines, reading, transcribing
from store import erasing, history, texts
from store.engine import Store
from store.graphs import graphs
from store.tables import (
    DraftRow,
    EdgeRow,
    ErasureRow,
    EventRow,
    GraphRow,
    InvitationRow,
    PersonRow,
    SessionRow,
    metadata,
    new_id,
)
from tests.everything import usual
from tests.forking import WORKERS, Forked
from tests.services.acts import Act
from tests.services.release_parts import lay_truth
from tests.shared_fixture import laid_once

ZOE, BORIS = "Zoë Quillfeather", "Boris Thistlewick-Örn"
SECRETS = (
    "Zoë Quillfeather",
    "Quillfeather",
    "Boris Thistlewick",
    "Thistlewick-Örn",
    "Thistlewick",
    "Zoe Quillfeather",
)


def forms() -> Iterator[bytes]:
    """Every way in which a name could lie in bytes."""
    for name in SECRETS:
        for cased in {name, name.lower(), name.upper()}:
            yield cased.encode()
            yield cased.encode("utf-16-le")
            yield json.dumps(cased)[1:-1].encode()
            yield cased.replace(" ", "_").encode()


FORMS = tuple(dict.fromkeys(forms()))


def named_in(content: bytes) -> list[bytes]:
    return [form for form in FORMS if form in content]


def act() -> Act:
    return {"act_id": new_id()}


@pytest.fixture
def named(
    open_one: Study,
    people: SimpleNamespace,
    newcomer: Callable[..., Viewer],
    a_figure: SimpleNamespace,
    request: pytest.FixtureRequest,
) -> SimpleNamespace:
    """Two annotators with names that stand everywhere people write: comments, notes, drafts, captions, settings."""

    def make() -> SimpleNamespace:
        zoe, boris = newcomer(ZOE, Role.ANNOTATOR), newcomer(BORIS, Role.ANNOTATOR)
        works = []
        for viewer, lines in ((zoe, "Rain -> Harvest\nHarvest -> Price"), (boris, "Rain ->+ Harvest\nPrice -> Rain")):
            work = transcribing.take(viewer, a_figure.id, **act()).subject_id
            transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, **act())
            edge = reading.transcription(viewer, work).record.ordered_edges()[0]
            note = f"{BORIS.upper()} and quillfeather disagree; see Quillfeather, Zoë"
            transcribing.edit_edge(viewer, work, edge.id, "note", note, seen=2, **act())
            transcribing.submit(viewer, work, seen=3, **act())
            works.append(work)
        transcribing.return_to_annotator(people.reviewer, works[0], f"{ZOE}: look at Thistlewick's arrow", **act())
        transcribing.submit(zoe, works[0], seen=3, **act())
        guidelines.save_guidelines(people.owner, f"Ask {ZOE}, or zoë_quillfeather@example.org.", seen=0, **act())
        drafts.keep_draft(boris, "note", "my own draft, by Boris Thistlewick-Örn")
        drafts.keep_draft(people.owner, "guidelines", f"Ask {ZOE}")
        seen = papers.paper(people.owner, a_figure.paper_id).version
        papers.screen(people.owner, a_figure.paper_id, Screening.INCLUDED, [], f"{ZOE} says yes", seen=seen, **act())
        figure = figures.figures_of(people.owner, a_figure.paper_id)[0]
        figures.relocate(
            people.owner, a_figure.id, figure.box, "", "Figure 1", caption=f"Found by {BORIS}", seen=1, **act()
        )
        with open_one.store.writing() as session:
            session.execute(text("UPDATE file SET original_name = 'map_zoë_quillfeather.pdf'"))
            session.add(
                GraphRow(kind="import", title=f"{BORIS}.mdl", created_by=zoe.person_id, created_at=open_one.clock())
            )
            session.execute(text("UPDATE person SET password_hash = 'x' WHERE name = :name"), {"name": ZOE})
        invitations.reset_link(people.owner, zoe.person_id, **act())
        with pytest.raises(Refused):
            access.sign_in(ZOE, "no such password", "127.0.0.1")
        truth = lay_truth(
            open_one,
            a_figure.id,
            "Rain -> Harvest +; Harvest -> Price",
            by=people.reviewer.person_id,
            between=(works[1], works[0]),
        )
        releasing.freeze(people.owner, "First", "", "CC0-1.0", seen=releasing.preview(people.owner).seen, **act())
        return SimpleNamespace(zoe=zoe, boris=boris, works=works, truth=truth, owner=people.owner, people=people)

    return laid_once(request, open_one, make, people, a_figure)


def destroy(named: SimpleNamespace, **changed: Any) -> Receipt:
    chosen = changed.pop("chosen", [named.zoe.person_id, named.boris.person_id])
    return identities.destroy(named.owner, "destroy", chosen, **{**act(), **changed})


def everything_stored(study: Study) -> Iterator[tuple[str, bytes]]:
    """The bytes of every file of the store; of a server, the text of every table."""
    if study.store.path is not None:
        for path in sorted(study.store.path.parent.rglob("*")):
            if path.is_file() and path.suffix != ".zip":
                yield path.name, path.name.encode() + path.read_bytes()
        return
    with study.store.reading() as session:
        for table in metadata.sorted_tables:
            for row in session.execute(text(f'SELECT t::text FROM "{table.name}" AS t')):
                yield table.name, str(row[0]).encode()


def stored_words(study: Study) -> list[tuple[str, bytes]]:
    """Without the index of SQLite's log, which says who is reading."""
    return [each for each in everything_stored(study) if not each[0].endswith("-shm")]


def everything_exported(viewer: Viewer) -> Iterator[tuple[str, bytes]]:
    for form in exporting.STUDY_FORMS:
        yield f"study {form}", exporting.export_study(viewer, form, with_drafts=True).content
    yield "zip", exporting.export_study_zip(viewer, GraphForm.GRAPHML, with_drafts=True).content
    for released in ReleaseForm:
        yield f"release {released}", releasing.export(viewer, 1, released).content
    yield "credit", credit.export_credit(viewer).content
    yield "effort", effort.export_effort(viewer).content


# --- every byte -------------------------------------------------------------------------------------------------


@pytest.mark.proof("T8", "names destroyed: store, its log and new exports searched", gate="0 bytes of a name")
@pytest.mark.both
def test_no_byte_of_the_store_or_of_a_new_export_holds_a_name(study: Study, named: SimpleNamespace) -> None:
    assert any(named_in(content) for _, content in everything_stored(study))
    assert named_in(credit.export_credit(named.owner).content)
    destroy(named)
    assert {where: found for where, content in everything_stored(study) if (found := named_in(content))} == {}
    assert {where: found for where, content in everything_exported(named.owner) if (found := named_in(content))} == {}
    assert study.store.check() == []


@pytest.mark.proof("T8", "names destroyed: files of the database server searched", gate="0 bytes of a name")
def test_no_file_of_a_servers_database_holds_a_name(postgresql_study: Study, named: SimpleNamespace) -> None:
    with postgresql_study.store.writing() as session:
        session.execute(text("ANALYZE"))  # the planner keeps samples of names too
    files = relation_files(postgresql_study)
    assert any(named_in(path.read_bytes()) for path in files if path.exists())
    destroy(named)
    left = {path.name: found for path in relation_files(postgresql_study) if (found := named_in(path.read_bytes()))}
    assert left == {}


def relation_files(study: Study) -> list[Path]:
    with study.store.write_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CHECKPOINT"))
        place = connection.execute(text("SHOW data_directory")).scalar()
        oid = connection.execute(text("SELECT oid FROM pg_database WHERE datname = current_database()")).scalar()
    return [path for path in (Path(str(place)) / "base" / str(oid)).iterdir() if path.is_file()]


@pytest.mark.both(usually=False)
def test_work_agreement_and_credit_stay_as_they_were(study: Study, named: SimpleNamespace) -> None:
    with study.store.reading() as session:
        graph_ids = list(session.exec(select(GraphRow.id)))
        before = {key: graphs.read_graph(session, key).graph() for key in graph_ids}
        ids = [row.id for row in session.exec(select(PersonRow).order_by(PersonRow.id))]
    measured, counted = repr(study_agreement(named.owner)), credit.credit(named.owner)
    released = releasing.export(named.owner, 1).content
    destroy(named)
    after = credit.credit(named.owner)
    assert repr(study_agreement(named.owner)) == measured
    assert releasing.export(named.owner, 1).content == released
    assert [(each.person_id, each.nodes, each.edges, each.share_of_nodes) for each in after.people] == [
        (each.person_id, each.nodes, each.edges, each.share_of_nodes) for each in counted.people
    ]
    with study.store.reading() as session:
        assert [row.id for row in session.exec(select(PersonRow).order_by(PersonRow.id))] == ids
        for key, graph in before.items():
            now = graphs.read_graph(session, key)
            assert history.rebuild(session, key) == now or not graph.nodes
            assert [edge.pair for edge in now.graph().edges] == [edge.pair for edge in graph.edges]


def test_pseudonyms_are_those_of_exports_and_stand_where_names_stood(study: Study, named: SimpleNamespace) -> None:
    exported = exporting.export_study(named.owner, GraphForm.CSV).content.decode()
    rows = {line.split(",")[3] for line in exported.split("\n") if line.startswith("0")}
    destroy(named)
    names = {row.name for row in people.list_people(named.owner)}
    assert {"A7", "A8"} == names - {f"The {role.value}" for role in Role} - {"The colleague"} == rows
    assert guidelines.guidelines(named.owner).text == "Ask A7, or A7@example.org."
    with study.store.reading() as session:
        assert set(session.exec(select(EdgeRow.note).where(EdgeRow.note != ""))) == {"A8 and A7 disagree; see A7"}
        assert {row.name for row in session.exec(select(PersonRow)) if row.name.startswith("A")} == {"A7", "A8"}


# --- who still gets in ------------------------------------------------------------------------------------------


def test_those_who_are_destroyed_are_signed_out_and_their_links_closed(study: Study, named: SimpleNamespace) -> None:
    destroy(named)
    with pytest.raises(SignedOut):
        reading.transcription(named.zoe, named.works[0])
    with study.store.reading() as session:
        gone = [named.zoe.person_id, named.boris.person_id]
        for row in session.exec(select(PersonRow).where(col(PersonRow.id).in_(gone))):
            assert (row.password_hash, row.is_active) == (None, False)
        assert all(row.ended_at for row in session.exec(select(SessionRow)) if row.person_id in gone)
        assert all(row.used_at for row in session.exec(select(InvitationRow)))
        assert [row.text for row in session.exec(select(DraftRow))] == ["Ask A7"]
        assert session.execute(text("SELECT count(*) FROM sign_in_attempt")).scalar() == 0


def test_the_acting_owner_may_give_up_their_name_and_stays_in(named: SimpleNamespace) -> None:
    destroy(named, chosen=None)
    (me,) = (each for each in people.list_people(named.owner) if each.id == named.owner.person_id)
    assert (me.name, me.is_active) == ("A5", True)
    assert [each.is_active for each in people.list_people(named.owner)].count(True) == 1


def test_the_terminal_never_leaves_a_study_without_an_owner(named: SimpleNamespace, study: Study) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE person SET password_hash = 'kept' WHERE id = :id"), {"id": named.owner.person_id})
    identities.destroy(terminal_viewer(), "destroy", **act())
    with study.store.reading() as session:
        owner = session.get(PersonRow, named.owner.person_id)
        assert owner is not None
        assert (owner.name, owner.is_active, owner.password_hash) == ("A5", True, "kept")


# --- what is asked first ----------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_the_preview_says_where_names_stand_and_changes_nothing(study: Study, named: SimpleNamespace) -> None:
    before = stored_words(study)
    seen = identities.preview(named.owner, [named.zoe.person_id, named.boris.person_id])
    assert [(each.name, each.pseudonym, each.keeps_access) for each in seen.people] == [
        (ZOE, "A7", False),
        (BORIS, "A8", False),
    ]
    assert [part.word for part in seen.people[1].parts] == ["Boris", "Thistlewick"]
    quillfeather = seen.people[0].parts[0]
    assert (quillfeather.word, quillfeather.count > 5) == ("Quillfeather", True)
    assert any("disagree" in excerpt for excerpt in quillfeather.excerpts)
    where = {(place.table, place.column) for place in seen.rewritten}
    assert where >= {
        ("edge", "note"),
        ("event", "payload"),
        ("assignment", "comment"),
        ("figure", "caption"),
        ("document_version", "text"),
        ("draft", "text"),
        ("file", "original_name"),
        ("graph", "title"),
        ("paper", "screening_note"),
    }
    assert seen.left == ()
    assert (seen.sessions, seen.is_unswept, seen.done) == (2, False, 0)
    assert stored_words(study) == before


def test_the_word_is_asked_for_and_people_must_be_there(study: Study, named: SimpleNamespace) -> None:
    with pytest.raises(BadInput, match="Type the word destroy"):
        identities.destroy(named.owner, "yes", **act())
    with pytest.raises(Missing, match="no person nobody"):
        destroy(named, chosen=["nobody"])
    destroy(named)
    with pytest.raises(Refused, match="already has a pseudonym"):
        destroy(named)


def test_parts_of_a_name_are_replaced_only_if_asked(study: Study, named: SimpleNamespace) -> None:
    destroy(named, parts={})
    with study.store.reading() as session:
        assert set(session.exec(select(EdgeRow.note).where(EdgeRow.note != ""))) == {
            "A8 and quillfeather disagree; see A7"
        }
        names = session.exec(select(PersonRow.name)).all()
    assert {"A7", "A8"} < set(names) and not {ZOE, BORIS} & set(names)


@pytest.mark.both(usually=False)
def test_what_publications_and_figures_say_is_listed_and_left_unless_asked(
    study: Study, named: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    other = another_figure("A book by Zoë Quillfeather")
    work = transcribing.take(named.people.annotator, other.id, **act()).subject_id
    transcribing.add_lines(named.people.annotator, work, "Quillfeather -> Price", pasted=False, seen=1, **act())
    seen = identities.preview(named.owner, [named.zoe.person_id])
    assert {(place.table, place.column, place.source.value) for place in seen.left} == {
        ("paper", "title", "paper"),
        ("node", "name", "figure"),
        ("event", "payload", "figure"),
    }
    destroy(named, with_papers=True)
    with study.store.reading() as session:
        assert papers.paper(named.owner, other.paper_id).reference.title == "A book by A7"
        graph_id = session.execute(text("SELECT graph_id FROM assignment WHERE id = :id"), {"id": work}).scalar()
        assert "Quillfeather" in graphs.read_graph(session, str(graph_id)).graph().nodes
        assert history.rebuild(session, str(graph_id)) == graphs.read_graph(session, str(graph_id))


def test_a_title_given_to_a_release_loses_a_surname_and_its_hashes_stay(study: Study, named: SimpleNamespace) -> None:
    seen = releasing.preview(named.owner).seen
    releasing.freeze(named.owner, "As Thistlewick asked", "", "CC0-1.0", seen=seen, even_if_unchanged=True, **act())
    before = releasing.release(named.owner, 2)
    destroy(named)
    after = releasing.release(named.owner, 2)
    assert (after.title, after.sha256, after.faults) == ("As A8 asked", before.sha256, ())


def test_somebody_really_called_a7_keeps_the_name(
    study: Study, named: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    seventh = newcomer("for now", Role.EXPERT)
    with study.store.writing() as session:  # who joined before such names were refused
        session.execute(text("UPDATE person SET name = 'A7' WHERE id = :id"), {"id": seventh.person_id})
    destroy(named)
    assert sorted(each.name for each in people.list_people(named.owner) if each.name.startswith("A")) == [
        "A7",
        "A7 (2)",
        "A8",
    ]


def test_a_person_called_owner_renames_no_role(study: Study, named: SimpleNamespace) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE person SET name = 'Owner' WHERE id = :id"), {"id": named.owner.person_id})
    seen = identities.preview(named.owner, [named.owner.person_id])
    assert seen.people[0].is_ordinary
    assert seen.rewritten == ()
    destroy(named, chosen=[named.owner.person_id])
    assert people.list_people(named.owner)[4].roles == (Role.OWNER,)


def test_backups_beside_the_study_are_listed_with_their_dates(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert sqlite_study.store.path is not None
    folder = sqlite_study.store.path.parent
    (folder / "other.zip").write_bytes(b"PK no backup")
    backup(people.owner, folder / "old" / "march.zip")
    (found,) = identities.preview(people.owner).backups
    assert (found.path, found.made_at[:16]) == (folder / "old" / "march.zip", "2026-03-02T12:00")


def test_copies_that_killed_backups_left_and_restores_moved_aside_are_listed_too(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert sqlite_study.store.path is not None
    folder = sqlite_study.store.path.parent
    made = backup(people.owner, folder / "march.zip").path
    report = restore(made, folder / "deep" / "again.edgewise")
    moved = restore(made, report.path, replace=True).moved
    left = folder / ".edgewise-left.scratch"
    older = folder / "tmpa1b2c3d4" / "study.sqlite"  # as versions before left it
    for each in (left / "study.sqlite", older):
        each.parent.mkdir()
        each.write_bytes(b"names")
    (folder / "april.zip.partial").write_bytes(b"names")
    listed = {each.path for each in identities.preview(people.owner).backups}
    assert listed == {made, moved, left, older, folder / "april.zip.partial"}


# --- once, whole, and for good ----------------------------------------------------------------------------------


@pytest.mark.both
def test_the_history_and_releases_are_guarded_again(study: Study, named: SimpleNamespace) -> None:
    destroy(named)
    for statement, said in (
        ("UPDATE event SET act = 'x'", "append-only"),
        ("DELETE FROM event", "append-only"),
        ("UPDATE release SET title = 'x'", "frozen"),
        ("DELETE FROM release_item", "frozen"),
    ):
        with pytest.raises(DatabaseError, match=said), study.store.writing() as session:
            session.execute(text(statement))


@pytest.mark.both(usually=False)
def test_an_error_on_the_way_leaves_everything_as_it_was(
    study: Study, named: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(erasing, "forget_attempts", lambda session: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            destroy(named)
    assert guidelines.guidelines(named.owner).text.startswith(f"Ask {ZOE}")
    with pytest.raises(DatabaseError, match="append-only"), study.store.writing() as session:
        session.execute(text("UPDATE event SET act = 'x'"))
    with study.store.reading() as session:
        assert session.exec(select(ErasureRow)).all() == []


@pytest.mark.both(usually=False)
def test_a_sweep_that_could_not_run_is_finished_later(
    study: Study, named: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_the_way(*_: object) -> None:
        raise StoreUnavailable(erasing.STILL_IN_USE)

    with monkeypatch.context() as patched:
        patched.setattr(erasing, "sweep", in_the_way)
        with pytest.raises(StoreUnavailable, match="old bytes could not be cleared"):
            destroy(named)
    assert identities.preview(named.owner).is_unswept
    assert identities.sweep(named.owner) == 1
    assert identities.sweep(named.owner) == 0
    assert not identities.preview(named.owner).is_unswept
    assert {where: found for where, content in everything_stored(study) if (found := named_in(content))} == {}


def test_a_reader_in_the_way_is_told_and_the_names_are_gone_all_the_same(
    sqlite_study: Study, people: SimpleNamespace, newcomer: Callable[..., Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    who = newcomer(ZOE, Role.ANNOTATOR)
    monkeypatch.setattr(erasing, "BUSY_TIMEOUT_MS", 50)
    with sqlite3.connect(str(sqlite_study.store.path), isolation_level=None) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM person").fetchall()
        with pytest.raises(StoreUnavailable, match="another program is reading the store"):
            identities.destroy(people.owner, "destroy", [who.person_id], **act())
        other.execute("COMMIT")
    assert identities.sweep(people.owner) == 1


@contextmanager
def written_all_the_time(url: str) -> Iterator[None]:
    """A database where a transaction begins before the one before it ends."""
    engine, begun, enough = create_engine(url), Event(), Event()

    def write() -> None:
        with ExitStack() as last:
            while not enough.is_set():
                connection = engine.connect()
                connection.execute(text("SELECT pg_current_xact_id()"))
                last.close()
                last.callback(connection.close)
                begun.set()
                enough.wait(0.3)

    with ThreadPoolExecutor(1) as beside:
        writing = beside.submit(write)
        begun.wait(10)
        try:
            yield
        finally:
            enough.set()
            writing.result()
            engine.dispose()


def test_names_leave_a_server_whose_other_databases_are_written_all_the_time(
    postgresql_study: Study, cluster: str, named: SimpleNamespace
) -> None:
    with postgresql_study.store.writing() as session:
        session.execute(text("ANALYZE"))
    with written_all_the_time(Store(cluster.format("postgres")).url):
        destroy(named)
    assert {path.name for path in relation_files(postgresql_study) if named_in(path.read_bytes())} == set()


OLDER = [
    ("this study", "SELECT count(*) FROM paper"),  # its snapshot still sees the names
    ("another database", "SELECT pg_current_xact_id()"),  # no snapshot of the server reaches beyond its writing
]


@pytest.mark.parametrize(
    ("place", "does"),
    usual(OLDER, OLDER[0]),
)
def test_an_older_transaction_on_a_server_is_waited_for_and_told_if_it_stays(
    postgresql_study: Study,
    cluster: str,
    people: SimpleNamespace,
    newcomer: Callable[..., Viewer],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    does: str,
) -> None:
    who = newcomer(ZOE, Role.ANNOTATOR)
    url = postgresql_study.store.url if place == "this study" else Store(cluster.format("postgres")).url
    engine = create_engine(url, isolation_level="REPEATABLE READ")
    with engine.connect() as other, monkeypatch.context() as patched:
        patched.setattr(erasing, "BUSY_TIMEOUT_MS", 300)
        other.execute(text(does))
        with pytest.raises(StoreUnavailable, match="another program is reading the store"):
            identities.destroy(people.owner, "destroy", [who.person_id], **act())
    engine.dispose()
    assert identities.sweep(people.owner) == 1
    assert {path.name for path in relation_files(postgresql_study) if named_in(path.read_bytes())} == set()


@pytest.mark.parametrize("where", usual(["write", "commit", "sweep"], "write", "sweep"))
@pytest.mark.both
def test_killed_on_the_way_all_or_nothing_is_done_and_another_run_completes_it(
    study: Study, named: SimpleNamespace, where: str, tmp_path: Path
) -> None:
    killed_and_completed(study, named, where, tmp_path)


def test_killed_before_old_bytes_are_cleared_names_are_gone_and_another_run_clears_them(
    sqlite_study: Study, named: SimpleNamespace, tmp_path: Path
) -> None:
    killed_and_completed(sqlite_study, named, "sweep", tmp_path)


def killed_and_completed(study: Study, named: SimpleNamespace, where: str, tmp_path: Path) -> None:
    url = str(study.store.path) if study.store.path else study.store.url.replace("+psycopg", "")
    dying = "tests.services.people.killed_destroying"
    done = Forked(
        WORKERS,
        [sys.executable, "-m", dying, url, str(tmp_path / "home"), where],
        cwd=Path(__file__).parents[3],
        env=os.environ,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, complained = done.communicate(timeout=120)
    assert done.returncode == -9, complained
    with study.store.reading() as session:
        names = {row.name for row in session.exec(select(PersonRow))}
        events = "".join(json.dumps(row.payload, ensure_ascii=False) for row in session.exec(select(EventRow)))
    is_done = where == "sweep"
    assert (ZOE in names, "A7" in names) == (not is_done, is_done)
    assert (ZOE in events) is not is_done
    with pytest.raises(DatabaseError, match="append-only"), study.store.writing() as session:
        session.execute(text("DELETE FROM event"))
    if is_done:
        assert identities.sweep(terminal_viewer()) == 1  # the owner's session ended with everyone's
    else:
        destroy(named)
    assert {place: found for place, content in everything_stored(study) if (found := named_in(content))} == {}


def test_a_repeated_act_is_known(study: Study, named: SimpleNamespace) -> None:
    act_id = new_id()
    first = destroy(named, act_id=act_id)
    again = destroy(named, act_id=act_id)
    assert again.is_repeat
    assert again.seq == first.seq


# --- nothing is forgotten ---------------------------------------------------------------------------------------


def test_every_column_that_could_hold_words_is_called_what_it_is() -> None:
    columns = {
        (table.name, column.name)
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, Text | JSON)
    }
    assert columns == set(texts.TEXTS) | texts.OURS
    assert not set(texts.TEXTS) & texts.OURS
