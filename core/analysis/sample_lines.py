"""One row for each sample over all models, runs and repeats: how often it is answered right, whether models agree,
and whether they speak for another label than the true one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.analysis.frame import numbered
from core.analysis.items import SCORED
from core.runs.answer_counts import FAILURES
from core.runs.sample_flags import FLAG
from core.runs.states import ItemStatus

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
COLUMNS: Mapping[str, str] = {
    "task": "the task of the protocol",
    "variant": "the variant in which the task was asked",
    "sample": "hash and key of the question, equal in every run that asks the same",
    "true": "the true label; missing where the truth is not a label",
    "models": "models with a scored answer",
    "answers": "answers of models that are scored, in all runs and repeats; unparsable ones are",
    "right": "share of these that are right; missing where answers are neither right nor wrong",
    "score": "their mean score",
    "common": "the most common label of the models; of equally common ones, the first by the alphabet",
    "agreement": "share of answers with a label that have the most common one",
    "confidence": "mean probability of the most probable label, where the models give probabilities",
    "is_failed": "whether two models or more answered, and none was right (or scored above 0) in any answer",
    "other": "of the labels other than the true one that a model gave, the most probable by the models' answers",
    "others": "models that gave it",
    "doubt": "the probability that it is right, of the two: it and the true label",
    "is_doubtful": "whether that is 75 % or more, and two models or more gave it, no fewer than gave the true label: a "
    "likely error of the true label",
    "flag": "why people flagged the sample as bad; several reasons are a JSON list",
    "unparsable": "answers that cannot be read",
    "refused": "refused answers",
    "truncated": "answers that were cut off",
    "failed": "requests without a reply",
    "tokens_out": "mean number of tokens of all replies of an answer",
    "latency_s": "mean seconds of all requests of an answer",
    "cost_usd": "US dollars of all answers whose cost is known",
    "item": "ID of the first answer",
}
LIKELY = 0.75
"""Least doubt of a likely error of a label."""
_SMOOTHING = 1.0
"""Added to each count of an answer for a label, of which small runs have few."""


def sample_lines(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row (`COLUMNS`) for each sample of a frame with one row an answer, in the order of their first
    answers. Only models count, not baselines, people and controls; a sample that none was asked is left out.

    The doubt is the posterior of Dawid and Skene (1979, Applied Statistics 28, equation 2.5) after one step from the
    true labels: for each model the probability of each answer given each label, from its answers to the other samples
    of the task and variant, and of each label its share of the samples. Repeats of a model count as one answer."""
    import pandas as pd

    rows = frame[
        (frame["kind"] == "model") & ~frame["status"].isin((ItemStatus.PENDING.value, ItemStatus.EXCLUDED.value))
    ]
    number = numbered(rows, ("task", "variant", "sample")) if len(rows) else np.zeros(0, dtype=np.int32)
    many = int(number.max(initial=-1)) + 1
    first = np.unique(number, return_index=True)[1]
    status = rows["status"].astype(object).to_numpy()
    is_scored = np.isin(status, list(SCORED))
    is_right = rows["right"].astype(object).map({True: 1.0, False: 0.0}).to_numpy(dtype=np.float64)
    score = rows["score.answer"].to_numpy(dtype=np.float64)
    score = np.where(np.isnan(score), is_right, score)
    result = pd.DataFrame({name: rows[name].to_numpy()[first] for name in ("task", "variant", "sample", "true")})
    models = numbered(rows, ("model",)) if len(rows) else number
    has_answer = np.zeros((many, int(models.max(initial=-1)) + 1), dtype=bool)
    has_answer[number[is_scored], models[is_scored]] = True
    result["models"] = has_answer.sum(axis=1)
    result["flag"] = rows[f"fact.{FLAG}"].astype(object).to_numpy()[first] if f"fact.{FLAG}" in rows else None
    result["answers"] = _sums(number, is_scored, many)
    result["right"] = _means(number, is_right, is_scored, many)
    result["score"] = _means(number, score, is_scored, many)
    answered = rows["predicted"].astype(object).where(status == ItemStatus.ANSWERED.value).tolist()
    labels = sorted({str(each) for each in (*answered, *result["true"].tolist()) if each is not None and each == each})
    counts = _counts(number, models, answered, labels, many)
    total = counts.sum(axis=(1, 2))
    of_labels = counts.sum(axis=1)
    has_label = total > 0
    most_common = of_labels.argmax(axis=1).tolist() if labels else [0] * many
    result["common"] = [labels[at] if known else None for at, known in zip(most_common, has_label, strict=True)]
    result["agreement"] = np.divide(of_labels.max(axis=1, initial=0), total, out=np.full(many, np.nan), where=has_label)
    shares = [name for name in rows if name.startswith("prob.")]
    most = rows[shares].max(axis=1).to_numpy(dtype=np.float64) if shares else np.full(len(rows), np.nan)
    result["confidence"] = _means(number, most, is_scored, many)
    best = np.zeros(many)
    np.maximum.at(best, number[is_scored], np.nan_to_num(score[is_scored]))
    result["is_failed"] = (result["models"] >= 2) & (best == 0) & result["score"].notna().to_numpy()
    result["other"], result["others"], result["doubt"], result["is_doubtful"] = _doubts(counts, labels, result)
    for name in ("unparsable", *sorted(FAILURES, key=str)):
        result[str(name)] = _sums(number, status == str(name), many)
    for name in ("tokens_out", "latency_s", "cost_usd"):
        values = rows[name].to_numpy(dtype=np.float64) if name in rows else np.full(len(rows), np.nan)
        known = ~np.isnan(values)
        result[name] = _means(number, values, known, many) * (_sums(number, known, many) if name == "cost_usd" else 1)
    result["item"] = rows["item"].to_numpy()[first]
    return result[list(COLUMNS)]


def _sums(number: NDArray[np.int32], values: NDArray[np.bool_], many: int) -> NDArray[np.int64]:
    return np.bincount(number[values], minlength=many)


def _means(number: NDArray[np.int32], values: Array, is_in: NDArray[np.bool_], many: int) -> Array:
    known = is_in & ~np.isnan(values)
    sums, counts = np.bincount(number[known], values[known], minlength=many), _sums(number, known, many)
    return np.asarray(np.divide(sums, counts, out=np.full(many, np.nan), where=counts > 0))


def _counts(
    number: NDArray[np.int32], models: NDArray[np.int32], answered: Sequence[str | None], labels: list[str], many: int
) -> Array:
    """Answers of each sample, model and label (n × models × labels)."""
    counts = np.zeros((many, int(models.max(initial=-1)) + 1, len(labels)))
    code = {label: place for place, label in enumerate(labels)}
    codes = np.array([-1 if each is None else code.get(each, -1) for each in answered], dtype=np.intp)
    known = codes >= 0
    np.add.at(counts, (number[known], models[known], codes[known]), 1.0)
    return counts


def _doubts(
    counts: Array, labels: list[str], of: pd.DataFrame
) -> tuple[list[str | None], Array, Array, NDArray[np.bool_]]:
    """Return for each sample the other label, the number of models that gave it, the probability that it is right, not
    the true one, and whether that is a likely error. `counts`: see `_counts`."""
    n = len(counts)
    others: list[str | None] = [None] * n
    models, doubt, is_doubtful = np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=bool)
    totals = counts.sum(axis=2, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    code = {label: place for place, label in enumerate(labels)}
    true = np.array([code.get(each, -1) for each in of["true"].astype(object).tolist()], dtype=np.intp)
    groups = of.groupby(["task", "variant"], sort=False, observed=True, dropna=False).indices
    for inside in groups.values():
        places = inside[(true[inside] >= 0) & (shares[inside].sum(axis=(1, 2)) > 0)]
        used = np.flatnonzero(np.bincount(true[places], minlength=len(labels)))
        if len(used) < 2:
            continue
        own, weights = np.searchsorted(used, true[places]), shares[places]
        of_label = np.zeros((len(used), *weights.shape[1:]))
        np.add.at(of_label, own, weights)
        prior = np.bincount(own, minlength=len(used)).astype(np.float64)
        logs = np.log(prior)[None, :] + np.einsum("nma,lma->nl", weights, _log_shares(of_label))
        # The sample itself says nothing of its own label: its answers are taken out of the counts of that label.
        rows = np.arange(len(places))
        without = _log_shares(of_label[own] - weights)
        logs[rows, own] = np.log(np.maximum(prior[own] - 1, 0.5)) + (weights * without).sum(axis=(1, 2))
        giving = (counts[places][:, :, used] > 0).sum(axis=1)
        apart = np.where(giving > 0, logs - logs[rows, own][:, None], -np.inf)
        apart[rows, own] = -np.inf
        best = apart.argmax(axis=1)
        is_given = apart[rows, best] > -np.inf
        doubt[places[is_given]] = 1 / (1 + np.exp(-apart[rows, best][is_given]))
        by_other = giving[rows, best]
        models[places[is_given]] = by_other[is_given]
        is_doubtful[places] = (doubt[places] >= LIKELY) & (by_other >= 2) & (by_other >= giving[rows, own])
        for place, label in zip(places[is_given].tolist(), used[best][is_given].tolist(), strict=True):
            others[place] = labels[label]
    return others, models, doubt, is_doubtful


def _log_shares(counts: Array) -> Array:
    """Logarithms of the shares of answers (the last axis), smoothed."""
    smooth = counts + _SMOOTHING
    return np.asarray(np.log(smooth / smooth.sum(axis=-1, keepdims=True)))
