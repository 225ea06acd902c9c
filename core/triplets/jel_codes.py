"""The JEL code of a variable: the most similar title of a secondary code (Lee et al. 2025, section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.estimate import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SECONDARY = re.compile(r"[A-Z][0-9]")  # A letter and a digit; the paper assigns no primary and no tertiary code
BLOCK = 1024
TIED = 1e-12  # cosines this near to each other are a tie: rounding could change their order


@dataclass(frozen=True, slots=True)
class CodeTitle:  # a line of the user's code file
    code: str
    title: str
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class NearestCode:
    """`code` is None where the variable or every title has a vector of zeros, and `cosine` then has the reason."""

    code: CodeTitle | None
    cosine: Estimate


def nearest_codes(variables: Sequence[Sequence[float]], codes: Sequence[CodeTitle]) -> list[NearestCode]:
    """Return for each variable's vector the code whose title has the greatest cosine; of ties, the first by its code.
    Raises BadInput without codes and for vectors that differ in length."""
    import numpy as np

    if not codes:
        raise BadInput("There are no JEL codes to choose from.")
    ordered = sorted(codes, key=lambda each: each.code)
    lengths = {len(each.vector) for each in ordered} | {len(each) for each in variables}
    if len(lengths) > 1:
        raise BadInput(
            f"Vectors of {' and '.join(map(str, sorted(lengths)))} numbers cannot be compared; all must come from one "
            "model."
        )
    titles, has_title = _unit(np.array([each.vector for each in ordered], dtype=np.float64))
    nearest: list[NearestCode] = []
    for start in range(0, len(variables), BLOCK):
        block, has_words = _unit(np.array(variables[start : start + BLOCK], dtype=np.float64))
        cosines = np.where(has_title, block @ titles.T, -np.inf)
        best = np.argmax(cosines >= cosines.max(axis=1, keepdims=True) - TIED, axis=1)
        for row, place in enumerate(best.tolist()):
            nearest.append(_nearest(ordered[place], float(cosines[row, place]), bool(has_words[row])))
    return nearest


def _nearest(code: CodeTitle, cosine: float, has_words: bool) -> NearestCode:
    if not has_words:
        return NearestCode(None, Estimate(None, reason="the variable's vector is all zeros"))
    if cosine == float("-inf"):
        return NearestCode(None, Estimate(None, reason="every title's vector is all zeros"))
    return NearestCode(code, Estimate(min(1.0, max(-1.0, cosine))))


def _unit(vectors: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return vectors of length 1, and a mask of those that were not all zeros."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    scaled = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)  # no square overflows
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    unit = np.divide(scaled, length, out=np.zeros_like(scaled), where=length > 0)
    return unit, np.asarray(length[:, 0] > 0, dtype=np.bool_)
