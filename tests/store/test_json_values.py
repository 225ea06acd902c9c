"""Values of JSON columns that cannot be read: one sentence about the study, never a traceback."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from core.errors import StoreUnavailable
from services.study import Study
from store import json_values
from store.settings import set_setting, setting


def put(study: Study, value: object) -> None:
    """A row as no Edgewise writes it."""
    with study.store.writing() as session:
        set_setting(session, "limits", 1)
        session.execute(text("UPDATE study_setting SET value = :value WHERE key = 'limits'"), {"value": value})


@pytest.mark.parametrize("value", ['{"a": ', "yes!", "", b"\xff\xfe\xfd"])
def test_a_value_that_is_no_json_is_told_with_its_column_and_what_to_do(sqlite_study: Study, value: object) -> None:
    """It was a JSONDecodeError, on every page and for every command."""
    put(sqlite_study, value)
    said = (
        r"^The study is damaged: a value of study_setting\.value is not readable JSON\. Put your last backup in its pl"
    )
    with pytest.raises(StoreUnavailable, match=said), sqlite_study.store.reading() as session:
        setting(session, "limits")
    with pytest.raises(StoreUnavailable, match=said), sqlite_study.store.writing() as session:
        set_setting(session, "other", 2)
        setting(session, "limits")
    with sqlite_study.store.reading() as session:
        assert setting(session, "other") is None


def test_a_value_that_the_database_takes_for_json_and_we_cannot_read_is_told_too(study: Study) -> None:
    """PostgreSQL lets no other in; its program to bring a study back is its own."""
    put(study, "[" * 3_000 + "]" * 3_000)
    where, way = (r"of study_setting\.value", "edgewise.py") if study.store.is_sqlite else ("in it", "pg_restore")
    said = f"^The study is damaged: a value {where} is not .* its place: {way}"
    with pytest.raises(StoreUnavailable, match=said), study.store.reading() as session:
        setting(session, "limits")


def test_many_values_are_read_as_each_would_be() -> None:
    texts = ['{"a": [1, "é"]}', None, "null", "-1.5", '"x, y"', "[]", None]
    assert json_values.read_many(texts) == [None if text is None else json_values.read(text) for text in texts]
    assert json_values.read_many([]) == []
    for damaged in (["1", "2, 3"], ["[1", "2]"], ["", "1"], ['"a', 'b"'], ["1,", "2"]):
        with pytest.raises(json_values.UnreadableJson):
            json_values.read_many(damaged)
