"""Files of tests are handed out so that no processor rests and no more browsers run than there are processors."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.handing_out import HandingOut, mix

OUTSIDE = [f"tests/core/test_{letter}.py::test_it" for letter in "abcd"]
SCREENS = [f"tests/browser/test_{letter}.py::test_it" for letter in "abcd"]


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


def test_of_three_workers_one_leaves_the_browser_to_the_others() -> None:
    *two, third = handed_out(OUTSIDE + SCREENS, 3)
    assert third
    assert set(third) < set(OUTSIDE)
    assert sorted([*two[0], *two[1], *third]) == sorted(OUTSIDE + SCREENS)
    assert all(set(each) & set(SCREENS) for each in two)


def test_two_workers_share_all_files() -> None:
    first, second = handed_out(OUTSIDE + SCREENS, 2)
    assert sorted(first + second) == sorted(OUTSIDE + SCREENS)
    assert set(first) & set(SCREENS)
    assert set(second) & set(SCREENS)


def test_whoever_comes_in_place_of_a_dead_worker_runs_what_is_left() -> None:
    for dies in range(3):
        ran = handed_out(OUTSIDE + SCREENS, 3, dies=dies)
        assert {test for each in ran for test in each} == {*OUTSIDE, *SCREENS}


def test_files_are_mixed_and_stay_whole_with_those_of_the_browser_at_the_end() -> None:
    root = Path("/root")
    names = [f"tests/{room}/test_{letter}.py" for room in ("core", "runs") for letter in "abcdef"]
    tests = [
        (name, number) for name in [*names, "tests/browser/test_b.py", "tests/browser/test_a.py"] for number in (1, 2)
    ]
    items: Any = [SimpleNamespace(path=root / name, test=(name, number)) for name, number in tests]
    mix(items, root)
    mixed = [item.test for item in items]
    assert sorted(mixed) == sorted(tests)
    assert mixed[-4:] == tests[-4:]
    assert mixed != tests
    assert all(mixed[at][0] == mixed[at + 1][0] and mixed[at][1] < mixed[at + 1][1] for at in range(0, len(mixed), 2))
    again: Any = list(reversed(items[:-4])) + items[-4:]
    mix(again, root)
    assert [item.test[0] for item in again] == [item.test[0] for item in items]
