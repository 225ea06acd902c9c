from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from components.desk.outbox import Act, ActLedger, held_back, read_acts
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble
from tests.components import crossing


def act_id(n: int) -> str:
    return f"0198c0de-0000-7000-8000-{n:012x}"


def sent(*acts: object) -> dict[str, Any]:
    return {"tab": act_id(99), "attempt": 0, "acts": list(acts)}


def line(n: int, **more: object) -> dict[str, Any]:
    return {"id": act_id(n), "seq": n, "kind": "lines", "text": f"A -> B{n}", **more}


def test_nothing_was_sent_yet() -> None:
    assert read_acts(None, ()) == ()
    assert read_acts(sent(), ()) == ()


def test_acts_come_in_the_order_they_were_done() -> None:
    acts = read_acts(sent(line(3), line(1), line(2)), ())
    assert [act.seq for act in acts] == [1, 2, 3]
    assert acts[0] == Act(act_id(1), 1, "lines", {"text": "A -> B1"})


def test_every_act_of_every_desk_has_a_kind_that_is_taken() -> None:
    rooms = sorted(path.parent.name for path in Path(crossing.__file__).parent.glob("*/test_types.py"))
    samples = [each for room in rooms for each in import_module(f"tests.components.{room}.test_types").samples()]
    kinds = sorted({kind for name, acts in samples if name.endswith("Acts") for kind in acts})
    assert len(kinds) > 30
    for kind in kinds:
        assert [each.kind for each in read_acts(sent(line(1, kind=kind)), ())] == [kind]


def test_acts_already_done_are_left_out() -> None:
    assert [act.seq for act in read_acts(sent(line(1), line(2)), {act_id(1)})] == [2]


def test_a_payload_may_hold_short_lists_and_numbers() -> None:
    (act,) = read_acts(sent(line(1, box=[1.5, 2, None, True], more={"x": [1]})), ())
    assert act.data["box"] == [1.5, 2, None, True]


def test_hostile_texts_are_only_texts() -> None:
    (act,) = read_acts(sent(line(1, text="</script>", __proto__="x")), ())
    assert act.data == {"text": "</script>", "__proto__": "x"}


@pytest.mark.parametrize(
    "value",
    [
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
    with pytest.raises(BadInput, match=r"cannot be read: .+ Reload the page"):
        read_acts(value, ())


def test_five_hundred_acts_are_taken() -> None:
    assert len(read_acts(sent(*(line(n) for n in range(500))), ())) == 500


def test_a_deeply_nested_forgery_does_not_exhaust_the_stack() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(BadInput):
        read_acts(sent(line(1, x=nested)), ())


def answers_of(ledger: ActLedger) -> tuple[list[str], dict[str, str]]:
    told = ledger.as_data()
    return told["acked"], told["refused"]


def test_of_two_answers_of_a_ledger_the_later_has_counted_more() -> None:
    ledger, other = ActLedger(), ActLedger()
    counted = [ledger.as_data()["answered"]]
    for answer in (lambda: ledger.ack("a", "b"), lambda: ledger.refuse("c", "no"), lambda: ledger.ack("a")):
        answer()
        counted.append(ledger.as_data()["answered"])
    assert counted == [0, 2, 3, 4]
    assert ledger.as_data()["ledger"] == ledger.as_data()["ledger"] != other.as_data()["ledger"]


def test_a_ledger_counts_stored_and_refused_acts_as_done() -> None:
    ledger = ActLedger()
    ledger.ack("a", "b")
    ledger.refuse("c", "no such edge")
    ledger.ack("a")
    assert ledger.done == {"a", "b", "c"}
    assert answers_of(ledger) == (["a", "b"], {"c": "no such edge"})


def test_a_ledger_is_bounded_and_keeps_the_latest() -> None:
    ledger = ActLedger()
    for n in range(1005):
        ledger.ack(str(n))
        ledger.refuse(f"r{n}", "no")
    assert len(ledger.done) == 2000
    assert "4" not in ledger.done
    assert {"5", "1004", "r5", "r1004"} <= ledger.done
    assert ledger.as_data()["acked"] == [str(n) for n in range(705, 1005)]


def test_an_act_that_goes_through_is_done() -> None:
    ledger, applied = ActLedger(), []
    assert held_back(ledger, Act(act_id(1), 1, "lines", {}), lambda: applied.append(1)) is None
    assert applied == [1]
    assert answers_of(ledger) == ([act_id(1)], {})


def test_an_act_that_the_service_refuses_is_answered_with_the_reason() -> None:
    ledger = ActLedger()
    assert held_back(ledger, Act(act_id(1), 1, "lines", {}), failing(BadInput("No such score."))) is None
    assert answers_of(ledger) == ([], {act_id(1): "No such score."})


@pytest.mark.parametrize("error", [Conflict("Not now.", seen=1, found=2), SignedOut("No."), StoreTrouble("Full.")])
def test_an_act_that_may_yet_go_through_stays_with_the_browser(error: EdgewiseError) -> None:
    ledger = ActLedger()
    assert held_back(ledger, Act(act_id(1), 1, "lines", {}), failing(error)) is error
    assert ledger.done == set()


def failing(error: Exception) -> Callable[[], None]:
    def apply() -> None:
        raise error

    return apply


def test_overlapping_runs_of_one_session_apply_an_act_once() -> None:
    ledger, applied = ActLedger(), []
    value = sent(*(line(n) for n in range(5)))

    def take() -> None:
        with ledger.turn():
            for act in read_acts(value, ledger.done):
                time.sleep(0.002)
                applied.append(act.seq)
                ledger.ack(act.id)

    runs = [Thread(target=take) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert applied == [0, 1, 2, 3, 4]
