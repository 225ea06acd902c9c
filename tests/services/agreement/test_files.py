"""Tables to take away: every number in the CSV, the paper's form in LaTeX, both and the list behind in the workbook."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import pytest
from openpyxl import load_workbook

from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from services.agreement.annotators import Reference
from services.agreement.files import CELLS, export_table
from services.files import TableForm
from services.study import Study
from tests.conftest import advance
from tests.transcribed_twice import FIRST, SECOND, transcribe


@pytest.fixture
def twice(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    transcribe(people.annotator, a_figure.id, FIRST)
    advance(sqlite_study, minutes=1)
    transcribe(people.colleague, a_figure.id, SECOND)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.usefixtures("twice")
def test_the_csv_has_every_number_unrounded_with_view_reference_and_reasons(people: SimpleNamespace) -> None:
    made = export_table(people.reviewer, AgreementTable.TABLE_20, View.PRINTED, Reference.SECOND, TableForm.CSV)
    assert (made.name, made.media_type) == (
        "study-agreement-table-20-printed-labels-reference-second.csv",
        "text/csv",
    )
    rows = rows_of(made.content)
    assert list(rows[0]) == list(CELLS)
    cells = {(row["element"], row["measure"]): row for row in rows}
    f1 = cells["edges", "F1"]
    assert (f1["view"], f1["reference"], f1["figures"], f1["defined in"]) == ("printed labels", "second", "1", "1")
    assert (f1["mean over figures"], f1["pooled"], f1["mean low"]) == (repr(10 / 14), repr(10 / 14), "")
    assert "there is only one unit, and a bootstrap needs two" in f1["note"]
    kappa = cells["nodes", "Cohen's κ over ordered pairs"]
    assert (kappa["mean over figures"], kappa["pooled"], kappa["defined in"]) == ("", "", "0")
    assert kappa["note"].startswith("it needs a known number of absent elements")


@pytest.mark.usefixtures("twice")
@pytest.mark.parametrize("part", AgreementTable)
def test_every_table_comes_in_every_form(people: SimpleNamespace, part: AgreementTable) -> None:
    for form in TableForm:
        made = export_table(people.reviewer, part, View.ALIGNED, Reference.FIRST, form)
        assert made.name.endswith(f"{part.value}-aligned-names-reference-first.{form.value}")
        assert made.content
        assert people.annotator.name.encode() not in made.content
    latex = export_table(people.reviewer, part, View.ALIGNED, Reference.FIRST, TableForm.LATEX).content.decode()
    assert r"\toprule" in latex and "(aligned names)" in latex
    assert "reference: the transcription submitted first" in latex


@pytest.mark.usefixtures("twice")
def test_latex_prints_both_ways_of_adding_figures_up_by_name(people: SimpleNamespace) -> None:
    latex = export_table(
        people.reviewer, AgreementTable.TABLE_20, View.PRINTED, Reference.FIRST, TableForm.LATEX
    ).content.decode()
    assert r"edges & mean $\pm$ sd, 1 figure & 0.7143 $\pm$ 0.0000 & " in latex
    assert "edges & pooled & 0.7143 & 0.7143 & 0.7143 & 4 & " in latex
    assert r"nodes & pooled & 0.8333 & 1.0000 & 0.9091 & 1 & 0.2000 & -- \\" in latex


@pytest.mark.usefixtures("twice")
def test_table_21_is_of_counts_with_its_total(people: SimpleNamespace) -> None:
    content = export_table(
        people.reviewer, AgreementTable.TABLE_21, View.PRINTED, Reference.FIRST, TableForm.CSV
    ).content
    first, last = rows_of(content)
    assert (first["figure"], first["# nodes"], first["# edges"], first["edge FN"]) == (
        "Grain and people · Figure 1",
        "5",
        "7",
        "2",
    )
    assert (last["figure"], last["node FP"]) == ("Total", "1")


@pytest.mark.usefixtures("twice")
def test_the_workbook_lists_the_disagreements_too(people: SimpleNamespace) -> None:
    content = export_table(
        people.reviewer, AgreementTable.TABLE_21, View.PRINTED, Reference.FIRST, TableForm.XLSX
    ).content
    book = load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["table", "numbers", "disagreements", "about"]
    listed = list(book["disagreements"].iter_rows(min_row=2, values_only=True))
    assert len(listed) == 6
    assert listed[0][1:6] == ("name", "Harvest", None, "Harvest", "harvest")
    assert any("seed 1" in str(cell.value) for (cell,) in book["about"].iter_rows())
