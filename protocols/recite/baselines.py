"""Graph baselines: random edges, cue phrases, names in one sentence, the most mentioned name. Each answers as text in
the form that models are asked for. Random draws depend on the run's seed and the sample only, so not on the order of
samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from core.texts.mentions import MentionedNames
from protocols.baselines import BaselineAnswerer
from protocols.recite.judge.tasks import GENERATION_TASKS
from protocols.recite.mentions import MOST_WORDS, cues_in, frequent_phrases, is_word, sentences_of
from protocols.recite.samples import TEXT
from protocols.recite.tasks import NAMES, STANDARD
from protocols.replies.graphs import write_graph
from protocols.samples import Sample

EDGES_PER_NODE = 1.5  # edges of the co-mention baseline per node

Pair = tuple[Any, Any]


def random_edges(sample: Sample, seed: int) -> str:
    """Draw the truth's number of edges, at most all, among the ordered pairs of n nodes. The nodes are the given
    ones, otherwise the n most frequent phrases of the text. (The released code draws until it has as many different
    pairs as the truth lists edges, which never ends if the truth has repeats or self-loops.)"""
    n, m = len(sample.truth["nodes"]), len(sample.truth["edges"])
    nodes: Sequence[Any] = range(1, n + 1)
    if sample.variant == STANDARD:
        nodes = frequent_phrases(sample.slots[TEXT], n)
    many = len(nodes) * (len(nodes) - 1)
    draw = Random(f"{seed}/{sample.hash}")  # noqa: S311 - no secret
    places = (divmod(place, len(nodes) - 1) for place in draw.sample(range(many), min(m, many)))
    return write_graph((nodes[source], nodes[sink + (sink >= source)]) for source, sink in places)


def cue_phrases(sample: Sample, _seed: int) -> str:
    """Return edges between the n most frequent phrases before and after a cue (leads to, depends on)."""
    edges: Counter[Pair] = Counter()
    for sentence in sentences_of(sample.slots[TEXT]):
        for cue in cues_in(sentence):
            before, after = _before(sentence[: cue.start]), _after(sentence[cue.end :])
            if before and after and before != after:
                edges[(before, after) if cue.is_forward else (after, before)] += 1
    frequency: Counter[str] = Counter()
    for pair, many in edges.items():
        for name in pair:
            frequency[name] += many
    names = {name for name, _many in frequency.most_common(len(sample.truth["nodes"]))}
    return write_graph(pair for pair in edges if names.issuperset(pair))


def _before(words: Sequence[str]) -> str:
    """Return the last words that can form a phrase."""
    phrase: list[str] = []
    for word in words[: -MOST_WORDS - 1 : -1]:
        if not is_word(word):
            break
        phrase.insert(0, word)
    return " ".join(phrase)


def _after(words: Sequence[str]) -> str:
    """Return the first words that can form a phrase, after words that may precede one."""
    phrase: list[str] = []
    for word in words[: 2 * MOST_WORDS]:
        if len(phrase) == MOST_WORDS or (phrase and not is_word(word)):
            break
        if is_word(word):
            phrase.append(word)
    return " ".join(phrase)


def co_mention(sample: Sample, _seed: int) -> str:
    """Return the 1.5 n most frequent edges between names in one sentence. Direction: from the first to the second,
    reversed if a backward cue is between them."""
    number, names = _numbered(sample)
    counts: Counter[Pair] = Counter()
    for sentence in sentences_of(sample.slots[TEXT]):
        mentions = tuple(names.places_in(sentence))
        if len(mentions) > 1:
            _count_pairs(counts, mentions, [cue.start for cue in cues_in(sentence) if not cue.is_forward])
    most = int(EDGES_PER_NODE * len(number))
    return write_graph((number[source], number[sink]) for (source, sink), _many in counts.most_common(most))


def _count_pairs(counts: Counter[Pair], mentions: Sequence[tuple[str, int, int]], turned: Sequence[int]) -> None:
    """Count every two mentions of different names. `turned`: start words of backward cues."""
    # Each mention is counted with all earlier ones at once: a table without a full stop is one sentence of thousands.
    before: Counter[str] = Counter()  # earlier mentions, separated by a cue
    since: Counter[str] = Counter()
    cue, next_cue, next_before = -1, 0, 0
    for name, start, _end in mentions:
        while next_cue < len(turned) and turned[next_cue] < start:
            cue, next_cue = turned[next_cue], next_cue + 1
        while mentions[next_before][2] <= cue:
            since[mentions[next_before][0]] -= 1
            before[mentions[next_before][0]] += 1
            next_before += 1
        for other, many in since.items():
            if many and other != name:
                counts[other, name] += many
        for other, many in before.items():
            if other != name:
                counts[name, other] += many
        since[name] += 1


def hub(sample: Sample, _seed: int) -> str:
    """Return an edge from the most mentioned name (the first at a tie) to each other one."""
    number, names = _numbered(sample)
    sentences = sentences_of(sample.slots[TEXT])
    counts = Counter(name for sentence in sentences for name, _start, _end in names.places_in(sentence))
    if not number:
        return write_graph(())
    most = max(number, key=lambda name: (counts[name], -number[name]))
    return write_graph((number[most], each) for name, each in number.items() if name != most)


def _numbered(sample: Sample) -> tuple[dict[str, int], MentionedNames]:
    nodes = sample.truth["nodes"]
    return {name: place for place, name in enumerate(nodes, 1)}, MentionedNames(nodes)


BASELINES: Mapping[str, BaselineAnswerer] = {
    "random": BaselineAnswerer(
        title="random edges, told how many the truth has", drawn=random_edges, reads=TEXT, tasks=GENERATION_TASKS
    ),
    "cue phrases": BaselineAnswerer(
        title="phrases around cues such as “leads to”",
        drawn=cue_phrases,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(STANDARD,),
        no_answer="the baseline names its nodes itself; here they are given",
    ),
    "co-mention": BaselineAnswerer(
        title="edges between names in one sentence",
        drawn=co_mention,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(NAMES,),
        no_answer="the baseline needs the names, which this variant does not give",
    ),
    "hub": BaselineAnswerer(
        title="edges from the most mentioned name",
        drawn=hub,
        reads=TEXT,
        tasks=GENERATION_TASKS,
        variants=(NAMES,),
        no_answer="the baseline needs the names, which this variant does not give",
    ),
}
"""By the name in run settings."""
