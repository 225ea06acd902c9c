"""One picture read at several sizes: what the readings agree on. Pure.

Details appear and vanish with the size at which a picture is read, so an edge that all sizes show is more often right
than one that a single reading is sure of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from core.transcription.proposals import CERTAIN, LIKELY, FigureProposals, ProposedEdge, ProposedName, Sign, ranked
from core.transcription.voting import DIRECTION, SIGN, all_arrows, moved, one_list, pair_of

LEAST_VOTES = 2  # sizes that show an edge
BAR = 0.6  # least median confidence of an edge that is certain because all sizes show it
SIGNED = 0.1  # share of edges with a sign from which one without is not certain
UNDERSTOOD = 0.33  # share of the printed arrows that became edges; below it none is certain, as in a chart with rays
FEW = "Only some sizes of the picture show it."

Pair = tuple[int, int]
Texts = Counter[tuple[str, tuple[str, ...]]]  # of one name, with their lines


def voted_sizes(readings: Sequence[FigureProposals]) -> FigureProposals:
    """Return the first reading of a picture, corrected by those at other sizes: the edges that LEAST_VOTES sizes show,
    in the direction and with the sign of the majority. Certain are those that all sizes show alike, with a median
    confidence of BAR or more; none where most of the printed arrows became no edge. The first reading's names keep
    their places; of each name the text that most sizes read is taken, the first reading's in case of a tie.

    Raises IndexError without readings."""
    first, *others = readings
    names, placed = first.names, [first]
    texts = [Counter([(name.text, name.lines)]) for name in names]
    for other in others:
        names, places = one_list(names, other)
        texts += [Counter() for _ in names[len(texts) :]]
        for place, at in places.items():
            texts[at][other.names[place].text, other.names[place].lines] += 1
        placed.append(moved(other, places))
    if not others:
        return first
    edges = list(_voted([{pair_of(edge): edge for edge in one.edges} for one in placed]))
    paths = {edge.path for edge in edges}
    arrows = first.arrows
    for one in placed[1:]:
        drawn = replace(one, arrows=tuple(arrow for arrow in one.arrows if arrow.path in paths))
        arrows = all_arrows(replace(first, arrows=arrows), drawn, edges)
    is_signed = sum(edge.sign != "" for edge in edges) >= max(2, SIGNED * len(edges))
    is_understood = len(edges) >= UNDERSTOOD * len({arrow.path for arrow in arrows})
    # In a signed figure a sign was missed where none was read.
    is_sure = [is_understood and (edge.sign != "" or not is_signed) for edge in edges]
    edges = [
        edge if sure else replace(edge, confidence=min(edge.confidence, LIKELY))
        for edge, sure in zip(edges, is_sure, strict=True)
    ]
    leading = next((one for one in placed if one.edges), first)
    voted = tuple(_most_read(name, read) for name, read in zip(names, texts, strict=True))
    whole = replace(first, names=voted, edges=ranked(edges), arrows=arrows, notice=leading.notice)
    return _without_lone(whole, len(first.names), texts)


def _voted(shown: Sequence[Mapping[Pair, ProposedEdge]]) -> Iterator[ProposedEdge]:
    """Yield the edges of a vote; `shown` are those of each size by their ends."""
    for pair in dict.fromkeys(pair for one in shown for pair in one):
        turned = pair[::-1]
        own = [one[pair] for one in shown if pair in one]
        are_both = pair == turned or any(pair in one and turned in one for one in shown)
        against = [] if are_both else [one[turned] for one in shown if turned in one]
        if len(own) + len(against) >= LEAST_VOTES and _rank(own) > _rank(against):
            yield _agreed(own, len(against), len(shown))


def _rank(edges: Sequence[ProposedEdge]) -> tuple[int, float, Pair]:
    confidence = median(edge.confidence for edge in edges) if edges else 0.0
    return len(edges), confidence, pair_of(edges[0]) if edges else (-1, -1)


def _agreed(own: Sequence[ProposedEdge], against: int, sizes: int) -> ProposedEdge:
    signs = Counter[Sign](edge.sign for edge in own if edge.sign)
    confidence = median(edge.confidence for edge in own)
    is_doubtful = against > 0 or 2 * sum(edge.is_direction_doubtful for edge in own) >= len(own)
    is_shown_alike = len(own) == sizes and len(signs) < 2 and signs.total() in (0, sizes)
    reasons = [*own[0].reasons, *([FEW] if len(own) < sizes else []), *([SIGN] if len(signs) > 1 else [])]
    if is_shown_alike and confidence >= BAR and not is_doubtful:
        confidence = CERTAIN + (1 - CERTAIN) * (confidence - BAR) / (1 - BAR)
    else:
        confidence = min(LIKELY, confidence * (sizes + len(own)) / (2 * sizes))
    return replace(
        own[0],
        sign=signs.most_common(1)[0][0] if signs else "",
        delay=2 * sum(edge.delay for edge in own) >= len(own),
        confidence=round(confidence, 3),
        is_direction_doubtful=is_doubtful,
        reasons=tuple(dict.fromkeys([*reasons, *([DIRECTION] if against else [])])),
    )


def _most_read(name: ProposedName, read: Texts) -> ProposedName:
    """Return a name with the text that most sizes read; of several, a counter gives the first."""
    ((text, lines), _count), *_others = read.most_common(1)
    return replace(name, text=text, lines=lines)


def _without_lone(reading: FigureProposals, first: int, texts: Sequence[Texts]) -> FigureProposals:
    """Leave out the names after the first `first` that one size alone read and no edge joins."""
    joined = {end for edge in reading.edges for end in pair_of(edge)}
    places = [at for at, read in enumerate(texts) if at < first or at in joined or read.total() >= LEAST_VOTES]
    new = {at: place for place, at in enumerate(places)}
    return replace(moved(reading, new), names=tuple(reading.names[at] for at in places))
