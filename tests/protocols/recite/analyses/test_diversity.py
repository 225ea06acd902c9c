"""Diversity of abstracts and F1 by cluster, against pandas and SciPy on planted vectors."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from core.analysis.tables import ResultTable
from core.errors import BadInput
from core.scoring.clusters import distances
from protocols.recite.analyses.diversity import WITHOUT
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

CLUSTER_OF = {f"s{place:03}": (0, 0, 1, 2)[place % 4] for place in range(29)}
"""Of each sample but the last, which has no vector. The clusters follow the domains, of which two share the largest."""


def _vectors() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    return {sample: 3 * np.eye(16)[label] + 0.3 * rng.standard_normal(16) for sample, label in CLUSTER_OF.items()}


VECTORS = {sample: vector.astype("<f4") for sample, vector in _vectors().items()}
UNIT = {sample: vector.astype(float) / np.linalg.norm(vector.astype(float)) for sample, vector in VECTORS.items()}
DOMAINS = ("Economics", "Ecology", "Engineering")
FRAME = corpus()
FRAME["fact.vector"] = [
    base64.b64encode(VECTORS[sample].tobytes()).decode() if sample in VECTORS else None for sample in FRAME["sample"]
]
FRAME["fact.embedder"] = "lab/words"


def computed(preset: str, frame: pd.DataFrame = FRAME) -> tuple[ResultTable, ...]:
    return TABLES.preset(preset).tables(*prepared(frame))


def test_planted_clusters_have_their_texts_and_the_name_of_their_domain() -> None:
    table, numbers, _ = computed("diversity")
    assert table.row_labels == ("Cluster 1 (mostly Economics)", "Cluster 2 (mostly Engineering)", "Cluster 3")
    assert [table.cells[row, "Texts"].estimate.value for row in table.row_labels] == [15, 7, 7]
    assert table.cells["Cluster 3", "Share"].estimate.value == pytest.approx(7 / 29)
    values = {row: numbers.cells[row, "Silhouette"].estimate.value or 0 for row in numbers.row_labels}
    assert list(values) == [f"{k} clusters" for k in range(2, 11)]
    assert max(values, key=values.__getitem__) == "3 clusters"
    unit = [UNIT[sample] for sample in UNIT if CLUSTER_OF[sample] == 2]
    pairs = [1 - float(one @ other) for place, one in enumerate(unit) for other in unit[:place]]
    assert table.cells["Cluster 3", "Cosine distance"].estimate.value == pytest.approx(np.mean(pairs), abs=1e-9)


def test_the_chart_has_each_text_on_the_two_axes_of_the_most_variance() -> None:
    chart = computed("diversity")[0].chart
    assert chart is not None and (chart.kind, chart.are_places, len(chart.points)) == (ChartKind.SCATTER, True, 29)
    variances = np.sort(np.linalg.eigvalsh(np.cov(np.array([*UNIT.values()]).T, ddof=0)))[::-1]
    assert np.var([point.x for point in chart.points]) == pytest.approx(variances[0], rel=1e-4)
    assert np.var([point.value for point in chart.points]) == pytest.approx(variances[1], rel=1e-4)
    assert chart.x_title == f"Axis 1, {variances[0] / variances.sum():.0%} of the variance"


def test_each_domain_is_compared_with_all_others() -> None:
    table = computed("diversity")[2]
    assert table.row_labels == ("All texts", *(f"{each} against the others" for each in DOMAINS))
    known = FRAME.drop_duplicates("sample").set_index("sample").loc[list(VECTORS)]["fact.domain"].dropna()
    unit, is_first = np.array([UNIT[sample] for sample in known.index]), (known == "Engineering").to_numpy()
    apart = distances(unit)
    kernel = np.exp(-(apart**2) / (2 * np.median(apart[np.triu_indices(len(unit), 1)]) ** 2))
    weights = np.where(is_first, 1 / is_first.sum(), -1 / (~is_first).sum())
    row = "Engineering against the others"
    assert table.cells[row, "MMD"].estimate.value == pytest.approx(np.sqrt(weights @ kernel @ weights), abs=1e-9)
    assert table.cells[row, "p"].estimate.value == pytest.approx(1 / 1001)
    assert table.cells[row, "p, Holm"].estimate.value == pytest.approx(3 / 1001)
    assert table.cells["All texts", "MMD"].estimate.reason == "all texts have no others"


@pytest.mark.parametrize(("place", "judge"), [(0, "First judge"), (1, "Second judge")])
def test_f1_by_cluster_is_that_of_texts_with_the_tests_of_scipy(place: int, judge: str) -> None:
    means, tests = computed("diversity-f1")[2 * place : 2 * place + 2]
    assert judge in means.title and judge in tests.title
    of_judge = FRAME[FRAME["judge"] == judge]
    f1 = of_judge.groupby("sample")["score.default.overall_f1"].mean().loc[list(VECTORS)]
    groups = [f1[[sample for sample, label in CLUSTER_OF.items() if label == number]].dropna() for number in range(3)]
    sizes = sorted(range(3), key=lambda number: -len(groups[number]))
    for row, number in zip(means.row_labels, sizes, strict=True):
        estimate = means.cells[row, "Mean F1"].estimate
        assert (estimate.value, estimate.sd) == pytest.approx(
            (groups[number].mean(), groups[number].std(ddof=0)), abs=1e-9
        )
    between = sum(len(group) * (group.mean() - f1.mean()) ** 2 for group in groups)
    f, h = stats.f_oneway(*groups), stats.kruskal(*groups)
    expected = {
        "F": f.statistic,
        "p of F": f.pvalue,
        "η²": between / ((f1 - f1.mean()) ** 2).sum(),
        "H": h.statistic,
        "p of H": h.pvalue,
        "Gap": max(map(np.mean, groups)) - min(map(np.mean, groups)),
        "Texts": 29,
    }
    assert {name: tests.cells["Clusters", name].estimate.value for name in expected} == pytest.approx(
        expected, abs=1e-9
    )


def test_without_vectors_or_with_those_of_two_embedders_there_is_a_reason() -> None:
    without, *_ = computed("diversity", FRAME.drop(columns="fact.vector"))
    assert without.cells["All texts", "Texts"].estimate.reason == WITHOUT and without.chart is None
    assert WITHOUT in computed("diversity-f1", FRAME.assign(**{"fact.vector": None}))[1].undefined_words
    mixed = FRAME.assign(**{"fact.embedder": np.where(FRAME["fact.domain"] == "Ecology", "a/x", "b/y")})
    assert "different embedders" in computed("diversity", mixed)[0].undefined_words
    equal = FRAME.assign(**{"fact.vector": FRAME["fact.vector"].iloc[0]})
    clusters, groups = computed("diversity", equal)
    assert "all vectors are equal" in clusters.undefined_words and "equal vectors" in groups.undefined_words


def test_vectors_of_one_run_count_for_the_same_texts_of_another() -> None:
    others = FRAME.assign(**{"fact.vector": None, "fact.embedder": None})
    one_row = FRAME.drop_duplicates("sample").assign(kind="baseline", model="hub", run="run 9", judge="First judge")
    for table, expected in zip(
        computed("diversity-f1", pd.concat([others, one_row])), computed("diversity-f1"), strict=True
    ):
        for at, cell in table.cells.items():
            assert cell.estimate.value == pytest.approx(expected.cells[at].estimate.value), at


@pytest.mark.parametrize(
    ("cell", "words"), [("no base64", "cannot be read"), ("AACAPw==", "has 1 numbers; expected 16")]
)
def test_a_faulty_vector_of_a_file_is_named_with_its_sample(cell: str, words: str) -> None:
    faulty = FRAME.assign(**{"fact.vector": FRAME["fact.vector"].where(FRAME["sample"] != "s003", cell)})
    with pytest.raises(BadInput, match=f"s003.*{words}"):
        computed("diversity", faulty)
