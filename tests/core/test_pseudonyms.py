"""Names are found however they are written, and nothing else is touched."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary, parts_of

ZOE = NamedPerson("Zoë Quillfeather", "A3", ("Quillfeather",))
BOTH = Pseudonyms([ZOE, NamedPerson("Bo Tarn-Weiß", "A4", ("Weiß",))])


@pytest.mark.parametrize(
    "written",
    [
        "Zoë Quillfeather",
        "ZOË QUILLFEATHER",
        "zoe quillfeather",
        "Quillfeather, Zoë",
        "zoë_quillfeather",
        "zoe.quillfeather",
        "Zoë\nQuillfeather",
        "ZoëQuillfeather",
        "Zoe\u0308 Quillfeather",
        r"Zo\u00eb Quillfeather",
        r"Zo\u00EB Quillfeather",
        "quillfeather",
        unicodedata.normalize("NFD", "Zoë Quillfeather"),
    ],
)
def test_a_name_is_found_however_it_is_written(written: str) -> None:
    assert BOTH.may_hold(f"asked {written}'s note")
    assert BOTH.replaced(f"asked {written}'s note") == "asked A3's note"
    assert BOTH.count(f"{written}; {written}") == 2


@pytest.mark.parametrize("written", ["quillfeathers", "Zoe", "unquillfeather", "Quill Feather", "tarn", "Bo"])
def test_other_words_stay(written: str) -> None:
    assert BOTH.replaced(written) == written


def test_file_names_and_addresses_lose_names() -> None:
    assert BOTH.replaced("map_zoe_quillfeather_v2.pdf") == "map_A3_v2.pdf"
    assert BOTH.replaced("zoe.quillfeather@example.org") == "A3@example.org"


def test_longer_names_go_first() -> None:
    names = Pseudonyms([NamedPerson("Ann Lee", "A1", ()), NamedPerson("Ann Lee Brook", "A2", ("Brook",))])
    assert names.replaced("Ann Lee Brook, Ann Lee; Brook") == "A2, A1; A2"


def test_nobody_is_found_when_nobody_is_named() -> None:
    assert Pseudonyms([]).replaced("Zoë") == "Zoë"
    assert Pseudonyms([]).count("Zoë") == 0


def test_parts_are_long_words_of_several_that_are_not_our_own() -> None:
    assert parts_of("Zoë van der Quillfeather-Ash") == ("Quillfeather",)
    assert parts_of("Demo second annotator") == ()
    assert parts_of("Quillfeather") == ()
    assert [is_ordinary(name) for name in ("Owner", "Demo annotator 2", "Zoë Owner")] == [True, True, False]


@given(st.lists(st.sampled_from(["Zoë Quillfeather", "and", "Weiß", "x", "QUILLFEATHER", "\n", "é"]), max_size=8))
def test_replacing_leaves_nothing_to_replace_and_json_stays_json(words: list[str]) -> None:
    text = " ".join(words)
    assert BOTH.may_hold(text) or not BOTH.count(text)
    assert BOTH.may_hold(json.dumps(text)) or not BOTH.count(text)
    assert BOTH.count(BOTH.replaced(text)) == 0
    assert BOTH.count(text) == sum(BOTH.found(text).values())
    escaped = BOTH.replaced(json.dumps(text))
    assert BOTH.count(json.loads(escaped)) == 0


def test_a_name_without_a_row_of_letters_is_looked_for_everywhere() -> None:
    names = Pseudonyms([NamedPerson("李娜", "A1")])
    assert names.may_hold("anything")
    assert names.replaced("by 李娜.") == "by A1."
    assert names.replaced("请问李娜老师") == "请问A1老师"
