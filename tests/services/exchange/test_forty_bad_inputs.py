"""Forty bad inputs, each with what a person is told; what is refused leaves nothing behind. Run with -s for the table.

Files of graphs are those of test_bad_imports.py, documents those of tests/documents: here each stands under its number
with the words it must be answered by. An input for which nothing is built says so in its row, and why.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import func, literal, select, union_all

from core.errors import EdgewiseError
from documents.limits import Limits
from documents.pool import Pool
from documents.reader import Reader
from exchange.graphs import GraphForm
from services.backups.backup import backup
from services.backups.restoring import restore
from services.graphs import exporting, importing
from services.papers import importing as paper_importing
from services.study import Study, use_study
from services.transcription import reading, transcribing
from services.triplets import importing as triplet_importing
from services.triplets import scoring
from store.tables import metadata, new_id
from tests.documents.conftest import made, pool
from tests.services.backup_parts import manifest_with, rewritten
from tests.services.exchange.test_bad_imports import KEPT, REFUSED, whole
from tests.services.scoring_parts import bring_in, rows_of, take

__all__ = ["made", "pool"]  # fixtures of the documents' tests

FILES: dict[str, bytes | Callable[[], bytes]] = {name: content for name, content, _notice, _edges in KEPT}
FILES |= {name: content for name, content, _message in REFUSED}
FILES |= {
    "bom.csv": "\ufeffsource,sink\nÄ,B\n".encode(),
    "opposite.csv": b"source,sink,sign\nA,B,+\nA,B,-\n",
    "cut-off.pdf": b"%PDF-1.7\n" + bytes(60_000_000),
    "yaml.yaml": b"judge: &j [1, 2]\nagain: *j\nevil: !!python/object/apply:os.system ['true']\n",
    "bad-line.jsonl": b"\n".join([*(json.dumps(row).encode() for row in rows_of(36)), b'{"treatment": "A" "outcome"}']),
    "half-score.jsonl": json.dumps(rows_of(1, critics={"critic 1": {"sign": {"score": 2.5}}})[0]).encode() + b"\n",
}
SLOWEST_S = 10.0


@dataclass(frozen=True)
class Place:
    """What the rows work on: a study with a drawing, a triplet being scored, and documents of every kind."""

    study: Study
    people: SimpleNamespace
    made: Path
    work: str
    sheet: str
    taken: Path

    def graphs(self, name: str) -> str:
        """Preview an import of graphs; all that its card says."""
        (file,) = importing.preview(self.people.owner, [(name, whole(FILES[name]))]).files
        said = [file.error, *(str(fault) for fault in file.faults)]
        for graph in file.graphs:
            said += [graph.obstacle, *(str(fault) for fault in graph.faults), *graph.notices]
            said += [f"{edge.source} → {edge.sink}" for edge in list(graph.graph.edges)[:5]]
        return told(said)

    def document(self, name: str, content: bytes | None = None) -> str:
        """Upload a paper; what is said of it."""
        given = (self.made / name).read_bytes() if content is None else content
        try:
            return told(paper_importing.import_file(self.people.owner, name, given, act_id=new_id()).notices)
        except EdgewiseError as error:
            return str(error)

    def typed(self, text: str) -> str:
        """Type or paste lines of edges."""
        seen = reading.transcription(self.people.annotator, self.work).version
        outcome = transcribing.add_lines(
            self.people.annotator, self.work, text, pasted=True, seen=seen, act_id=new_id()
        )
        return told([*(f"{fault.message} {fault.offer}" for fault in outcome.faults), *outcome.notices])

    def triplets(self, name: str) -> str:
        found = triplet_importing.preview(self.people.owner, name, whole(FILES[name]))
        return told([found.error, *(str(fault) for fault in found.faults)])

    def scored(self, *values: object) -> str:
        said = []
        for value in values:
            try:
                scoring.score(self.people.expert, self.sheet, "sign", value, seen=1, act_id=new_id())  # type: ignore[arg-type]
                said.append(f"TAKEN: {value!r}")
            except EdgewiseError as error:
                said.append(str(error))
        return told(said)

    def restored(self, **changed: object) -> str:
        try:
            restore(rewritten(self.taken, manifest_with(**changed)), self.taken.parent / "again" / "again.edgewise")
            return "RESTORED"
        except EdgewiseError as error:
            return str(error)

    def exported(self, form: GraphForm) -> str:
        return exporting.export_transcription(self.people.annotator, self.work, form).content.decode()


def told(said: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(filter(None, said)))


@dataclass(frozen=True)
class Case:
    """One bad input: what it is, how it is given, what must be said (patterns), and whether it is refused."""

    number: int
    what: str
    give: Callable[[Place], str]
    says: tuple[str, ...]
    is_refused: bool = True
    note: str = ""


Give = Callable[[Place], str]


def graphs(name: str) -> Give:
    return lambda place: place.graphs(name)


def document(name: str, content: bytes | None = None) -> Give:
    return lambda place: place.document(name, content)


def typed(text: str) -> Give:
    return lambda place: place.typed(text)


def triplets(name: str) -> Give:
    return lambda place: place.triplets(name)


def scored(*values: object) -> Give:
    return lambda place: place.scored(*values)


def restored(**changed: object) -> Give:
    return lambda place: place.restored(**changed)


def several(*gives: Give) -> Give:
    return lambda place: told([give(place) for give in gives])


CASES = (
    Case(
        1,
        "empty file",
        several(graphs("empty.csv"), document("empty.pdf", b"")),
        ("the file is empty", "The file is empty; upload it again"),
    ),
    Case(
        2,
        "HTML login page named .pdf",
        document("login.pdf", b"<!DOCTYPE html><html>Sign in"),
        (r"web page, not a PDF \(publisher sign-in",),
    ),
    Case(
        3,
        "truncated PDF",
        several(document("truncated.pdf"), document("half.pdf")),
        ("Cut off or damaged: no page could be read", "Damaged; repaired, 6 pages could be read. Check"),
        False,
    ),
    Case(4, "encrypted PDF", document("encrypted.pdf"), ("Password-protected; upload a copy without a password",)),
    Case(
        5,
        "PDF of no pages, or that lies about them",
        several(document("no_pages.pdf"), document("count_lie.pdf")),
        (r"no_pages.pdf: No readable pages\..*count_lie.pdf: No readable pages\.",),
    ),
    Case(6, "PDF bomb", document("bomb.pdf"), (r"Stopped after \d+ s of work",)),
    Case(7, "huge page box", document("huge.pdf"), (r"Page too large to draw \(1\); text still available",), False),
    Case(
        8,
        "scan without text",
        document("scan.pdf"),
        ("No text layer: names and arrows are read from the image",),
        False,
    ),
    Case(
        9,
        "hidden text in a PDF",
        document("hidden.pdf"),
        (r"Contains invisible text \(23 characters, page 1\)",),
        False,
    ),
    Case(
        10,
        "same PDF twice",
        several(document("good.pdf"), document("good.pdf")),
        ("Already in the study as “Rainfall raises the harvest. Page 1.”",),
        False,
    ),
    Case(11, "60 MB PDF", document("big.pdf", whole(FILES["cut-off.pdf"])), ("60 MB; over 50 MB",)),
    Case(12, "UTF-16 CSV", graphs("wide.csv"), ("was read as UTF-16", "Preis → Ärger"), False),
    Case(13, "Latin-1 CSV", graphs("latin.csv"), (r"not UTF-8\. Which encoding is it\?",)),
    Case(14, "CSV with a byte order mark", graphs("bom.csv"), ("^Ä → B$",), False),
    Case(15, "semicolon CSV", graphs("semicolon.csv"), ("separated by a semicolon", "A, net → B"), False),
    Case(16, "unclosed quote", graphs("quote.csv"), ("line 3; a quote is opened here and never closed",)),
    Case(17, "ragged rows", graphs("ragged.csv"), ("line 2: .*4 fields, expected 2",)),
    Case(18, "header twice", graphs("twice.csv"), ("two columns are named source; rename one",)),
    Case(19, "missing column", graphs("missing.csv"), ("needs the columns source and sink; found first, second",)),
    Case(20, "labels None, NA, null", graphs("words.csv"), ("None → NA", "null → 007", "NaN → nan"), False),
    Case(21, "id 007", graphs("words.csv"), ("→ 007",), False),
    Case(22, "NUL in a label", graphs("nul.csv"), (r"a control character \(U\+0000\) at position 2; remove it",)),
    Case(23, "formula label", graphs("formula.csv"), ("begin like a formula", r"=1\+1 → B"), False),
    Case(
        24,
        "script label",
        graphs("script.csv"),
        (r"^<script>alert\(1\)</script> → B$",),
        False,
        "that it is shown and never run: tests/browser/test_every_screen.py",
    ),
    Case(25, "10,000-character label", graphs("long.csv"), ("10,000 characters; a name may have at most 300",)),
    Case(
        26,
        "empty, blank or zero-width label",
        several(graphs("zero.csv"), graphs("blank-sink.json")),
        ("The name is empty", "an edge needs a sink"),
    ),
    Case(
        27,
        "Café in two Unicode forms, hard space",
        graphs("cafe.csv"),
        ("White space or accents were tidied in 1 name", "Café → B"),
        False,
    ),
    Case(
        28,
        "right-to-left override",
        graphs("right.csv"),
        (r"a text-direction character \(U\+202E\) at position 2",),
        note="refused rather than marked",
    ),
    Case(29, "self-loop", graphs("loop.csv"), ("^A → A$",), False, "the desk marks it: self-loop"),
    Case(
        30,
        "edge twice; same edge, opposite sign",
        several(graphs("again.csv"), graphs("opposite.csv")),
        ("is already listed in line 2", "2 different signs; all are kept"),
        False,
    ),
    Case(
        31,
        "label that holds an arrow",
        typed("NH4->NO3 rate -> Yield"),
        ("An arrow touches a name", '"NH4->NO3 rate" -> "Yield"'),
        False,
    ),
    Case(
        32,
        "chain, drawn arrow",
        graphs("chain.txt"),
        ("a → b", "b → c", "d → e"),
        False,
        "expanded without a question; the preview lists every edge",
    ),
    Case(
        33,
        "signs positive, 1, en dash; unknown sign",
        several(graphs("signs.csv"), graphs("sign.csv")),
        (r"“positive” was read as \+", "found 'maybe'; an edge's sign is"),
        False,
    ),
    Case(
        34,
        "JSON lines with a bad line 37",
        triplets("bad-line.jsonl"),
        ("line 37.*not JSON at character 19; a line contains one JSON object",),
    ),
    Case(
        35,
        "JSON with NaN, a key twice, deep nesting",
        several(graphs("nan.json"), graphs("key.json"), graphs("deep.json")),
        ("NaN is not a JSON value", 'the key "source" is listed twice', "nested deeper than 32"),
    ),
    Case(
        36,
        "YAML with anchors and tags",
        graphs("yaml.yaml"),
        ("yaml.yaml is YAML; these are read: .bif, .csv",),
        note="nothing reads YAML yet, so there are no anchors to refuse",
    ),
    Case(
        37,
        "score 2.5, 9, empty, a word",
        several(scored(2.5, 9, True, "", "three"), triplets("half-score.jsonl")),
        (
            "sign: found 2.5; expected a whole number from 0 to 3",
            "found 9",
            "found True",
            "found ''",
            "found 'three'",
            r"line 1.*2\.5",
        ),
    ),
    Case(
        38,
        "zip with ../, 10,000 members, a gigabyte inside",
        several(graphs("up.zip"), graphs("many.zip"), graphs("huge.zip")),
        (r"\.\./\.\./evil\.csv", "2,001", "huge.csv"),
    ),
    Case(
        39,
        "made by an older or newer version",
        several(graphs("newer.json"), restored(format=2), restored(format=0)),
        (
            "made with version 3; this Edgewise reads version 1",
            "made with backup format 2; this Edgewise reads format 1",
            "backup format 0",
        ),
    ),
    Case(40, "our own export, edited by hand", graphs("changed.json"), ("[Cc]hanged since",), False),
)


@pytest.fixture
def hasty(sqlite_study: Study, tmp_path: Path) -> Iterator[Study]:
    """The study with document readers that give up after two seconds of work."""
    with Pool(Limits(cpu_s=2, wall_s=5.0), prestart=1) as readers:
        study = replace(sqlite_study, pool=readers, reader=Reader(readers, tmp_path / "pages"))
        use_study(study)
        yield study


@pytest.fixture
def place(hasty: Study, people: SimpleNamespace, a_figure: SimpleNamespace, made: Path, tmp_path: Path) -> Place:
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    bring_in(people.owner, rows_of(2))
    return Place(
        hasty, people, made, work, take(people.expert), backup(people.owner, tmp_path / "backups" / "one.zip").path
    )


COUNTED = union_all(*(select(literal(table.name), func.count()).select_from(table) for table in metadata.sorted_tables))


def rows_in(study: Study) -> dict[str, int]:
    with study.store.reading() as session:
        return {row[0]: row[1] for row in session.connection().execute(COUNTED)}


def test_there_are_forty() -> None:
    assert [case.number for case in CASES] == list(range(1, 41))


@pytest.mark.proof(
    "T6", "bad inputs, each answered by its sentence", gate="40 of 40, nothing partly kept, at most 10 s each"
)
def test_each_of_forty_bad_inputs_is_answered_by_its_sentence(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    faults, slowest, table = [], 0.0, []
    for case in CASES:
        before = rows_in(place.study) if case.is_refused else {}
        began = time.monotonic()
        said = case.give(place)
        slowest = max(slowest, time.monotonic() - began)
        missing = [pattern for pattern in case.says if not re.search(pattern, said)]
        table.append(f"{case.number:2}  {case.what:50}  {said[:160]}" + (f"  ({case.note})" if case.note else ""))
        if missing:
            faults.append(f"{case.number} {case.what}: {missing} not in {said!r}")
        if case.is_refused and rows_in(place.study) != before:
            faults.append(f"{case.number} {case.what}: something was kept of what is refused")
    print("", *table, sep="\n")
    record_property("repetitions", len(CASES))
    record_property("figure", f"{len(CASES) - len(faults)} of {len(CASES)} said right; slowest answer {slowest:.1f} s")
    assert faults == []
