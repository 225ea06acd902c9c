"""A frame of results is read as it was written, and a file that anyone made with what is wrong in it."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, UnreadableFile
from exchange.result_frame import FrameForm, read_frame, write_frame
from tests.core.analysis.items import frame_of, planted

HEADING = "item,sample,model,status"
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("form", FrameForm)
def test_a_frame_is_read_as_it_was_written(form: FrameForm) -> None:
    frame = frame_of(planted("file", 200)).assign(repeat=0, sample="=1+1", **{"count.cycles": 3.0})
    back = read_frame(write_frame(frame, form), "items")
    assert set(back.columns) == set(frame.columns)
    for name in frame.columns:
        before, after = (each[name].astype(object) for each in (frame, back))
        assert before.where(before.notna(), None).tolist() == after.where(after.notna(), None).tolist(), name
    assert write_frame(back, form) == write_frame(frame, form)


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_numbers_are_read_back_exactly(numbers: list[float]) -> None:
    one = pd.DataFrame({"item": "i", "sample": "s", "model": "m", "status": "answered", "score.answer": numbers})
    for form in FrameForm:
        assert read_frame(write_frame(one, form), "items")["score.answer"].tolist() == numbers


def test_a_file_of_few_columns_says_what_is_right_by_its_labels() -> None:
    content = (
        f"{HEADING},true,predicted\n1,a,m,answered,+,+\n2,b,m,answered,+,-\n3,c,m,unparsable,+,\n4,d,m,refused,+,\n"
    )
    found = read_frame(content.encode(), "answers.csv")["right"]
    assert found.where(found.notna(), None).tolist() == [True, False, False, None]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_of_a_spreadsheet_is_read(separator: str) -> None:
    content = f"\ufeff{HEADING}\r\n1,a,m,answered\r\n".replace(",", separator)
    assert read_frame(content.encode(), "answers.csv")["model"].tolist() == ["m"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "item,sample,status\n1,a,answered\n",
            "answers.csv has no column `model`. A table of items needs item, model, sample and status.",
        ),
        (f"{HEADING},right\n1,a,m,answered,high\n", "answers.csv, line 2, right: found 'high'; expected true or false"),
        (
            f"{HEADING},score.f1\n1,a,m,answered,high\n",
            "answers.csv, line 2, score.f1: found 'high'; expected a number",
        ),
        (f"{HEADING}\n1,a,,answered\n", "answers.csv, line 2, model; it is empty"),
    ],
)
def test_a_faulty_cell_is_listed_with_its_row_and_column(content: str, said: str) -> None:
    with pytest.raises(BadInput) as error:
        read_frame(content.encode(), "answers.csv")
    assert str(error.value) == said


def test_every_faulty_cell_is_listed() -> None:
    with pytest.raises(BadInput) as error:
        read_frame(f"{HEADING}\n1,a,m,done\n2,b,m,answered\n3,c,m,gone\n".encode(), "answers.csv")
    assert [line.split(",")[1] for line in str(error.value).splitlines()] == [" line 2", " line 4"]


@pytest.mark.parametrize("content", [b"PAR1 and no more", b"\xff\xfe", b""])
def test_a_file_that_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises((UnreadableFile, BadInput)):
        read_frame(content, "answers")
