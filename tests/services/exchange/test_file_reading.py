"""Which files are read in a child, that it reads them as we would, and what is said when it cannot."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import BadInput, UnreadableFile
from core.graphs.lines.parse import MostLines, parse_lines
from documents.pool import Pool
from exchange import file_reading as here
from exchange.archive import write_archive
from exchange.file_kinds import FileKind
from exchange.file_reading import FileChoices
from exchange.graphs import GraphForm, obstacle, write_graph
from exchange.study import StudyGraph, export_study
from services.exchange import file_pool, file_reading
from services.graphs import importing
from services.papers import importing as paper_importing
from services.study import Study, use_study
from services.triplets import importing as triplet_importing
from store.tables import new_id
from tests.everything import EVERYTHING
from tests.exchange.strategies import TRICKY
from tests.exchange.test_bounds import chain
from tests.exchange.test_wire import same
from tests.services.exchange.test_bad_imports import KEPT, REFUSED, whole

pytestmark = pytest.mark.usefixtures("sqlite_study")
ROW = {"treatment": "A", "outcome": "B", "sign": "+"}
MOST = MostLines(edges=2_000, nodes=4_000, faults=500)
PDF_WORDS = ("PDF", "picture", "document", "PyMuPDF")


def parquet(**columns: list[Any]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


@pytest.fixture
def asked(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that the child was asked for."""
    tasks: list[str] = []
    call = sqlite_study.file_pool.call

    def counted(task: str, *given: Any, **named: Any) -> Any:
        tasks.append(task)
        return call(task, *given, **named)

    monkeypatch.setattr(sqlite_study.file_pool, "call", counted)
    return tasks


@pytest.fixture
def all_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_reading, "MOST_HERE", -1)


# --- what goes where ----------------------------------------------------------------------------------------------

LARGE = b"source,sink\na,b\n" + (b" " * 999 + b"\n") * 257


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("large.csv", LARGE),
        ("large.txt", b"a -> b\n" + b" " * 16_000),
        ("book.xlsx", write_graph(chain(2), GraphForm.XLSX)),
        ("book.csv", write_graph(chain(2), GraphForm.KUMU_XLSX)),
        ("all.zip", write_archive([("a.csv", b"source,sink\na,b\n")])),
        ("empty.zip", write_archive([])),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
    ],
)
def test_large_and_packed_files_of_graphs_are_read_outside(asked: list[str], name: str, content: bytes) -> None:
    file_reading.read_graphs(name, content, FileChoices())
    assert asked == ["graphs"]


def test_large_and_packed_files_of_triplets_and_references_are_read_outside(asked: list[str]) -> None:
    table = parquet(treatment=["A"], outcome=["B"], sign=["+"])
    file_reading.read_triplets("a.parquet", table, None, "")
    assert file_reading.kind_of_file("a.parquet", table) is FileKind.TRIPLETS
    small = json.dumps(ROW).encode()
    codes = b"paper,jel\n" + b"w0001,J31\n" * 1_600
    file_reading.read_triplets("a.jsonl", small, ("jel.csv", codes), "")
    assert file_reading.kind_of_file("jel.csv", codes) is FileKind.JEL
    file_reading.read_references("a.bib", b"@article{a, title={A}}\n" + b"% \n" * 5_400)
    assert asked == ["triplets", "kind", "triplets", "kind", "references"]


def test_long_pastes_are_read_outside_as_we_would_and_no_further_than_is_of_use(asked: list[str]) -> None:
    good = '"lone"\n' + "".join(f"Ä{n} ->+ B; C -> \n- A -> B\nB -> Ä{n}\nB -> Ä{n}\n" for n in range(500))
    for text in (good, "no arrow\n" * 20_000, "\ud800 -> B\n" * 3_000, ""):
        assert file_reading.read_lines(text, MOST) == parse_lines(text, most=MOST)
    assert asked == ["lines"] * 3
    assert len(file_reading.read_lines("no arrow\n" * 20_000, MOST).faults) == MOST.faults + 1


def test_small_texts_and_files_that_cannot_be_triplets_need_no_child(asked: list[str]) -> None:
    file_reading.read_graphs("a.csv", b"source,sink\na,b\n" + b" " * 15_000, FileChoices())
    file_reading.read_lines("é" * 8_000, MOST)
    file_reading.read_triplets("a.jsonl", json.dumps(ROW).encode(), ("jel.csv", b"paper,jel\nw1,A\n"), "")
    file_reading.read_references("a.bib", b"@article{a, title={A}}")
    file_reading.kind_of_file("a.csv", LARGE)
    assert asked == []


def test_no_child_runs_before_it_is_needed(tmp_path: Path) -> None:
    with file_pool.file_pool() as pool:
        assert [slot.child for slot in pool._slots] == [None]
        pool.start_ahead()
        assert pool._slots[0].child is not None


# --- the same value -----------------------------------------------------------------------------------------------


def every_file() -> Iterator[tuple[str, bytes]]:
    """A sound graph in each of the 18 forms, a study in each of its own, zips, and all that is refused or odd."""
    for form in GraphForm:
        graph = chain(3) if obstacle(TRICKY, form) else TRICKY
        yield f"{form.value.replace(' ', '-')}{form.suffix}", write_graph(graph, form, {})
        yield f"{form.value}.txt", write_graph(graph, form, {})
    named = [StudyGraph("P", "p", f"F{n}", "A1", "submitted", chain(n)) for n in (1, 2)]
    for form in (GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.TSV, GraphForm.JSON):
        yield f"study-{form.value}{form.suffix}", export_study(named, form)
    files = [(name, whole(content)) for name, content, _message in REFUSED]
    files += [(name, content) for name, content, _notice, _edges in KEPT]
    yield from ((name, content) for name, content in files if len(content) < 5_000_000)


def test_the_child_reads_every_form_and_refuses_every_bad_file_as_we_would(all_outside: None, asked: list[str]) -> None:
    files = list(every_file())
    for name, content in files:
        found, expected = (
            file_reading.read_graphs(name, content, FileChoices()),
            here.graphs_of(name, content, FileChoices()),
        )
        assert same(found, expected), name
    assert asked == ["graphs"] * len(files)
    assert len(files) > 100


def test_answers_about_a_file_reach_the_child(all_outside: None) -> None:
    content = "von,nach\nÄ,Ö\n".encode("cp1252")
    for answer in (FileChoices(), FileChoices("cp1252"), FileChoices("cp1252", {"source": "von", "sink": "nach"})):
        found = file_reading.read_graphs("a.csv", content, answer)
        assert same(found, here.graphs_of("a.csv", content, answer))
    book = write_graph(chain(2), GraphForm.XLSX)
    for sheet in ("nodes", "none"):
        assert same(
            file_reading.read_graphs("a.xlsx", book, FileChoices(sheet=sheet)),
            here.graphs_of("a.xlsx", book, FileChoices(sheet=sheet)),
        )


def test_the_child_reads_triplets_codes_and_references_as_we_would(all_outside: None) -> None:
    rows = "\n".join(json.dumps({**ROW, "paper_id": n, "x": [1, {"a": None}], "sign": "+x"[n % 2]}) for n in range(9))
    codes = ("j.csv", b"paper,jel\nw0001,J31\nw0002,??\n")
    for name, content, table, encoding in (
        ("a.jsonl", rows.encode(), codes, ""),
        ("a.jsonl", rows.encode(), None, ""),
        ("a.csv", b"x", codes, ""),
        ("a.csv", "treatment,outcome,sign\nÄ,B,+\n".encode("cp1252"), None, ""),
        ("a.csv", "treatment,outcome,sign\nÄ,B,+\n".encode("cp1252"), None, "cp1252"),
        ("a.parquet", parquet(treatment=["A", "B"], outcome=["B", "C"], sign=["+", "-"], year=[1.5, 2.0]), codes, ""),
        ("a.parquet", b"PAR1 and no more", None, ""),
    ):
        found = file_reading.read_triplets(name, content, table, encoding)
        assert same(found, here.triplets_of(name, content, table, encoding)), name
    for name, text in (("a.bib", "@article{a, title={T}}"), ("a.ris", "TY  - JOUR\nTI  - T\nER  - \n"), ("a.csv", "")):
        assert same(file_reading.read_references(name, text.encode()), here.references_of(name, text.encode()))


# --- limits -------------------------------------------------------------------------------------------------------

SLOW = """
import os, signal, sys, time
from core.errors import UnreadableDocument
from documents.child import limit_process, serve, take_pipes
from documents.limits import Limits
from services.exchange.import_child import tasks_of, too_much_memory

def graphs(given, content):
    how = given["name"]
    if how == "spin.csv":
        while True: pass
    if how == "sleep.csv":
        time.sleep(60)
    if how == "crash.csv":
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "nonsense.csv":
        return {}, b"[1]"
    return real["graphs"](given, content)

limits = Limits.from_json(sys.argv[1])
pipes = take_pipes()
limit_process(limits)
real = tasks_of(limits)
lines = lambda given, content: graphs({"name": "crash.csv"}, content)
serve({**real, "graphs": graphs, "kind": graphs, "lines": lines}, limits, *pipes)
"""


@pytest.fixture
def with_limits(sqlite_study: Study) -> Iterator[Callable[..., None]]:
    """The study with a child that can be made to hang or die by a file's name, under these limits."""
    pools: list[Pool] = []

    def limited(**limits: Any) -> None:
        chosen = replace(file_pool.LIMITS, **limits)
        program = (sys.executable, "-c", SLOW)
        pools.append(Pool(chosen, 1, program=program, prestart=0, sentences=file_pool.FILES, wait_s=0.3))
        use_study(replace(sqlite_study, file_pool=pools[-1]))

    yield limited
    for pool in pools:
        pool.close()


def said(name: str, content: bytes = LARGE) -> str:
    read = file_reading.read_graphs(name, content, FileChoices())
    assert read.refusal is not None
    found = str(read.refusal)
    assert not any(word in found for word in PDF_WORDS), found
    return found


def test_each_limit_is_named_in_a_sentence_about_files(with_limits: Callable[..., None]) -> None:
    with_limits(cpu_s=1)
    assert said("spin.csv").startswith(
        "spin.csv: Reading it takes more than 1 s of processor time, the limit per file. Split it"
    )
    assert said("nonsense.csv").startswith("nonsense.csv: The file reader returned no usable result (a list of 4")
    assert file_reading.kind_of_file("crash.csv", b"treatment outcome" + LARGE) is FileKind.GRAPHS
    assert file_reading.read_graphs("good.csv", LARGE, FileChoices()).graphs
    with pytest.raises(UnreadableFile, match=r"^The text: The file reader stopped at this"):
        file_reading.read_lines("A -> B\n" * 3_000, MOST)


def test_a_file_that_waits_too_long_is_told_from_one_that_works_too_long(with_limits: Callable[..., None]) -> None:
    with_limits(wall_s=1.0)
    assert said("sleep.csv").startswith("sleep.csv: Reading it took more than 1 s")
    assert file_reading.read_graphs("good.csv", LARGE, FileChoices()).graphs


def test_a_file_that_needs_more_memory_than_it_may_have_is_refused_and_the_next_is_read(
    with_limits: Callable[..., None],
) -> None:
    with_limits(memory_bytes=160_000_000)
    long = b"digraph {" + b"a;" * 300_000
    assert said("long.dot", long).startswith(
        "long.dot: Reading it needs more than 160 MB of memory, the limit per file"
    )
    assert file_reading.read_graphs("good.csv", LARGE, FileChoices()).graphs


def test_the_limits_are_ten_seconds_and_a_thousand_megabytes() -> None:
    limits = file_pool.LIMITS
    assert (limits.cpu_s, limits.memory_bytes, limits.max_answer_bytes) == (10, 1_000_000_000, 200_000_000)


def test_the_child_knows_no_study_and_no_key(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWISE_MODEL_KEY", "not for children")
    with file_pool.file_pool() as pool:
        pool.call("graphs", {"name": "a.csv", "encoding": "", "columns": {}, "sheet": ""}, b"source,sink\na,b\n")
        child = pool._slots[0].child
        assert child is not None
        pid = child.process.pid
        assert b"not for children" not in Path(f"/proc/{pid}/environ").read_bytes()
        maps = Path(f"/proc/{pid}/maps").read_text()
        assert "sqlite" not in maps
        assert "pymupdf" not in maps.lower()
        os.kill(pid, signal.SIGKILL)


# --- by the ways that people go -----------------------------------------------------------------------------------


def test_a_look_at_a_hostile_file_is_one_sentence_on_its_card(
    with_limits: Callable[..., None], people: SimpleNamespace
) -> None:
    with_limits()
    (bad, good) = importing.preview(people.researcher, [("crash.csv", LARGE), ("good.csv", LARGE)]).files
    assert "crash.csv: The file reader stopped at this file; it may be damaged." in bad.error
    assert not any(word in bad.error for word in PDF_WORDS), bad.error
    assert good.graphs[0].rows == 1
    with pytest.raises(BadInput, match=r"crash\.csv: The file reader stopped at this file"):
        importing.import_graphs(people.researcher, [("crash.csv", LARGE)], with_faulty=True, act_id=new_id())


@pytest.mark.skipif(not EVERYTHING, reason="small ones: above")
def test_large_files_are_kept_as_small_ones_are(people: SimpleNamespace, asked: list[str]) -> None:
    importing.import_graphs(people.researcher, [("big.csv", LARGE)], with_faulty=False, act_id=new_id())
    assert importing.imported_graphs(people.researcher)[0].title == "big"
    rows = [{**ROW, "treatment": f"Cause {n}", "context": "x" * 900} for n in range(300)]
    content = "\n".join(map(json.dumps, rows)).encode()
    assert triplet_importing.preview(people.researcher, "t.jsonl", content).triplets == 300
    triplet_importing.import_triplets(people.researcher, "t.jsonl", content, with_faulty=False, act_id=new_id())
    papers = "title,abstract\n" + "".join(f"Paper {n},{'x' * 900}\n" for n in range(300))
    outcome = paper_importing.import_references(people.researcher, "p.csv", papers.encode(), act_id=new_id())
    assert outcome.added == 300
    assert asked == ["graphs", "triplets", "triplets", "references"]


def test_a_zip_inside_a_zip_and_a_bomb_are_refused_by_the_child(people: SimpleNamespace, asked: list[str]) -> None:
    inner = write_archive([("a.csv", b"source,sink\na,b\n")])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.csv", b"source,sink\n" + b"a,b\n" * 2_000_000)
    for name, content, expected in (
        ("in.zip", write_archive([("inner.zip", inner)]), "is a ZIP inside the ZIP"),
        ("bomb.zip", buffer.getvalue(), "unpacks to more than"),
    ):
        assert expected in importing.preview(people.researcher, [(name, content)]).files[0].error
    assert asked == ["graphs", "graphs"]
