"""Slices of a table by any fact of its samples: by value, by quartiles, or between edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.analysis.frame import packed, unpacked
from core.analysis.groupings import Grouping, in_order
from core.analysis.slices import QUARTILES
from core.errors import BadInput
from core.words import quoted

if TYPE_CHECKING:
    import pandas as pd

LEAST = 8
"""Samples that quartiles need."""
LABEL = "by"
"""The fact of the sliced frame that holds each row's group."""


@dataclass(frozen=True, slots=True)
class Sliced:
    """`frame`: with the group of each row; `note`: the edges and how many samples have a value, for headings."""

    frame: pd.DataFrame
    grouping: Grouping
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bins:
    """Groups of a number between rising edges; a value on an edge goes to the lower group."""

    edges: tuple[float, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        texts = [f"{edge:.10g}" if abs(edge) < 10_000 else f"{edge:,.10g}" for edge in self.edges]  # years: no comma
        return (f"≤ {texts[0]}", *(f"> {low} to {high}" for low, high in pairwise(texts)), f"> {texts[-1]}")

    def of(self, values: ArrayLike) -> NDArray[np.intp]:
        """Return the number of the group of each value, from 0."""
        return np.searchsorted(self.edges, values, side="left")


def numbers_of(frame: pd.DataFrame, name: str) -> pd.Series[float]:
    """Return a column of numbers, or of texts that are numbers, NaN where it has none or is missing. Raises BadInput
    for others."""
    import pandas as pd

    if name not in frame:
        return pd.Series(np.nan, index=frame.index)
    if pd.api.types.is_float_dtype(frame[name]):
        return frame[name].astype(np.float64)
    try:
        return pd.to_numeric(frame[name].astype(object)).astype(np.float64)
    except (ValueError, TypeError):
        raise BadInput(f"The {_words(name)} of these samples is no number.") from None


def distinct_numbers(frame: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Return the numbers of a column, one for each sample that has one: once for all variants of a question. Raises
    BadInput as `numbers_of`."""
    import pandas as pd

    question = frame["pair" if "pair" in frame.columns else "sample"].astype(object)
    known = pd.DataFrame({"question": question, "value": numbers_of(frame, name)}).dropna()
    return np.asarray(known.drop_duplicates("question")["value"])


def quartiles(values: NDArray[np.float64]) -> Bins:
    """Return the quartiles of samples' values. Raises BadInput for fewer than eight."""
    if len(values) < LEAST:
        raise BadInput(f"Quartiles need {LEAST} samples; there are {len(values)}.")
    return Bins(tuple(sorted(set(np.quantile(values, [0.25, 0.5, 0.75]).tolist()))))


def sliced_by(frame: pd.DataFrame, by: str) -> Sliced:
    """Slice by COLUMN, COLUMN:quartiles or COLUMN:EDGE,EDGE. A column is named as in the frame, or without `fact.` or
    `count.`. Edges of quartiles come from distinct samples; a value on an edge goes to the lower group. Raises BadInput
    for a column that no sample has, one that holds no numbers but is cut, bad edges, and too few samples."""
    import pandas as pd

    column, _, cut = by.partition(":")
    name = next((each for each in (column, f"fact.{column}", f"count.{column}") if each in frame.columns), "")
    title = _words(name or column)
    if not name or frame[name].isna().all():
        way = " Label texts under Papers → Text." if title == "explicitness" else ""
        article = "an" if title[:1] in "aeiou" else "a"
        raise BadInput(f"No sample of these runs has {article} {title}.{way}")
    missing, note = f"no {title}", ""
    labels: Sequence[str]
    if not cut:
        values = [unpacked(cell) or (missing,) for cell in frame[name].astype(object)]
        labels = sorted({label for each in values for label in each} - {missing}, key=_as_number)
        cells = list(map(packed, values))
    else:
        try:
            numbers, of_samples = numbers_of(frame, name), distinct_numbers(frame, name)
        except BadInput as error:
            raise BadInput(f"{error} Slice by {column} alone.") from None
        bins = quartiles(of_samples) if cut == QUARTILES else Bins(_edges(cut, title))
        labels = bins.labels
        groups = zip(numbers, bins.of(numbers), strict=True)
        cells = [missing if np.isnan(value) else labels[group] for value, group in groups]
        many = np.bincount(bins.of(of_samples), minlength=len(labels))
        counts = ", ".join(f"{label}: {n:,}" for label, n in zip(labels, many, strict=True))
        note = f"samples of these runs by {title}: {counts}"
    order = in_order(*labels, missing)
    grouping = Grouping(LABEL, f"{title[:1].upper()}{title[1:]}", lambda item: item.values(LABEL), order)
    return Sliced(frame.assign(**{f"fact.{LABEL}": pd.Categorical(cells)}), grouping, note)


def _words(name: str) -> str:
    return name.rpartition(".")[2].replace("_", " ")


def _edges(cut: str, title: str) -> tuple[float, ...]:
    try:
        edges = [float(each) for each in cut.split(",")]
    except ValueError:
        edges = []
    if not edges or edges != sorted(set(edges)) or not np.isfinite(edges).all():
        raise BadInput(f"The edges {quoted(cut)} of {title} are not {QUARTILES} or rising numbers such as 5,10.")
    return tuple(edges)


def _as_number(label: str) -> tuple[float, str]:
    try:
        return float(label), label
    except ValueError:
        return np.inf, label
