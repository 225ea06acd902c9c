"""Diversity of abstracts by their vectors: clusters, principal axes, distances of groups, and F1 by cluster (ReCITE,
appendix F, Table 18 and Figure 7). Vectors are made by a step of a run and are in the frame; none is asked for here."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.frame import unpacked
from core.analysis.metrics import COUNT, NUMBER, PROBABILITY, Figure
from core.analysis.presets import Shown
from core.analysis.tables import ResultTable
from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.scoring.clusters import (
    Array,
    Clusters,
    clusters,
    differences,
    discrepancy,
    silhouette,
    unit_length,
)
from core.words import quoted
from protocols.recite.analyses.measured import analysis, measured, with_holm

if TYPE_CHECKING:
    import pandas as pd

WITHOUT = (
    "these runs have no vectors. Begin a run of a baseline with the same texts and the option Vectors of abstracts, "
    "and choose both runs"
)
ALL_TEXTS = "All texts"
NEEDS = "fact.embedded"


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts that have a vector, each once.

    Attributes:
        rows: the first row of the frame of each, in `key` its text
        grouped: clusters of their vectors at length 1; without vectors the reason alone
        names: label of each cluster
    """

    rows: pd.DataFrame
    grouped: Clusters
    names: tuple[str, ...] = ()


def _texts(items: ItemColumns) -> _Texts:
    """Raises BadInput for a vector that cannot be read, and for vectors of different lengths."""
    rows = items.frame.assign(key=_keys(items.frame))
    once = rows.drop_duplicates("key")
    if "fact.vector" not in rows or rows["fact.vector"].isna().all():
        return _Texts(once, _without(WITHOUT))
    known = rows[rows["fact.vector"].notna()].drop_duplicates("key")
    if "fact.embedder" in known and known["fact.embedder"].nunique() > 1:
        named = ", ".join(map(str, known["fact.embedder"].astype(object).dropna().unique()))
        return _Texts(once, _without(f"the vectors are of different embedders, {named}"))
    grouped = clusters(unit_length(_read(known)))
    names = tuple(
        _name(number, known["fact.domain"][grouped.labels == number] if "fact.domain" in known else ())
        for number in range(int(grouped.labels.max(initial=-1)) + 1)
    )
    return _Texts(known, grouped, names)


def _without(reason: str) -> Clusters:
    none: Array = np.zeros((0, 0))
    return Clusters(np.zeros(0, dtype=np.intp), {}, none, none, none.ravel(), reason)


def _keys(frame: pd.DataFrame) -> pd.Series[Any]:
    """Return what is equal in all rows about one text: their cluster, or their sample where they have none."""
    return frame["cluster"].astype(object).where(frame["cluster"].notna(), frame["sample"].astype(object))


def _read(rows: pd.DataFrame) -> Array:
    vectors = list[Any]()
    for sample, cell in zip(rows["sample"], rows["fact.vector"], strict=True):
        try:
            vectors.append(np.frombuffer(base64.b64decode(str(cell), validate=True), dtype="<f4"))
        except (binascii.Error, ValueError):
            vectors.append(np.zeros(0))
        if not len(vectors[-1]) or not np.isfinite(vectors[-1]).all():
            raise BadInput(
                f"fact.vector of sample {quoted(str(sample))} cannot be read; expected base64 of 32-bit floats."
            )
        if len(vectors[-1]) != len(vectors[0]):
            raise BadInput(
                f"fact.vector of sample {quoted(str(sample))} has {len(vectors[-1]):,} numbers; expected "
                f"{len(vectors[0]):,}, as the first."
            )
    return np.array(vectors, dtype=np.float64)


def _name(number: int, domains: Any) -> str:
    """Name a cluster by its place and its most frequent domain, of equal ones the first by the alphabet."""
    counts = Counter(value for cell in domains for value in unpacked(cell)[:1])
    most = min(counts, key=lambda domain: (-counts[domain], domain), default="")
    return f"Cluster {number + 1}" + (f" (mostly {most})" if most else "")


# --- the texts ---------------------------------------------------------------------------------------------------

_OF_CLUSTER = (
    Figure(name="texts", title="Texts", told="", unit=COUNT),
    Figure(name="share", title="Share", told="Of the texts that have a vector."),
    Figure(name="silhouette", title="Silhouette", told="Mean over its texts, −1 to 1.", unit=NUMBER),
    Figure(name="within", title="Cosine distance", told="Mean over the pairs of its texts.", unit=NUMBER),
)
_OF_NUMBER = (Figure(name="silhouette", title="Silhouette", told="Mean over texts, −1 to 1.", unit=NUMBER),)
_OF_GROUP = (
    Figure(name="texts", title="Texts", told="", unit=COUNT),
    Figure(name="others", title="Others", told="Texts that are compared with these.", unit=COUNT),
    Figure(name="within", title="Cosine distance", told="Mean over the pairs of its texts.", unit=NUMBER),
    Figure(name="mmd", title="MMD", told="Maximum mean discrepancy from the others.", unit=NUMBER),
    Figure(name="mmd_p", title="p", told="Of 1,000 permutations.", unit=PROBABILITY),
    Figure(name="mmd_holm", title="p, Holm", told="Corrected for all rows of the table.", unit=PROBABILITY),
)


def _diversity(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    texts = _texts(items)
    grouped = texts.grouped
    heading = Figure(
        name="clusters",
        title="Clusters of abstracts",
        told="k-means of the vectors, of length 1, into the number of clusters, 2 to 10, with the highest mean "
        "silhouette. The chart has the two principal axes.",
        unit=NUMBER,
    )
    rows = dict[str, FigureRow]()
    chart: Chart | None = None
    if texts.names:
        each_silhouette = silhouette(grouped.apart, grouped.labels)
        for number, name in enumerate(texts.names):
            within = grouped.labels == number
            many = int(within.sum())
            rows[name] = FigureRow(
                texts.rows[within],
                {
                    "texts": Estimate(many, n=many),
                    "share": Estimate(many / len(within), n=len(within)),
                    "silhouette": Estimate(float(each_silhouette[within].mean()), n=many),
                    "within": _within(grouped.apart, within),
                },
            )
        chart = _axes(texts)
    yield figure_table(items, heading, "Cluster", _OF_CLUSTER, rows or _undefined(texts, _OF_CLUSTER), chart=chart)
    if grouped.silhouettes:
        heading = Figure(name="silhouette", title="Number of clusters", told=heading.told, unit=NUMBER)
        numbers = {
            f"{k} clusters": FigureRow(texts.rows, {"silhouette": Estimate(value, n=len(texts.rows))})
            for k, value in grouped.silhouettes.items()
        }
        yield figure_table(items, heading, "Clusters", _OF_NUMBER, numbers)
    if len(grouped.apart):
        yield _groups(items, texts)


def _undefined(texts: _Texts, figures: tuple[Figure, ...]) -> dict[str, FigureRow]:
    none = {figure.name: undefined(texts.grouped.reason, len(texts.grouped.apart)) for figure in figures}
    return {ALL_TEXTS: FigureRow(texts.rows, none)}


def _within(apart: Array, members: Any) -> Estimate:
    """Return the mean cosine distance of the pairs of members; it is half the squared distance of vectors of length
    1."""
    inside = apart[np.ix_(members, members)]
    many = len(inside)
    if many < 2:
        return undefined("a pair needs 2 texts", many)
    return Estimate(float((inside**2).sum() / 2 / (many * (many - 1))), n=many)


def _axes(texts: _Texts) -> Chart:
    """The texts on their two principal axes, by cluster."""
    places, shares = texts.grouped.places, texts.grouped.shares
    titled = "fact.title" if "fact.title" in texts.rows else "sample"
    second = places[:, 1] if places.shape[1] > 1 else np.zeros(len(places))
    points = [
        Point(row=texts.names[label], column="Texts", value=round(y, 6), x=round(x, 6), text=str(title))
        for label, x, y, title in zip(
            texts.grouped.labels.tolist(), places[:, 0].tolist(), second.tolist(), texts.rows[titled], strict=True
        )
    ]
    order = {name: place for place, name in enumerate(texts.names)}
    first, other = (f"{share:.0%} of the variance" for share in (*shares[:2], 0.0)[:2])
    return chart_of_points(
        sorted(points, key=lambda point: order[point.row]),
        kind=ChartKind.SCATTER,
        title="Abstracts on the two principal axes of their vectors",
        row_title="Cluster",
        column_title="Figure",
        value_title=f"Axis 2, {other}",
        x_title=f"Axis 1, {first}",
        are_places=True,
    )


def _groups(items: ItemColumns, texts: _Texts) -> ResultTable:
    """The table of distances: of all texts, and of each origin and domain from the others."""
    heading = Figure(
        name="groups",
        title="Distances of groups",
        told="Mean cosine distance within each group, and the maximum mean discrepancy of its vectors from those of "
        "the others: Gaussian kernel, its width the median distance, the root of the biased estimate.",
        unit=NUMBER,
    )
    apart = texts.grouped.apart
    everything = np.ones(len(apart), dtype=np.bool_)
    alone = dict.fromkeys(("mmd", "mmd_p"), undefined("all texts have no others", len(apart)))
    estimates: dict[str, dict[str, Estimate]] = {
        ALL_TEXTS: {
            "texts": Estimate(len(apart), n=len(apart)),
            "others": Estimate(0, n=0),
            "within": _within(apart, everything),
            **alone,
        }
    }
    used = {ALL_TEXTS: texts.rows}
    for name in ("fact.origin", "fact.domain"):
        cells = texts.rows[name].astype(object) if name in texts.rows else []
        values = np.array([next(iter(unpacked(cell)), "") for cell in cells], dtype=object)
        groups = Counter(value for value in values.tolist() if value)
        ordered = sorted(groups, key=lambda group: (-groups[group], group))
        for group in ordered[: 1 if len(ordered) < 3 else None] if len(ordered) > 1 else ():
            is_first, is_known = (values == group)[values != ""], values != ""
            between = apart[np.ix_(is_known, is_known)]
            many, others = int(is_first.sum()), int((~is_first).sum())
            label = f"{group} against {ordered[1] if len(ordered) == 2 else 'the others'}"
            estimates[label] = {
                "texts": Estimate(many, n=many),
                "others": Estimate(others, n=others),
                "within": _within(between, is_first),
                **discrepancy(between, is_first),
            }
            used[label] = texts.rows[is_known]
    rows = {label: FigureRow(used[label], each) for label, each in with_holm(estimates, "mmd").items()}
    return figure_table(items, heading, "Group", _OF_GROUP, rows)


# --- F1 by cluster -----------------------------------------------------------------------------------------------

_OF_F1 = (
    Figure(name="f1", title="Mean F1", told="Mean and population standard deviation.", unit=NUMBER, is_mean=True),
    Figure(name="texts", title="Texts", told="Texts with a vector and a score.", unit=COUNT),
)
_TESTS = (
    Figure(name="f", title="F", told="One-way analysis of variance.", unit=NUMBER),
    Figure(name="f_p", title="p of F", told="", unit=PROBABILITY),
    Figure(name="eta_squared", title="η²", told="Share of the sum of squares between clusters.", unit=NUMBER),
    Figure(name="h", title="H", told="Kruskal and Wallis's.", unit=NUMBER),
    Figure(name="h_p", title="p of H", told="", unit=PROBABILITY),
    Figure(name="gap", title="Gap", told="Highest minus lowest mean of a cluster.", unit=NUMBER),
    Figure(name="n", title="Texts", told="", unit=COUNT),
)


def _f1_by_cluster(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    texts = _texts(items)
    cluster_of = dict(zip(texts.rows["key"], texts.grouped.labels.tolist(), strict=True)) if texts.names else {}
    for each in measured(items, shown):
        of = each.of_models()
        rows = of.rows.assign(key=_keys(of.rows))
        by_text = rows.groupby("key", sort=False)["f1"].mean()
        label_of = rows["key"].map(cluster_of)
        labels = by_text.index.map(cluster_of)
        heading = Figure(
            name="diversity_f1",
            title=f"{of.title} by cluster",
            told="Of each text the mean F1 over models, then over the texts of a cluster of abstracts.",
            unit=NUMBER,
        )
        tests = replace(heading, name="differences", title=f"Differences of {of.title} between clusters")
        if not cluster_of:
            for about, figures in ((heading, _OF_F1), (tests, _TESTS)):
                none = {figure.name: undefined(texts.grouped.reason, 0) for figure in figures}
                row = FigureRow(rows, none, rows["f1"].isna() & rows["f1"].notna())
                yield figure_table(of.items, about, "Cluster", figures, {ALL_TEXTS: row})
            continue
        means, by_cluster = list[float](), dict[str, FigureRow]()
        for number, name in enumerate(texts.names):
            values = by_text[labels == number].dropna().to_numpy()
            n = len(values)
            mean = undefined("no text of it has a score", 0)
            if n:
                mean = Estimate(float(values.mean()), n=n, sd=float(values.std()))
                means.append(float(values.mean()))
            inside = rows[label_of == number]
            by_cluster[name] = FigureRow(inside, {"f1": mean, "texts": Estimate(n, n=n)}, inside["f1"].notna())
        yield figure_table(of.items, heading, "Cluster", _OF_F1, by_cluster)
        has_cluster = by_text[labels.notna()]
        estimates = differences(has_cluster.to_numpy(), labels[labels.notna()].tolist())
        n = int(has_cluster.notna().sum())
        gap = Estimate(max(means) - min(means), n=n) if len(means) > 1 else undefined("one cluster has a score", n)
        inside = rows[label_of.notna()]
        row = FigureRow(inside, {**estimates, "gap": gap}, inside["f1"].notna())
        yield figure_table(of.items, tests, "Of", _TESTS, {"Clusters": row})


NOTHING = f"The chosen runs cannot fill this table: {WITHOUT}."
PRESETS = (
    analysis(
        "diversity",
        "Diversity",
        "Clusters, principal axes and distances of abstracts by their vectors (ReCITE, appendix F, Figure 7).",
        _diversity,
        NEEDS,
        nothing=NOTHING,
    ),
    analysis(
        "diversity-f1",
        "Diversity and F1",
        "F1 by cluster of abstracts, with tests of the difference (ReCITE, Table 18).",
        _f1_by_cluster,
        NEEDS,
        is_of_judges=True,
        nothing=NOTHING,
    ),
)
