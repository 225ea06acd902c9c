"""A triplet's sign is never missing, and the fields of EconCausal's real files are read whole."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput, UnknownSign
from core.sign import Sign
from core.triplets.triplet import (
    IdMethod,
    PaperMetadata,
    Triplet,
    TripletFlag,
    flags_of,
    jel_rows,
    not_verbatim,
    parse_id_methods,
    parse_jel,
    parse_sign,
)

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "econcausal"


def rows(*names: str) -> Iterator[dict[str, Any]]:
    if not DATA.exists():
        pytest.skip(f"the task files are not at {DATA}")
    for name in names:
        with (DATA / f"{name}.jsonl").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


@pytest.mark.parametrize("missing", [None, math.nan, "", "NaN", "n/a", "unknown", "+/-", "increase"])
def test_what_is_no_sign_never_becomes_the_sign_none(missing: object) -> None:
    with pytest.raises(UnknownSign, match=re.escape(f"“{missing}”")):
        parse_sign(missing)


def test_the_word_none_is_a_sign() -> None:
    assert [parse_sign(said) for said in ("None", " none ", "NULL", "No effect")] == [Sign.NONE] * 4
    assert [parse_sign(said) for said in ("+", "positive", "−", "Negative", "MIXED")] == [
        Sign.PLUS,
        Sign.PLUS,
        Sign.MINUS,
        Sign.MINUS,
        Sign.MIXED,
    ]
    assert Triplet(treatment="a", outcome="b", sign=Sign.NONE).sign == "None"


def test_a_triplet_has_both_variables_and_a_sign() -> None:
    with pytest.raises(BadInput, match="The outcome of a triplet is empty"):
        Triplet(treatment="a", outcome="  ", sign=Sign.PLUS)
    with pytest.raises(UnknownSign, match=r"The sign None is not one of \+, -, None, mixed"):
        Triplet(treatment="a", outcome="b", sign=None)  # type: ignore[arg-type]
    with pytest.raises(UnknownSign):
        Triplet(treatment="a", outcome="b", sign="None")  # type: ignore[arg-type]


def test_flags_say_what_to_look_at() -> None:
    fine = Triplet(treatment="a", outcome="b", sign=Sign.PLUS, evidence=("wages  fell\nin 1987",))
    assert flags_of(fine) == ()
    assert flags_of(fine, "In the end wages fell in 1987.") == ()
    assert flags_of(fine, "wages rose") == (TripletFlag.NOT_VERBATIM,)
    long = Triplet(
        treatment="w " * 10, outcome="w " * 9, sign=Sign.PLUS, context="w " * 101, evidence=("1", "2", "3", "4")
    )
    assert flags_of(long) == (TripletFlag.LONG_TREATMENT, TripletFlag.LONG_CONTEXT, TripletFlag.MUCH_EVIDENCE)
    assert flags_of(Triplet(treatment="a", outcome="b", sign=Sign.PLUS)) == (TripletFlag.NO_EVIDENCE,)
    assert not_verbatim(["", "x"], "x") == (1,)


def test_a_method_outside_the_list_is_refused() -> None:
    with pytest.raises(BadInput, match="“GMM” is not one of DiD, IV"):
        parse_id_methods("IV; GMM")
    assert parse_id_methods(" ") == ()


def test_jel_rows_count_a_paper_once_a_letter() -> None:
    assert jel_rows(parse_jel("J31, J24, j2, 824, 913, H")) == ("H", "J", "numeric")


def test_every_row_of_the_real_files_is_a_triplet() -> None:
    signs: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for row in rows("task1_econ", "task1_finance", "task2", "task3"):
        named = row.get("identification_methods")
        codes = row["jel_codes"]
        triplet = Triplet(
            treatment=row["treatment"],
            outcome=row["outcome"],
            sign=parse_sign(row["sign"]),
            context=row["context"],
            id_methods=parse_id_methods(named) if isinstance(named, str) else (),
            paper=PaperMetadata(
                paper_id=str(row["paper_id"]), jel_codes=parse_jel(codes) if isinstance(codes, str) else ()
            ),
        )
        assert parse_sign(row["answer"]) is triplet.sign
        signs[triplet.sign] += 1
        methods.update(triplet.id_methods)
    assert signs.total() == 663 + 602 + 199 + 597
    assert set(signs) == set(Sign)
    assert set(methods) == set(IdMethod)
