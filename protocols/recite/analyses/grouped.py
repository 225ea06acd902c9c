"""F1 of each model by groups of samples: a table for each measure, whose groups say of how many samples they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping
from core.analysis.items import ResultItem
from core.analysis.means import Mean, mean_metric
from core.analysis.metrics import NUMBER, Metric
from core.analysis.presets import MODELS, Part, Shown, tables_of
from core.analysis.tables import ResultTable
from core.errors import BadInput
from core.words import quoted
from protocols.recite.analyses.measured import EXACT, JUDGED, by_judge, title_of

RULE = (
    "Mean and population standard deviation. Answers without edges, unparsable, refused, truncated and failed ones "
    "score 0; those that a judge did not judge whole are left out."
)


def number_of(item: ResultItem, fact: str) -> float | None:
    """Return a fact that is a number. Raises BadInput for another."""
    known = item.values(fact)
    try:
        return float(known[0]) if known else None
    except ValueError:
        raise BadInput(f"The {fact} of these samples is no number, but {quoted(known[0])}.") from None


def measures(items: ItemColumns) -> Iterator[tuple[ItemColumns, Metric]]:
    """Yield each measure as a metric of the items that have it, in the order of `by_judge`."""
    for judge, inside in by_judge(items):
        yield (
            inside,
            mean_metric(Mean((JUDGED if judge else EXACT).removeprefix("score."), title_of(judge), RULE, NUMBER)),
        )


def f1_by(
    measured: Sequence[tuple[ItemColumns, Metric]], shown: Shown, by: Grouping, *, are_rows: bool = False
) -> Iterator[tuple[ResultTable, dict[str, int]]]:
    """Yield the table of models and groups of each of `measures`, and the number of samples of each group by its label
    in the table. `are_rows`: groups are rows, models columns."""
    for inside, metric in measured:
        many = _samples(inside, by, metric.measured)
        named = _with_numbers(by, many)
        titled = replace(metric, title=f"{metric.title} by {by.title.lower()}")
        part = Part((titled,), MODELS, named) if are_rows else Part((titled,), named)
        for table in tables_of(inside, part, shown):
            yield table, {f"{group} (n = {number:,})": number for group, number in many.items()}


def _samples(items: ItemColumns, by: Grouping, measure: str) -> Counter[str]:
    """Return the number of samples with the measure by group, each once for all models, variants and repeats."""
    groups = [by.of(kind) if measure in kind.measures else () for kind in items.kinds]
    pairs = zip(items.numbers.tolist(), items.pairs.tolist(), strict=True)
    return Counter(label for label, _ in {(label, pair) for number, pair in pairs for label in groups[number]})


def _with_numbers(by: Grouping, many: Counter[str]) -> Grouping:
    """The grouping with the number of samples in its labels."""
    words = _Named(many)

    def order(labels: Sequence[str]) -> Sequence[str]:
        plain = {label: group for group, label in words.items()}
        return [words[group] for group in by.order([plain[label] for label in labels])]

    return replace(by, of=lambda item: [words[group] for group in by.of(item)], order=order)


class _Named(dict[str, str]):
    """Group → its label with the number of samples."""

    def __init__(self, many: Counter[str]) -> None:
        super().__init__()
        self.many = many

    def __missing__(self, group: str) -> str:
        label = self[group] = f"{group} (n = {self.many[group]:,})"
        return label
