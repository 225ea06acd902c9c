"""Files of tests are handed out so that no processor rests and no more browsers run than there are processors."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.handing_out import WAITING, HandingOut, mix

OUTSIDE = [f"tests/core/test_{letter}.py::test_it" for letter in "abcd"]
SCREENS = [f"tests/browser/test_{letter}.py::test_it" for letter in "abcd"]
WAITS = [f"{file}::test_it" for file in WAITING]
ALL = [*OUTSIDE, *SCREENS, *WAITS]
ROOT = Path(__file__).resolve().parents[1]


class Node:
    """A worker as xdist's schedulers see it."""

    def __init__(self) -> None:
        self.given: list[int] = []
        self.shutting_down = False
        self.gateway = SimpleNamespace(id="gw")

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def handed_out(tests: list[str], workers: int, *, dies: int | None = None) -> list[list[str]]:
    """What each worker ran in the end; one by turns after the other is done with a test. `dies` is left out after its
    share of the start, and another comes in its place."""
    config: Any = SimpleNamespace(
        getvalue=lambda name: ["popen"] * workers, option=SimpleNamespace(loadscopereorder=False)
    )
    scheduler = HandingOut(config)
    nodes: list[Any] = [Node() for _ in range(workers)]
    for node in nodes:
        scheduler.add_node(node)
        scheduler.add_node_collection(node, tests)
    scheduler.schedule()
    if dies is not None:
        assert scheduler.remove_node(nodes[dies]) is not None
        nodes[dies] = Node()
        scheduler.add_node(nodes[dies])
        scheduler.add_node_collection(nodes[dies], tests)
        scheduler.schedule()
    done = [0] * workers
    while any(done[at] < len(node.given) for at, node in enumerate(nodes)):
        for at, node in enumerate(nodes):
            if done[at] < len(node.given):
                scheduler.mark_test_complete(node, node.given[done[at]])
                done[at] += 1
    assert all(node.shutting_down for node in nodes)
    assert scheduler.tests_finished
    return [[tests[index] for index in node.given] for node in nodes]


def test_of_three_workers_one_leaves_the_browser_to_the_others_and_runs_what_waits() -> None:
    *two, third = handed_out(ALL, 3)
    assert sorted([*two[0], *two[1], *third]) == sorted(ALL)
    assert set(third) > set(WAITS)
    assert not set(third) & set(SCREENS)
    assert all(each[-1] in SCREENS for each in two)


def test_two_workers_share_all_files() -> None:
    first, second = handed_out(ALL, 2)
    assert sorted(first + second) == sorted(ALL)
    assert set(first) & set(SCREENS)
    assert set(second) & {*OUTSIDE, *WAITS}


def test_one_worker_runs_all_with_the_browser_last() -> None:
    (ran,) = handed_out(ALL, 1)
    assert (sorted(ran), ran[-len(SCREENS) :]) == (sorted(ALL), SCREENS)


def test_without_a_browser_every_worker_runs_what_waits() -> None:
    ran = handed_out(OUTSIDE + WAITS, 3)
    assert sorted(test for each in ran for test in each) == sorted(OUTSIDE + WAITS)
    assert sum(bool(set(each) & set(WAITS)) for each in ran) > 1


@pytest.mark.parametrize("dies", range(3))
@pytest.mark.parametrize("tests", [ALL, SCREENS + WAITS, OUTSIDE + SCREENS])
def test_when_a_worker_dies_everything_is_run_and_nothing_after_a_browser_in_one_process(
    tests: list[str], dies: int
) -> None:
    ran = handed_out(tests, 3, dies=dies)
    assert {test for each in ran for test in each} == set(tests)
    for each in ran:
        is_screen = [test in SCREENS for test in each]
        assert is_screen == sorted(is_screen)


def test_files_are_mixed_and_stay_whole_with_those_of_the_browser_after_them() -> None:
    rooms = [f"tests/{room}/test_{letter}.py" for room in ("core", "runs") for letter in "abcdef"]
    screens = ["tests/browser/test_b.py", "tests/browser/test_a.py"]
    tests = [(name, number) for name in [*WAITING, *rooms, *screens] for number in (1, 2)]
    items: Any = [SimpleNamespace(path=ROOT / name, test=(name, number)) for name, number in tests]
    for workers, at_the_end in ((2, screens), (3, [*screens, *WAITING])):
        mix(items, ROOT, workers)
        mixed = [item.test for item in items]
        assert sorted(mixed) == sorted(tests)
        assert [name for name, number in mixed if number == 1][-len(at_the_end) :] == at_the_end
        assert [name for name, _ in mixed if name in rooms] != [name for name, _ in tests if name in rooms]
        assert all(mixed[at] == (mixed[at + 1][0], 1) for at in range(0, len(mixed), 2))


def test_what_waits_is_there() -> None:
    assert [file for file in WAITING if not (ROOT / file).exists()] == []
