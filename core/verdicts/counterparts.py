"""Links between the nodes of a truth and of an answer, by number: certain ones with their origin, and possible ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.graphs.alignment import propose
from core.graphs.names import fold_name
from core.verdicts.labels import DIRECTION, REVERSED, Section
from core.verdicts.review import Field

Pair = tuple[int, int]  # numbers, from 1, of a node of the truth and of one of the answer
Edge = tuple[str, str]
MOST_MAYBE = 3
_CORRECT = "DIRECTION_CORRECT"


class LinkedBy(StrEnum):
    """Origin of a link between two nodes. MAYBE: only their names are similar."""

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
    """Return number in the answer → number in the truth, of nodes with names that are equal after folding; one to one,
    identical ones first.

    >>> same_names(["Flood", "Rain"], ["RAIN", "Rain", "rain"])
    {2: 2}
    """
    by_answer: dict[int, int] = {}
    for form in (str, fold_name):
        left = {form(name): each for each, name in enumerate(truth, 1) if each not in by_answer.values()}
        for number, name in enumerate(answer, 1):
            same = left.pop(form(name), None) if number not in by_answer else None
            if same is not None:
                by_answer[number] = same
    return by_answer


def of_node(section: Section, number: int, counterparts: Iterable[int], others: int) -> list[Pair]:
    """Return the pairs of a judge's counterparts of a node; `others`: number of nodes of the other graph.

    >>> of_node(Section.NODE_PRECISION, 1, [2, 9], 3)
    [(2, 1)]
    """
    valid = [each for each in dict.fromkeys(counterparts) if 1 <= each <= others]
    return [(each, number) if section is Section.NODE_PRECISION else (number, each) for each in valid]


def of_edge(
    section: Section,
    edge: Edge,
    counterparts: Collection[int],
    labels: Mapping[Field, str],
    others: Sequence[Edge],
    nodes: tuple[Sequence[str], Sequence[str]],
) -> list[Pair]:
    """Return the pairs of ends from a judge's counterparts of an edge: none unless it has a single one, with a known
    direction. `others`: the edges of the other graph; `nodes`: names of the truth's nodes and of the answer's.

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
    pairs = [(own, match) if section is Section.EDGE_RECALL else (match, own) for own, match in ends]
    truth, answer = nodes
    return [(truth.index(of_truth) + 1, answer.index(of_answer) + 1) for of_truth, of_answer in pairs]


def maybe(truth: Sequence[str], answer: Sequence[str]) -> list[Pair]:
    """Return nodes with similar names, likeliest first for each node of the answer; none that are equal after folding.

    >>> maybe(["Arable land in county", "Rain"], ["County's arable land area", "rain"])
    [(1, 1)]
    """
    same = same_names(truth, answer)
    left = tuple(name for number, name in enumerate(truth, 1) if number not in same.values())
    truth_numbers = {name: number for number, name in enumerate(truth, 1)}
    unmatched = {number: name for number, name in enumerate(answer, 1) if number not in same}
    near = propose(tuple(unmatched.values()), left)
    return [(truth_numbers[each], number) for number, name in unmatched.items() for each in near[name][:MOST_MAYBE]]


def links_of(own: Iterable[Pair], judged: Iterable[Pair], near: Iterable[Pair], same: Iterable[Pair]) -> list[NodeLink]:
    """Return every link once, with its strongest origin: a person, a judge, similar names. Two nodes are drawn as one
    if a person says so, else if a judge names each of them only for the other; never one of two with equal names
    (`same`), and no node with two others."""
    origins: dict[Pair, LinkedBy] = {}
    for pairs, by in ((own, LinkedBy.YOU), (judged, LinkedBy.JUDGE), (near, LinkedBy.MAYBE)):
        for pair in pairs:
            origins.setdefault(pair, by)
    judged_pairs = [pair for pair, by in origins.items() if by is LinkedBy.JUDGE]
    truths, answers = Counter(truth for truth, _ in judged_pairs), Counter(answer for _, answer in judged_pairs)
    alone = [pair for pair in judged_pairs if truths[pair[0]] == 1 == answers[pair[1]]]
    linked = [*same]
    links = set()
    for pair in [*(pair for pair, by in origins.items() if by is LinkedBy.YOU), *alone]:
        if all(pair[0] != truth and pair[1] != answer for truth, answer in linked):
            linked.append(pair)
            links.add(pair)
    return [NodeLink(*pair, by, pair in links) for pair, by in origins.items()]
