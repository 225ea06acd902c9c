"""Slices of a table by any fact of its samples: by value, by quartiles, or between edges."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

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


def sliced_by(frame: pd.DataFrame, by: str) -> Sliced:
    """Slice by COLUMN, COLUMN:quartiles or COLUMN:EDGE,EDGE. A column is named as in the frame, or without `fact.` or
    `count.`. Edges of quartiles come from distinct samples; a value on an edge goes to the lower group. Raises BadInput
    for a column that no sample has, one that holds no numbers but is cut, bad edges, and too few samples."""
    import pandas as pd

    column, _, cut = by.partition(":")
    name = next((each for each in (column, f"fact.{column}", f"count.{column}") if each in frame.columns), "")
    title = (name or column).rpartition(".")[2].replace("_", " ")
    if not name or frame[name].isna().all():
        way = " Label texts under Papers → Text." if title == "explicitness" else ""
        article = "an" if title[:1] in "aeiou" else "a"
        raise BadInput(f"No sample of these runs has {article} {title}.{way}")
    missing, note = f"no {title}", ""
    if not cut:
        values = [unpacked(cell) or (missing,) for cell in frame[name].astype(object)]
        labels = sorted({label for each in values for label in each} - {missing}, key=_as_number)
        cells = list(map(packed, values))
    else:
        try:
            numbers = pd.to_numeric(frame[name].astype(object)).to_numpy(dtype=np.float64)
        except (ValueError, TypeError):
            raise BadInput(f"The {title} of these samples is no number. Slice by {column} alone.") from None
        question = frame["pair" if "pair" in frame.columns else "sample"].astype(object)  # once for all of its variants
        distinct = pd.DataFrame({"question": question, "value": numbers}).dropna()
        of_samples = distinct.drop_duplicates("question")["value"].to_numpy()
        edges = _edges(cut, of_samples, title)
        texts = [f"{edge:.10g}" if abs(edge) < 10_000 else f"{edge:,.10g}" for edge in edges]  # years have no comma
        labels = [f"≤ {texts[0]}", *(f"> {low} to {high}" for low, high in pairwise(texts)), f"> {texts[-1]}"]
        groups = np.searchsorted(edges, numbers, side="left")
        cells = [missing if np.isnan(value) else labels[group] for value, group in zip(numbers, groups, strict=True)]
        many = np.bincount(np.searchsorted(edges, of_samples, side="left"), minlength=len(labels))
        counts = ", ".join(f"{label}: {n:,}" for label, n in zip(labels, many, strict=True))
        note = f"samples of these runs by {title}: {counts}"
    order = in_order(*labels, missing)
    grouping = Grouping(LABEL, f"{title[:1].upper()}{title[1:]}", lambda item: item.values(LABEL), order)
    return Sliced(frame.assign(**{f"fact.{LABEL}": pd.Categorical(cells)}), grouping, note)


def _edges(cut: str, values: NDArray[np.float64], title: str) -> list[float]:
    if cut == QUARTILES:
        if len(values) < LEAST:
            raise BadInput(f"Quartiles need {LEAST} samples; there are {len(values)}.")
        return sorted(set(np.quantile(values, [0.25, 0.5, 0.75]).tolist()))
    try:
        edges = [float(each) for each in cut.split(",")]
    except ValueError:
        edges = []
    if not edges or edges != sorted(set(edges)) or not np.isfinite(edges).all():
        raise BadInput(f"The edges {quoted(cut)} of {title} are not {QUARTILES} or rising numbers such as 5,10.")
    return edges


def _as_number(label: str) -> tuple[float, str]:
    try:
        return float(label), label
    except ValueError:
        return np.inf, label
