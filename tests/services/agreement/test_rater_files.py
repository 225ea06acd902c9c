"""Tables of raters' agreement as values and files: each number with its n, reason and triplets, printed and exact."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from types import SimpleNamespace

import openpyxl
import pytest

from core.errors import Refused
from core.people import Role, Viewer
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary
from services.agreement import compared, rater_files, rater_lists, rater_tables, raters, validation
from services.agreement.rater_tables import RaterPart, Scale
from services.files import TableForm
from services.study import Study
from services.triplets import lists
from tests.services.scoring_parts import bring_in, critics, hand_in, rows_of, six, take
from tests.shared_fixture import laid_once


@pytest.fixture
def scored(
    sqlite_study: Study, people: SimpleNamespace, newcomer: Callable[..., Viewer], request: pytest.FixtureRequest
) -> list[Viewer]:
    """Three triplets, scored by two experts; the second is one point lower on causality."""

    def make() -> list[Viewer]:
        rows = rows_of(3)
        for row, values in zip(rows, ((3,) * 6, (2, 3, 3, 2, 3, 2), (1,) * 6), strict=True):
            row["critics"] = critics(*values)
        bring_in(people.researcher, rows)
        experts = [newcomer(f"Expert {number}", Role.EXPERT) for number in (1, 2)]
        for place, expert in enumerate(experts):
            for values in ((3, 3, 3, 3, 3, 3), (2, 3, 3, 3, 3, 2), (1, 1, 1, 2, 1, 1)):
                hand_in(expert, take(expert), six(*(value - (place and key == 3) for key, value in enumerate(values))))
        return experts

    return laid_once(request, sqlite_study, make, people)


def tables(viewer: Viewer) -> dict[RaterPart, rater_tables.RaterTable]:
    found = raters.scoring_agreement(viewer), validation.validation_agreement(viewer)
    return {part: rater_tables.rater_table(part, *found) for part in RaterPart}


def rows(viewer: Viewer, part: RaterPart) -> list[dict[str, str]]:
    content = rater_files.export_table(viewer, part, Boundary.GE, TableForm.CSV).content
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_every_line_has_a_cell_a_column(scored: list[Viewer], people: SimpleNamespace) -> None:
    for table in tables(people.reviewer).values():
        assert all(len(line.cells) == len(table.columns) for line in table.lines)
    assert len(tables(people.reviewer)[RaterPart.ICC].lines) == 12
    assert [line.head for line in tables(people.reviewer)[RaterPart.PAIRS].lines] == ["A7 and A8"]


def test_before_anything_is_scored_the_tables_are_all_undefined(sqlite_study: Study, people: SimpleNamespace) -> None:
    found = tables(people.reviewer)
    assert found[RaterPart.PAIRS].lines == ()
    cells = [cell for table in found.values() for line in table.lines for cell in line.cells]
    assert {cell.found.value for cell in cells if cell.scale is Scale.COUNT} == {0.0}
    assert all(cell.found.value is None and cell.found.reason for cell in cells if cell.scale is not Scale.COUNT)


def test_the_csv_has_every_number_with_its_n_and_its_reason(scored: list[Viewer], people: SimpleNamespace) -> None:
    found = {(row["line"], row["measure"]): row for row in rows(people.reviewer, RaterPart.CRITICS)}
    # causality: critics 3 2 1, expert 1 gave 3 3 2, expert 2 gave 2 2 1: |0| |1| |1| |1| |0| |0|, bias −1/6
    error, bias = found["causality", "MAE"], found["causality", "bias"]
    assert (float(error["value"]), error["n"], error["triplets"], error["boundary"]) == (0.5, "6", "3", "ge")
    assert float(bias["value"]) == pytest.approx(-1 / 6)
    assert found["all six", "bias"]["value"] == ""
    assert found["all six", "bias"]["note"] == "it is computed criterion by criterion"
    assert "the critics' mean and the expert's score" in error["columns"]


def test_the_latex_names_the_papers_own_figures_and_the_boundary(scored: list[Viewer], people: SimpleNamespace) -> None:
    text = rater_files.export_table(people.reviewer, RaterPart.VERDICTS, Boundary.GT, TableForm.LATEX).content.decode()
    assert r"73.8\% agreement" in text
    assert "0.229" in text
    assert "exactly 15 is rejected" in text
    assert r"\label{tab:raters-verdicts}" in text


def test_the_workbook_holds_the_printed_table_and_the_numbers(scored: list[Viewer], people: SimpleNamespace) -> None:
    made = rater_files.export_table(people.reviewer, RaterPart.ICC, Boundary.GE, TableForm.XLSX)
    assert made.name.endswith("-raters-icc-ge.xlsx")
    book = openpyxl.load_workbook(io.BytesIO(made.content))
    assert book.sheetnames == ["table", "numbers", "about"]
    assert (book["table"].max_row, book["numbers"].max_row) == (13, 73)


@pytest.mark.parametrize("part", list(RaterPart))
@pytest.mark.parametrize("form", list(TableForm))
def test_every_table_is_written_in_every_form_also_when_empty(
    sqlite_study: Study, people: SimpleNamespace, part: RaterPart, form: TableForm
) -> None:
    assert rater_files.export_table(people.reviewer, part, Boundary.GE, form).content


def test_the_triplets_behind_a_number_come_in_its_order_with_everybodys_scores(
    scored: list[Viewer], people: SimpleNamespace
) -> None:
    cell = tables(people.reviewer)[RaterPart.CRITICS].lines[3].cells[0]
    behind = rater_lists.scored_triplets(people.reviewer, cell.triplet_ids, Rubric.ECONCAUSAL)
    assert [each.triplet.id for each in behind] == list(cell.triplet_ids)
    assert [[scores[3] for _, scores in each.experts] for each in behind] == [[3, 2], [3, 2], [2, 1]]
    assert [each.passes_filter for each in behind] == [True, True, False]
    assert rater_lists.scored_triplets(people.reviewer, cell.triplet_ids, Rubric.VALIDATION) == ()


def test_what_the_viewer_scores_now_is_not_among_them(scored: list[Viewer], people: SimpleNamespace) -> None:
    bring_in(people.researcher, rows_of(1, context="another"), "second.jsonl")
    take(people.researcher)
    hand_in(scored[0], take(scored[0]))
    every = [line.id for line in lists.triplets_of(people.owner).lines]
    seen = {
        name: len(rater_lists.scored_triplets(getattr(people, name), every, Rubric.ECONCAUSAL))
        for name in ("reviewer", "researcher")
    }
    assert seen == {"reviewer": 4, "researcher": 3}


def test_who_may_yet_score_a_triplet_is_told_no_score_before_opening_it(
    scored: list[Viewer], people: SimpleNamespace
) -> None:
    every = [line.id for line in lists.triplets_of(people.owner).lines]
    before = rater_lists.scored_triplets(people.researcher, every, Rubric.ECONCAUSAL)
    assert [(each.is_blind, each.experts, each.means, each.passes_filter) for each in before] == [
        (True, (), (), None)
    ] * 3
    compared.compared(people.researcher, every[1])
    after = rater_lists.scored_triplets(people.researcher, every, Rubric.ECONCAUSAL)
    assert [(each.triplet.id, each.is_blind) for each in after] == [
        (every[1], False),
        (every[0], True),
        (every[2], True),
    ]
    assert len(after[0].experts) == 2
    assert not any(each.is_blind for each in rater_lists.scored_triplets(people.reviewer, every, Rubric.ECONCAUSAL))


@pytest.mark.parametrize("role", ["annotator", "expert"])
def test_only_who_reviews_may_ask(scored: list[Viewer], people: SimpleNamespace, role: str) -> None:
    viewer = getattr(people, role)
    with pytest.raises(Refused):
        rater_files.export_table(viewer, RaterPart.ICC, Boundary.GE, TableForm.CSV)
    with pytest.raises(Refused):
        rater_lists.scored_triplets(viewer, [], Rubric.ECONCAUSAL)
