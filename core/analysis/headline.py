"""Summary of a table of results in one sentence: which side is better, or the ends of its main figure."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.metrics import POINTS, PROBABILITY, Figure
from core.analysis.printed import label_of, shown
from core.analysis.sides import SURE
from core.analysis.tables import ResultTable, few
from core.estimate import Estimate
from core.runs.answer_counts import added
from core.words import counted


@dataclass(frozen=True, slots=True)
class Headline:
    """Attributes:
    figure: the figure that the table is named after, or else that of its first column
    ends: row and column of the cells with the lowest and the highest value; one if only one is defined, none without
    is_in_columns: the figure has several columns
    asked: answers of these cells, each counted once; None where some are in several cells and others in none
    left_out: of them, those that no value counts
    """

    figure: Figure
    ends: tuple[tuple[str, str], ...]
    is_in_columns: bool
    asked: int | None
    left_out: int


def headline(table: ResultTable) -> Headline:
    """Return the headline of a table over its rows, without the means of models."""
    main = [column for column in table.column_labels if table.figure(column).name == table.metric.name]
    columns = main or list(table.column_labels[:1])
    places = [(row, column) for row in table.row_labels if row not in table.means for column in columns]
    values = {place: value for place in places if (value := table.cells[place].estimate.value) is not None}
    ranked = sorted(values, key=values.__getitem__)
    ids = {item_id for place in places for item_id in table.cells[place].item_ids}
    asked, left_out = None, 0
    for some in (columns, *([column] for column in columns)):  # in which each answer is once, such as a last one of all
        counts = added(table.cells[place].counts for place in places if place[1] in some)
        if counts.asked == len(ids):
            asked, left_out = counts.asked, counts.asked - counts.in_number
            break
    return Headline(
        figure=table.figure(columns[0]) if columns else table.metric,
        ends=(ranked[0], ranked[-1]) if len(ranked) > 1 else tuple(ranked),
        is_in_columns=len(columns) > 1,
        asked=asked,
        left_out=left_out,
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """A comparison in words: what was found, and the numbers that show it."""

    words: str
    numbers: str


def finding(
    first: str, second: str, difference: Estimate, p: Estimate, detectable: Estimate, unit: str, many: int = 1
) -> Finding:
    """Describe a difference of two sides, first minus second. It is shown where p, corrected for `many` comparisons, is
    below `SURE`; otherwise the words give what would have been detected."""

    def number(value: float) -> str:
        return shown(Estimate(value), Figure(name="difference", title="", told="", unit=unit)).removesuffix(" pp")

    value, points = difference.value, " points" if unit == POINTS else ""
    if value is None:
        return Finding(f"{first} and {second} cannot be compared", f": {difference.reason}")
    low, high = difference.low, difference.high
    if value < 0:
        first, second, value = second, first, -value
        low, high = (None if end is None else -end for end in (high, low))
    samples = counted(difference.n or 0, "sample")
    between = "" if low is None or high is None else f" ({number(low)} to {number(high)})"
    apart = f"{number(value)}{points}"
    if p.value is None:
        return Finding(f"{first} is {apart} above {second}", f", {samples}; no test: {p.reason}")
    of_p = shown(p, Figure(name="p", title="p", told="", unit=PROBABILITY))
    corrected = f" after Holm's correction for {many:,} comparisons" if many > 1 else ""
    tested = f"p {of_p if of_p.startswith('<') else f'= {of_p}'}{corrected}, {samples}"
    if p.value < SURE:
        return Finding(f"{first} beats {second} by {apart}", f"{between}, {tested}")
    least = detectable.value
    seen = "" if not least else f"; a difference of {number(least)}{points} would be detected"
    is_of_pair = many > 1 and low is not None and low > 0
    alone = "; the interval, which leaves out 0, is of this pair alone" if is_of_pair else ""
    return Finding(f"no difference between {first} and {second} shown", f": {apart}{between}, {tested}{alone}{seen}")


def findings(table: ResultTable) -> tuple[Finding, ...]:
    """Describe the pairs of the side that is ahead on the whole, closest first; of a table of models the best and the
    second. Empty for other tables."""
    lead = table.lead
    if lead is not None:
        return (finding(lead.best, lead.second, lead.difference, lead.p, lead.detectable, lead.unit, lead.comparisons),)
    if not table.is_of_pairs or "Difference" not in table.figures:
        return ()
    pairs = {
        row: (cell.sides, cell.estimate.value)
        for row in table.row_labels
        if (cell := table.cells[row, "Difference"]).estimate.value is not None
    }
    ahead: dict[str, list[float]] = {}
    for (one, two), value in pairs.values():
        assert value is not None, "undefined pairs are left out"
        ahead.setdefault(one, []).append(value)
        ahead.setdefault(two, []).append(-value)
    if not ahead:
        return ()
    best = max(ahead, key=lambda side: sum(ahead[side]) / len(ahead[side]))
    of_best = sorted(
        (row for row, (sides, _) in pairs.items() if best in sides), key=lambda row: abs(pairs[row][1] or 0)
    )
    return tuple(
        finding(
            *pairs[row][0],
            table.cells[row, "Difference"].estimate,
            table.cells[row, "p, Holm"].estimate,
            table.cells[row, "Detectable"].estimate,
            table.figures["Difference"].unit,
            len(pairs),
        )
        for row in of_best
    )


def only_label_words(table: ResultTable) -> str:
    """Say where all right answers are one label, so that a constant answer scores best; empty without such a column,
    and where columns are the right answers."""
    labels = set(table.only_labels.values())
    if len(labels) != 1:
        return ""
    columns = [label_of(column) for column in table.column_labels if column in table.only_labels]
    where = "" if len(columns) == len(table.column_labels) else f" of {few(columns)}"
    label = label_of(labels.pop())
    return f"All right answers{where} are “{label}”, so that a constant answer gets all of them right."
