from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from components.desk.posting.acts import Act, read_acts
from core.errors import BadInput
from tests.components import crossing


def act_id(n: int) -> str:
    return f"0198c0de-0000-7000-8000-{n:012x}"


def sent(*acts: object) -> dict[str, Any]:
    return {"acts": list(acts)}


def line(n: int, **more: object) -> dict[str, Any]:
    return {"id": act_id(n), "seq": n, "kind": "lines", "text": f"A -> B{n}", **more}


def test_nothing_may_be_sent() -> None:
    assert read_acts(sent()) == ()


def test_acts_come_in_the_order_they_were_done() -> None:
    acts = read_acts(sent(line(3), line(1), line(2)))
    assert [act.seq for act in acts] == [1, 2, 3]
    assert acts[0] == Act(act_id(1), 1, "lines", {"text": "A -> B1"})


def test_every_act_of_every_desk_has_a_kind_that_is_taken() -> None:
    rooms = sorted(path.parent.name for path in Path(crossing.__file__).parent.glob("*/test_types.py"))
    samples = [each for room in rooms for each in import_module(f"tests.components.{room}.test_types").samples()]
    kinds = sorted({kind for name, acts in samples if name.endswith("Acts") for kind in acts})
    assert len(kinds) > 30
    for kind in kinds:
        assert [each.kind for each in read_acts(sent(line(1, kind=kind)))] == [kind]


def test_a_payload_may_hold_short_lists_and_numbers() -> None:
    (act,) = read_acts(sent(line(1, box=[1.5, 2, None, True], more={"x": [1]})))
    assert act.data["box"] == [1.5, 2, None, True]


def test_hostile_texts_are_only_texts() -> None:
    (act,) = read_acts(sent(line(1, text="</script>", __proto__="x")))
    assert act.data == {"text": "</script>", "__proto__": "x"}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        7,
        [],
        {},
        {"acts": None},
        {"acts": {}},
        {"acts": "x"},
        sent("act"),
        sent(None),
        sent([]),
        sent(line(1) | {"id": 5}),
        sent(line(1) | {"id": "1"}),
        sent(line(1) | {"id": act_id(1).upper()}),
        sent(line(1) | {"id": act_id(1) + "\n"}),
        sent(line(1) | {"id": "0198c0de-0000-4000-8000-000000000001"}),
        sent(line(1) | {"seq": "1"}),
        sent(line(1) | {"seq": 1.0}),
        sent(line(1) | {"seq": True}),
        sent(line(1) | {"seq": -1}),
        sent(line(1) | {"seq": 2**53}),
        sent(line(1) | {"kind": ""}),
        sent(line(1) | {"kind": "Lines"}),
        sent(line(1) | {"kind": "x" * 41}),
        sent(line(1) | {"kind": None}),
        sent({"id": act_id(1), "seq": 1}),
        sent(line(1), line(1)),
        sent(line(1), "act"),
        sent(line(1, x=float("nan"))),
        sent(line(1, x=float("inf"))),
        sent(line(1, x="\ud800")),
        sent(line(1, x=object())),
        sent(line(1, x=b"x")),
        sent(line(1, x=[[[[[[]]]]]])),
        sent(line(1) | {5: "x"}),
        sent(*(line(n) for n in range(501))),
        sent(line(1, text="x" * 1_000_001)),
        sent(line(1, text="é" * 500_001)),
    ],
)
def test_forged_state_is_refused_whole(value: object) -> None:
    with pytest.raises(BadInput, match="Reload"):
        read_acts(value)


def test_five_hundred_acts_are_taken() -> None:
    assert len(read_acts(sent(*(line(n) for n in range(500))))) == 500


def test_a_deeply_nested_forgery_does_not_exhaust_the_stack() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(BadInput):
        read_acts(sent(line(1, x=nested)))
