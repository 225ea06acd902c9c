"""The frame of results: values of several facts, numbers of equal rows, and slices of a table by a fact."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import analyse
from core.analysis.by import sliced_by
from core.analysis.columns import ItemColumns
from core.analysis.frame import numbered, packed, unpacked
from core.analysis.groupings import by_label
from core.analysis.metrics import ACCURACY
from core.analysis.presets import Part, Preset, ProtocolTables
from core.analysis.slices import Failures, Slice
from core.errors import BadInput
from core.runs.answer_counts import AnswerCounts
from tests.core.analysis.items import frame_of, item, planted

DOMAIN = by_label("domain", "Domain", "no domain")
MAIN = Preset(key="main", title="Main", told="Accuracy.", parts=(Part((ACCURACY,), DOMAIN),))
TABLES = ProtocolTables(
    presets={"main": MAIN},
    told="accuracy",
    labels_of=lambda facts: {},
    cluster_of=lambda facts: None,
)
CELLS = st.text(min_size=1).filter(lambda text: text.strip() != "")


def table(frame: pd.DataFrame, wanted: Slice = Slice()) -> dict[tuple[str, str], float | None]:  # noqa: B008
    (found,) = analyse.tables(analyse.prepared(frame, TABLES, {}, wanted), MAIN, wanted)
    return {place: cell.estimate.value for place, cell in found.cells.items()}


@given(st.lists(CELLS, max_size=4))
def test_values_of_a_fact_are_read_as_they_were_packed(values: list[str]) -> None:
    assert unpacked(packed(values)) == tuple(values)


def test_a_text_in_brackets_that_is_no_json_is_one_value() -> None:
    frame = frame_of([item(1)]).assign(**{"fact.title": "[Draft] Prices and wages"})
    assert ItemColumns.of_frame(frame, {}).kinds[0].values("title") == ("[Draft] Prices and wages",)


@given(st.integers(0, 10_000))
def test_rows_have_one_number_exactly_where_all_their_columns_are_equal(seed: int) -> None:
    frame = frame_of(planted(str(seed), 60))
    names = ["model", "status", "predicted", "fact.jel"]
    numbers = numbered(frame.astype({"status": "category", "predicted": "category"}), names).tolist()
    keys = [tuple(map(str, row)) for row in frame[names].itertuples(index=False)]
    assert [numbers.index(each) for each in numbers] == [keys.index(each) for each in keys]
    assert sorted(set(numbers)) == list(range(len(set(keys))))


def test_a_frame_of_the_needed_columns_alone_is_read() -> None:
    frame = pd.DataFrame({"item": ["1"], "model": ["m"], "sample": ["s"], "status": ["answered"]})
    columns = ItemColumns.of_frame(frame, {})
    assert (len(columns), columns.kinds[0].variant, columns.kinds[0].predicted) == (1, "", None)


# --- slices by a fact --------------------------------------------------------------------------------------------


def sized(*sizes: object) -> pd.DataFrame:
    items = [item(number, sample=f"s{number}", predicted="+-"[number % 2]) for number in range(len(sizes))]
    return frame_of(items).assign(**{"fact.size": [None if size is None else str(size) for size in sizes]})


def test_quartiles_come_from_distinct_samples_and_ties_go_to_the_lower_group() -> None:
    frame = sized(1, 2, 2, 3, 4, 5, 6, 7, 8)
    twice = pd.concat([frame, frame[frame["fact.size"] == "8"]])  # a sample asked twice moves no edge
    found = sliced_by(twice, "size:quartiles")
    groups = dict(zip(twice["fact.size"], found.frame["fact.by"], strict=True))
    assert groups["2"] == "≤ 2" and groups["3"] == groups["4"] == "> 2 to 4" and groups["8"] == "> 6"
    assert found.note == "samples of these runs by size: ≤ 2: 3, > 2 to 4: 2, > 4 to 6: 2, > 6: 2"


def test_a_question_asked_in_two_variants_is_one_sample_for_edges() -> None:
    frame = sized(1, 2, 3, 4, 5, 6, 7)
    both = pd.concat([frame.assign(pair=frame["sample"]), frame.assign(pair=frame["sample"], sample="other")])
    with pytest.raises(BadInput, match="there are 7"):
        sliced_by(both, "size:quartiles")


def test_edges_that_are_given_cut_and_a_sample_without_a_value_has_a_group_of_its_own() -> None:
    found = table(sized(1, 5, 6, None), Slice(by="size:5"))
    assert list(found) == [("m", "≤ 5"), ("m", "> 5"), ("m", "no size")]
    assert list(found.values()) == [0.5, 1.0, 0.0]


def test_a_fact_of_several_values_counts_in_the_group_of_each() -> None:
    frame = frame_of([item(1, jel=("J", "H")), item(2, jel=("J",), predicted="-")])
    assert table(frame, Slice(by="jel")) == {("m", "H"): 1.0, ("m", "J"): 0.5}


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("explicitness", "No sample of these runs has an explicitness. Label texts under Papers → Text."),
        ("colour", "No sample of these runs has a colour."),
        ("size:quartiles", "Quartiles need 8 samples; there are 3."),
        ("size:high", "The edges “high” of size are not quartiles or rising numbers such as 5,10."),
        ("size:9,5", "The edges “9,5” of size are not quartiles or rising numbers such as 5,10."),
        ("domain:quartiles", "The domain of these samples is no number. Slice by domain alone."),
    ],
)
def test_what_cannot_be_sliced_says_why(by: str, said: str) -> None:
    with pytest.raises(BadInput) as error:
        sliced_by(sized(1, 2, 3), by)
    assert str(error.value) == said


# --- failures ----------------------------------------------------------------------------------------------------


def test_failed_answers_count_as_0_or_are_left_out_and_the_heading_says_so() -> None:
    items = [item(1), item(2), item(3, status="unparsable"), item(4, status="refused"), item(5, status="failed")]
    frame = frame_of([*items, item(6, status="excluded")])
    own = analyse.prepared(frame, TABLES, {}, Slice())
    (left_out,) = analyse.tables(own, MAIN, Slice())
    cell = left_out.cells["m", "economics"]
    assert cell.estimate.value == pytest.approx(2 / 3)
    assert cell.counts == AnswerCounts(asked=6, scored=3, empty=1, left_out=2, excluded=1)
    (zero,) = analyse.tables(analyse.prepared(frame, TABLES, {}, Slice(failures=Failures.ZERO)), MAIN, Slice())
    cell = zero.cells["m", "economics"]
    assert cell.estimate.value == pytest.approx(2 / 5)
    assert cell.counts == AnswerCounts(asked=6, scored=3, empty=1, as_zero=2, excluded=1)
    assert zero.of == f"{left_out.of}; refused, truncated and failed answers count as 0"
    assert analyse.prepared(frame, TABLES, {}, Slice(failures=Failures.LEFT_OUT)).note == ""  # the rule of its own
