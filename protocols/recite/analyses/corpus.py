"""The samples themselves: sizes, explicitness, concepts, domains and fields (ReCITE, Tables 1, 16 and 17, Figure 3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.by import numbers_of
from core.analysis.charts import ChartKind, chart_of_points, doubling
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.frame import unpacked
from core.analysis.groupings import by_label
from core.analysis.metrics import COUNT, NUMBER, Figure
from core.analysis.presets import Shown
from core.analysis.table_charts import chart_of
from core.analysis.tables import ResultTable
from core.estimate import Estimate, ratio, undefined
from core.graphs.names import fold_name
from protocols.recite.analyses.explicitness import EXPLICITNESS, SIZES
from protocols.recite.analyses.grouped import f1_by, measures
from protocols.recite.analyses.measured import analysis, samples_of
from protocols.recite.analyses.structure import NEEDS, SUMMARY, summary

if TYPE_CHECKING:
    import pandas as pd

FEW = 5
"""Samples below which a mean is drawn faint."""
SUBJECTS = {by_label(each, each.capitalize(), f"no {each}"): f"no {each}" for each in ("domain", "field")}
"""Grouping → the label of samples without a value."""


def _corpus(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    samples = samples_of(items)
    rows = {title: summary(samples, f"fact.{fact}") for fact, title in SIZES.items()}
    for fact, words in EXPLICITNESS.items():
        each = summary(samples, f"fact.{fact}")
        rows[f"{words.capitalize()}, of a sample"] = each
        rows[f"{words.capitalize()}, of all nodes"] = _pooled(samples, fact, each)
    heading = Figure(
        name="corpus",
        title="Corpus",
        told="Mean, population standard deviation, least, median and largest value over samples, each once. "
        "Explicitness is the share of nodes that the text names or implies (lenient) or names (strict): the mean of "
        "samples' shares, and the share of the nodes of all samples together.",
        unit=NUMBER,
    )
    known = numbers_of(samples, "fact.characters").to_numpy()
    points = doubling("Characters", "Mean ± sd", known[~np.isnan(known)], "text", "characters")
    chart = chart_of_points(
        points,
        kind=ChartKind.HISTOGRAM,
        title="Lengths of texts",
        row_title="Measure",
        column_title="Figure",
        value_title="Texts",
        x_title="Characters",
        is_log=True,
    )
    yield figure_table(items, heading, "Measure", SUMMARY, rows, chart=chart if points else None)


def _pooled(samples: pd.DataFrame, fact: str, row: FigureRow) -> FigureRow:
    """The share of the nodes of all samples together, as the mean."""
    shares, nodes = (numbers_of(samples, name).to_numpy() for name in (f"fact.{fact}", "fact.nodes"))
    known = ~np.isnan(shares) & ~np.isnan(nodes)
    mean = ratio(float(shares[known] @ nodes[known]), float(nodes[known].sum()), "no sample has it")
    many = int(known.sum())
    return FigureRow(samples, {"mean": replace(mean, n=many), "n": Estimate(many, n=many)}, row.used)


# --- concepts ----------------------------------------------------------------------------------------------------

_CONCEPTS = (
    Figure(name="papers", title="Papers", told="", unit=COUNT),
    Figure(name="concepts", title="Concepts", told="Different names of nodes.", unit=COUNT),
    Figure(name="in_one", title="In one paper only", told="Share of the concepts."),
    Figure(name="pairs", title="Pairs of papers", told="", unit=COUNT),
    Figure(name="sharing_none", title="Sharing none", told="Share of the pairs of papers without a common concept."),
)


def _concepts(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    samples = samples_of(items)
    names = [unpacked(cell) for cell in samples["fact.node_names"]] if "fact.node_names" in samples else []
    papers = samples["fact.paper" if "fact.paper" in samples else "sample"].astype(str)
    used = samples["fact.node_names"].notna() if names else samples["sample"].isna()
    heading = Figure(
        name="concepts",
        title="Concepts",
        told="Names of the nodes of the true graphs as they are written, and without differences of capitals, dashes, "
        "quotation marks and spaces.",
        unit=COUNT,
    )
    rows = dict[str, FigureRow]()
    forms: Mapping[str, Callable[[str], str]] = {"As written": str, "Folded": fold_name}
    for title, form in forms.items():
        concepts: dict[str, set[str]] = {}
        for paper, each in zip(papers, names, strict=False):
            if each:
                concepts.setdefault(paper, set()).update(map(form, each))
        rows[title] = FigureRow(samples, _shared(list(concepts.values())), used)
    yield figure_table(items, heading, "Names", _CONCEPTS, rows)


def _shared(papers: Sequence[set[str]]) -> dict[str, Estimate]:
    """Return the figures of `_CONCEPTS` for the concepts of each paper."""
    n = len(papers)
    if not n:
        return {each.name: undefined("the names of nodes are not known", 0) for each in _CONCEPTS}
    among = Counter(concept for concepts in papers for concept in concepts)
    place = {concept: number for number, concept in enumerate(each for each, many in among.items() if many > 1)}
    has = np.zeros((n, len(place)), dtype=np.float32)
    for number, concepts in enumerate(papers):
        has[number, [place[concept] for concept in concepts if concept in place]] = 1
    sharing = int(np.count_nonzero(np.triu(has @ has.T, 1)))
    pairs = math.comb(n, 2)
    return {
        "papers": Estimate(n, n=n),
        "concepts": Estimate(len(among), n=n),
        "in_one": Estimate(1 - len(place) / len(among), n=len(among)),
        "pairs": Estimate(pairs, n=n),
        "sharing_none": replace(ratio(pairs - sharing, pairs, "there is one paper only"), n=pairs),
    }


# --- domains and fields ------------------------------------------------------------------------------------------

_COUNTS = (
    Figure(name="samples", title="Samples", told="", unit=COUNT),
    Figure(name="share", title="Share", told="Of the samples that have one."),
)
_DIVERSITY = (
    Figure(name="samples", title="Samples", told="Samples that have one.", unit=COUNT),
    Figure(name="groups", title="Different ones", told="", unit=COUNT),
    Figure(name="entropy", title="Entropy", told="Shannon's, in nats: −Σ p ln p.", unit=NUMBER),
    Figure(name="effective", title="Effective number", told="exp(entropy).", unit=NUMBER),
)


def _domains(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    import pandas as pd

    samples = samples_of(items)
    diversity = dict[str, FigureRow]()
    for by, missing in SUBJECTS.items():
        name = f"fact.{by.name}"
        topics = [unpacked(cell) for cell in samples[name].astype(object)] if name in samples else [()] * len(samples)
        counts = Counter(topic for each in topics for topic in each)
        known = pd.Series(list(map(bool, topics)), index=samples.index)
        n = int(known.sum())
        diversity[by.title] = FigureRow(samples, _entropy(counts, n), known)
        rows = dict[str, FigureRow]()
        for topic in sorted(counts, key=lambda topic: (-counts[topic], topic)):
            figures = {"samples": Estimate(counts[topic], n=n), "share": Estimate(counts[topic] / n, n=n)}
            rows[topic] = FigureRow(samples[[topic in each for each in topics]], figures)
        if n < len(topics):
            none = {"samples": Estimate(len(topics) - n), "share": undefined(f"these have {missing}")}
            rows[missing] = FigureRow(samples[[not each for each in topics]], none)
        heading = Figure(name=by.name, title=f"{by.title}s", told="Of samples, each once.", unit=COUNT)
        table = figure_table(items, heading, by.title, _COUNTS, rows)
        yield replace(table, chart=chart_of(table, ChartKind.BARS))
    heading = Figure(
        name="diversity",
        title="Diversity of domains and fields",
        told="Of samples, each once. One with a domain and no field counts in its domain.",
        unit=NUMBER,
    )
    yield figure_table(items, heading, "Of", _DIVERSITY, diversity)


def _f1_by_domain(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    of = [*measures(items)]
    for by in SUBJECTS:
        for table, many in f1_by(of, shown, by, are_rows=True):
            chart = chart_of(table)
            points = tuple(replace(point, is_faint=many.get(point.row, 0) < FEW) for point in chart.points)
            is_faint = chart.kind is ChartKind.DOTS and any(each.is_faint for each in points)
            note = f"; faint where there are fewer than {FEW} samples" if is_faint else ""
            yield replace(table, chart=replace(chart, points=points, title=f"{chart.title}{note}"))


def _entropy(counts: Mapping[str, int], n: int) -> dict[str, Estimate]:
    """Return the figures of `_DIVERSITY` for the number of samples of each topic."""
    numbers = {"samples": Estimate(n, n=n), "groups": Estimate(len(counts), n=n)}
    if not n:
        return numbers | dict.fromkeys(("entropy", "effective"), undefined("no sample has one", 0))
    shares = np.array(list(counts.values())) / sum(counts.values())
    entropy = float(-(shares * np.log(shares)).sum()) + 0.0
    return numbers | {"entropy": Estimate(entropy, n=n), "effective": Estimate(math.exp(entropy), n=n)}


PRESETS = (
    analysis(
        "corpus",
        "Corpus",
        "Sizes of texts and graphs, and explicitness (ReCITE, Table 1).",
        _corpus,
        "fact.characters",
    ),
    analysis(
        "concepts",
        "Concepts",
        "Concepts of the true graphs, and how many papers share them (ReCITE, section 3.1).",
        _concepts,
        *NEEDS,
    ),
    analysis(
        "domains",
        "Domains and fields",
        "Samples by domain and by field, and their diversity (ReCITE, Tables 16 and 17).",
        _domains,
        "fact.domain",
    ),
    analysis(
        "domains-f1",
        "By domain and field",
        "F1 of each model by domain and by field (ReCITE, Figure 3).",
        _f1_by_domain,
        "fact.domain",
        is_of_judges=True,
    ),
)
