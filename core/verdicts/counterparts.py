"""Which nodes of a truth and of an answer are one, who says so, and which may be. Nodes are told by their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.graphs.alignment import propose
from core.graphs.names import fold_name
from core.verdicts.labels import DIRECTION, REVERSED, Section
from core.verdicts.review import Field

Pair = tuple[int, int]
"""Numbers, from 1, of a node of the truth and of one of the answer."""
Edge = tuple[str, str]
MOST_MAYBE = 3
_CORRECT = "DIRECTION_CORRECT"


class LinkedBy(StrEnum):
    """Who says that two nodes are one. MAYBE: nobody; their names are alike."""

    YOU = "you"
    JUDGE = "the judge"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class NodeLink:
    """`truth`, `answer`: numbers of nodes, from 1; `is_one`: they are drawn as one."""

    truth: int
    answer: int
    by: LinkedBy
    is_one: bool


def same_names(truth: Sequence[str], answer: Sequence[str]) -> dict[int, int]:
    """Number in the answer → number in the truth, of nodes with names that are equal after folding; one to one, equal
    ones first.

    >>> same_names(["Flood", "Rain"], ["RAIN", "Rain", "rain"])
    {2: 2}
    """
    found: dict[int, int] = {}
    for form in (str, fold_name):
        left = {form(name): each for each, name in enumerate(truth, 1) if each not in found.values()}
        for number, name in enumerate(answer, 1):
            same = left.pop(form(name), None) if number not in found else None
            if same is not None:
                found[number] = same
    return found


def of_node(section: Section, number: int, counterparts: Iterable[int], others: int) -> list[Pair]:
    """What a judge's counterparts of a node say; `others`: how many nodes the other graph has.

    >>> of_node(Section.NODE_PRECISION, 1, [2, 9], 3)
    [(2, 1)]
    """
    found = [each for each in dict.fromkeys(counterparts) if 1 <= each <= others]
    return [(each, number) if section is Section.NODE_PRECISION else (number, each) for each in found]


def of_edge(
    section: Section,
    edge: Edge,
    counterparts: Collection[int],
    labels: Mapping[Field, str],
    others: Sequence[Edge],
    nodes: tuple[Sequence[str], Sequence[str]],
) -> list[Pair]:
    """What a judge's counterparts of an edge say of its ends: nothing unless it has a single one, with a direction that
    is told. `others`: the edges of the other graph; `nodes`: names of the truth's nodes and of the answer's.

    >>> correct = {(Section.EDGE_RECALL.blocks[0], DIRECTION): _CORRECT}
    >>> of_edge(Section.EDGE_RECALL, ("a", "b"), [1], correct, [("x", "y")], (["a", "b"], ["x", "y"]))
    [(1, 1), (2, 2)]
    """
    numbers = [each for each in dict.fromkeys(counterparts) if 1 <= each <= len(others)]
    direction = labels.get((section.blocks[0], DIRECTION))
    if len(numbers) != 1 or direction not in (_CORRECT, REVERSED):
        return []
    other = others[numbers[0] - 1]
    if direction == REVERSED:
        other = other[1], other[0]
    ends = zip(edge, other, strict=True)
    pairs = [(mine, theirs) if section is Section.EDGE_RECALL else (theirs, mine) for mine, theirs in ends]
    truth, answer = nodes
    return [(truth.index(mine) + 1, answer.index(theirs) + 1) for mine, theirs in pairs]


def maybe(truth: Sequence[str], answer: Sequence[str]) -> list[Pair]:
    """Nodes with names that are alike, likeliest first for each node of the answer; none that are equal after folding.

    >>> maybe(["Arable land in county", "Rain"], ["County's arable land area", "rain"])
    [(1, 1)]
    """
    same = same_names(truth, answer)
    left = tuple(name for number, name in enumerate(truth, 1) if number not in same.values())
    there = {name: number for number, name in enumerate(truth, 1)}
    mine = {number: name for number, name in enumerate(answer, 1) if number not in same}
    near = propose(tuple(mine.values()), left)
    return [(there[each], number) for number, name in mine.items() for each in near[name][:MOST_MAYBE]]


def links_of(own: Iterable[Pair], judged: Iterable[Pair], near: Iterable[Pair], same: Iterable[Pair]) -> list[NodeLink]:
    """Every link once, by who says most: a person, a judge, names that are alike. Two nodes are drawn as one where a
    person says so, else where a judge names each of them for the other alone; never one of two that bear equal names
    (`same`), and no node with two others.
    """
    found: dict[Pair, LinkedBy] = {}
    for pairs, by in ((own, LinkedBy.YOU), (judged, LinkedBy.JUDGE), (near, LinkedBy.MAYBE)):
        for pair in pairs:
            found.setdefault(pair, by)
    said = [pair for pair, by in found.items() if by is LinkedBy.JUDGE]
    truths, answers = Counter(truth for truth, _ in said), Counter(answer for _, answer in said)
    alone = [pair for pair in said if truths[pair[0]] == 1 == answers[pair[1]]]
    taken = [*same]
    links = set()
    for pair in [*(pair for pair, by in found.items() if by is LinkedBy.YOU), *alone]:
        if all(pair[0] != truth and pair[1] != answer for truth, answer in taken):
            taken.append(pair)
            links.add(pair)
    return [NodeLink(*pair, by, pair in links) for pair, by in found.items()]
