"""Graphs without a model: drawn at random, from cue phrases, from names in one sentence, from the most named one.

Each answers as text, in the form that models are asked for, and is read as theirs. What is drawn is drawn by the run's
seed and the sample, so that it is the same in every order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from core.texts.mentions import Names
from protocols.baselines import Baseline
from protocols.recite.judge.tasks import GENERATION_TASKS
from protocols.recite.mentions import MOST_WORDS, cues_in, frequent_phrases, is_word, sentences_of
from protocols.recite.samples import TEXT
from protocols.recite.tasks import NAMES, STANDARD
from protocols.replies.graphs import write_graph
from protocols.samples import Sample

EDGES_PER_NODE = 1.5
"""Of the co-mention baseline."""

Pair = tuple[Any, Any]


def random_edges(sample: Sample, seed: int) -> str:
    """As many edges as the truth has, drawn among all ordered pairs of n nodes, all pairs if it has more. The nodes are
    the given ones, else the n most frequent phrases of the text. (The released code draws until as many different pairs
    are found as the truth lists edges, which never ends where the truth repeats some or has self-loops.)"""
    n, m = len(sample.truth["nodes"]), len(sample.truth["edges"])
    nodes: Sequence[Any] = range(1, n + 1)
    if sample.variant == STANDARD:
        nodes = frequent_phrases(sample.slots[TEXT], n)
    many = len(nodes) * (len(nodes) - 1)
    draw = Random(f"{seed}/{sample.hash}")  # noqa: S311 - no secret
    return write_graph(_pair(nodes, place) for place in draw.sample(range(many), min(m, many)))


def _pair(nodes: Sequence[Any], place: int) -> Pair:
    """Of all ordered pairs of different nodes, the one in this place."""
    source, sink = divmod(place, len(nodes) - 1)
    return nodes[source], nodes[sink + (sink >= source)]


def cue_phrases(sample: Sample, _seed: int) -> str:
    """The phrases before and after a cue (leads to, depends on), the most frequent n of them and the edges between
    these."""
    edges: Counter[Pair] = Counter()
    for sentence in sentences_of(sample.slots[TEXT]):
        for cue in cues_in(sentence):
            before, after = _before(sentence[: cue.start]), _after(sentence[cue.end :])
            if before and after and before != after:
                edges[(before, after) if cue.is_forward else (after, before)] += 1
    often: Counter[str] = Counter()
    for pair, many in edges.items():
        for name in pair:
            often[name] += many
    kept = {name for name, _many in often.most_common(len(sample.truth["nodes"]))}
    return write_graph(pair for pair in edges if kept.issuperset(pair))


def _before(words: Sequence[str]) -> str:
    """The last words that may be a phrase."""
    found: list[str] = []
    for word in words[: -MOST_WORDS - 1 : -1]:
        if not is_word(word):
            break
        found.insert(0, word)
    return " ".join(found)


def _after(words: Sequence[str]) -> str:
    """The first words that may be a phrase, behind what may stand before one."""
    found: list[str] = []
    for word in words[: 2 * MOST_WORDS]:
        if len(found) == MOST_WORDS or (found and not is_word(word)):
            break
        if is_word(word):
            found.append(word)
    return " ".join(found)


def co_mention(sample: Sample, _seed: int) -> str:
    """An edge between names in one sentence, from the first to the second, or back where a cue between them says so;
    the most frequent 1.5 n of them."""
    number, names = _numbered(sample)
    counts: Counter[Pair] = Counter()
    for sentence in sentences_of(sample.slots[TEXT]):
        found = tuple(names.places_in(sentence))
        if len(found) > 1:
            _count_pairs(counts, found, [cue.start for cue in cues_in(sentence) if not cue.is_forward])
    most = int(EDGES_PER_NODE * len(number))
    return write_graph((number[source], number[sink]) for (source, sink), _many in counts.most_common(most))


def _count_pairs(counts: Counter[Pair], found: Sequence[tuple[str, int, int]], turned: Sequence[int]) -> None:
    """Every two mentions of different names, the later with all that stand before it at once: a table without a stop is
    one sentence of thousands. `turned`: the words at which a cue that points back begins."""
    before: Counter[str] = Counter()  # with a cue between them and here
    since: Counter[str] = Counter()
    cue, next_cue, next_before = -1, 0, 0
    for name, start, _end in found:
        while next_cue < len(turned) and turned[next_cue] < start:
            cue, next_cue = turned[next_cue], next_cue + 1
        while found[next_before][2] <= cue:
            since[found[next_before][0]] -= 1
            before[found[next_before][0]] += 1
            next_before += 1
        for other, many in since.items():
            if many and other != name:
                counts[other, name] += many
        for other, many in before.items():
            if other != name:
                counts[name, other] += many
        since[name] += 1


def hub(sample: Sample, _seed: int) -> str:
    """An edge from the most mentioned name, the first of equals, to each other one."""
    number, names = _numbered(sample)
    sentences = sentences_of(sample.slots[TEXT])
    counts = Counter(name for sentence in sentences for name, _start, _end in names.places_in(sentence))
    if not number:
        return write_graph(())
    most = max(number, key=lambda name: (counts[name], -number[name]))
    return write_graph((number[most], each) for name, each in number.items() if name != most)


def _numbered(sample: Sample) -> tuple[dict[str, int], Names]:
    nodes = sample.truth["nodes"]
    return {name: place for place, name in enumerate(nodes, 1)}, Names(nodes)


BASELINES: Mapping[str, Baseline] = {
    "random": Baseline(
        title="random edges, told how many the truth has", drawn=random_edges, reads=TEXT, tasks=GENERATION_TASKS
    ),
    "cue phrases": Baseline(
        title="phrases around cues such as “leads to”",
        drawn=cue_phrases,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(STANDARD,),
        no_answer="the baseline names its nodes itself; here they are given",
    ),
    "co-mention": Baseline(
        title="edges between names in one sentence",
        drawn=co_mention,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(NAMES,),
        no_answer="the baseline needs the names, which this variant does not give",
    ),
    "hub": Baseline(
        title="edges from the most mentioned name",
        drawn=hub,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(NAMES,),
        no_answer="the baseline needs the names, which this variant does not give",
    ),
}
"""By the name that a run's settings use."""
