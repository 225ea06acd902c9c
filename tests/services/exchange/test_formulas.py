"""No cell of a file that leaves runs in a spreadsheet, in a study whose people wrote formulas into every text."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from openpyxl import load_workbook
from sqlalchemy import text

from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.errors import BadInput
from core.people import Role, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from exchange.archive import open_archive
from exchange.edge_rows import FORMULA_STARTS
from exchange.forms import GraphForm
from exchange.triplet_rows import TripletForm
from services.acting import TERMINAL, terminal_viewer
from services.agreement import files as agreement_files
from services.agreement import rater_files
from services.agreement.annotators import Reference
from services.agreement.rater_tables import RaterPart
from services.files import TableForm
from services.graphs import comparing, exporting
from services.people import credit, people
from services.releases import releasing
from services.releases.files import ReleaseForm
from services.results import files as result_files
from services.results import results
from services.runs import reading
from services.runs.exports import files as run_files
from services.study import current_study, open_study, use_study
from services.transcription import effort
from services.triplets import exporting as triplet_exporting
from services.triplets import lists
from services.verdicts import exporting as review_exporting
from tests.one_demo import copied

ROOT = Path(__file__).resolve().parents[3]
TEXTS = {
    "paper": ("title", "source"),
    "figure": ("label", "caption"),
    "person": ("name",),
    "node": ("name", "name_key"),
    "edge": ("note",),
    "graph": ("title",),
    "run": ("title",),
    "triplet_paper": ("title", "author", "venue", "external_id"),
    "triplet": ("treatment", "outcome", "context"),
    "critic_score": ("reason",),
    "ruling": ("comment",),
    "verdict_override": ("reason", "note"),
}
"""Columns that people, papers and models fill."""
FORMS = [form for form in GraphForm if form.suffix in (".csv", ".tsv", ".xlsx")] + [GraphForm.GRAPHML]
READ_BACK = frozenset({"graphs csv", "graphs csv zip", "graphs tsv", "graphs tsv zip", "triplets csv", "scores csv"})
"""Forms that a program reads back cell by cell, each with a twin for spreadsheets."""


@pytest.fixture(scope="module")
def owner(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    home = tmp_path_factory.mktemp("formulas")
    place = copied(made_demo, home)
    raw = sqlite3.connect(place)
    for (trigger,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f'DROP TRIGGER "{trigger}"')  # some rows are never changed
    for table, columns in TEXTS.items():
        for column in columns:
            raw.execute(f"UPDATE {table} SET {column} = '=' || {column} WHERE {column} <> ''")
    raw.commit()
    raw.close()
    study = open_study(str(place), home)
    use_study(study)
    row = next(person for person in people.list_people(terminal_viewer()) if Role.OWNER in person.roles)
    yield Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL)
    use_study(None)
    study.close()


def exported(viewer: Viewer, folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """What is exported, the name of its file, and its bytes."""
    for graph_form in FORMS:
        made = exporting.export_study_zip(viewer, graph_form, with_drafts=True)
        yield f"graphs {graph_form} zip", made.name, made.content
        with suppress(BadInput):  # a form that holds one graph
            made = exporting.export_study(viewer, graph_form, with_drafts=True)
            yield f"graphs {graph_form}", made.name, made.content
    with current_study().store.reading() as session:
        pair = session.execute(text("SELECT reference_id, candidate_id FROM alignment")).one()
    lines = reading.runs(viewer)
    runs = [line.id for line in lines]
    tables = [comparing.export_comparison(viewer, *pair), effort.export_effort(viewer), credit.export_credit(viewer)]
    for form in (TableForm.CSV, TableForm.XLSX):
        tables.append(
            agreement_files.export_table(viewer, AgreementTable.TABLE_20, View.PRINTED, Reference.FIRST, form)
        )
        tables.append(rater_files.export_table(viewer, RaterPart.EXPERTS, Boundary.GE, form))
    tables.append(agreement_files.export_verdicts(viewer))
    for run_id in runs:  # all tables of results have one writer
        for preset in results.presets_of(viewer, [run_id])[:1]:
            tables.append(result_files.export(viewer, [run_id], preset.key, TableForm.CSV))
    for line in lines:
        if "judge" in line.tasks:
            tables += review_exporting.export(viewer, line.id)
    for made in tables:
        yield f"table {made.name}", made.name, made.content
    for number, run_id in enumerate(runs):
        with (folder / f"{number}.zip").open("w+b") as file:
            run_files.export_run(viewer, run_id, file)
        yield f"run {number}", "run.zip", (folder / f"{number}.zip").read_bytes()
    for release_form in (ReleaseForm.ZIP, ReleaseForm.CSV):
        made = releasing.export(viewer, 1, release_form)
        yield f"release {release_form}", made.name, made.content
    (collection,) = lists.collections(viewer)
    for is_safe, words in ((False, "triplets csv"), (True, "triplets csv for spreadsheets")):
        taken = triplet_exporting.export_triplets(viewer, collection.id, TripletForm.CSV, spreadsheet=is_safe)
        yield words, taken.name, taken.content
        taken = triplet_exporting.export_scores(viewer, Rubric.ECONCAUSAL, TripletForm.CSV, spreadsheet=is_safe)
        yield words.replace("triplets", "scores"), taken.name, taken.content


def running_cells(name: str, content: bytes) -> list[str]:
    """Cells that a spreadsheet would run, in a file and in those of an archive."""
    if name.endswith(".zip"):
        return [cell for part in open_archive(content, name) for cell in running_cells(part.name, part.content)]
    if name.endswith(".xlsx"):
        sheets = load_workbook(io.BytesIO(content)).worksheets
        return [f"{name}: {cell.value}" for sheet in sheets for row in sheet for cell in row if cell.data_type == "f"]
    if not name.endswith((".csv", ".tsv")):
        return []
    table = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter="\t" if ".tsv" in name else ",")
    cells = (cell for row in table for cell in row)
    return [f"{name}: {cell}" for cell in cells if is_formula(cell)]


def is_formula(cell: str) -> bool:
    """A sign alone and a number run nothing."""
    with suppress(ValueError):
        float(cell)
        return False
    return cell[:1] in FORMULA_STARTS and cell not in ("+", "-")


def test_no_exported_file_runs_a_formula_but_those_that_a_program_reads_back(owner: Viewer, tmp_path: Path) -> None:
    found = {words: running_cells(name, content) for words, name, content in exported(owner, tmp_path)}
    assert {words for words, cells in found.items() if cells} <= READ_BACK
    assert found["graphs csv"], "the study is full of formulas"
    assert len(found) > 30


WRITERS = {"csv.writer": {"exchange/edge_table.py"}, "Workbook(": {"exchange/sheet_writing.py"}}
EXACT = {"exchange/edge_table.py", "services/releases/files.py"}


def test_one_module_writes_csv_files_one_writes_workbooks_and_exact_cells_are_listed() -> None:
    found: dict[str, set[str]] = {words: set() for words in (*WRITERS, "DictWriter", ".to_csv(", ".to_excel(")}
    exact = set()
    for folder in ("cli", "components", "core", "exchange", "pages", "protocols", "runs", "services", "store", "web"):
        for file in (ROOT / folder).rglob("*.py"):
            source, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
            for words, names in found.items():
                names |= {name} if words in source else set()
            exact |= {name} if "safe=False" in source or "safe: bool = False" in source else set()
    assert {words: names for words, names in found.items() if names} == WRITERS
    assert exact == EXACT
