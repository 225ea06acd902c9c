"""RapidOCR (PP-OCRv6, both networks inside its wheel): lines of words in a picture. Runs in a child process only.

Nothing is fetched: which networks are used is fixed here, since the library would download any other.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Height x width x 3: blue, green, red."""

LARGEST_SIDE = 2_000  # pixels; larger pictures are read smaller, since memory grows with the area
DETECTOR, READER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
LEAST_SCORE = 0.5


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of words: `box` is (left, top, right, bottom) in pixels, with a rim around the ink; `score` 0 to 1."""

    text: str
    box: tuple[float, float, float, float]
    score: float


def read_lines(picture: Pixels) -> list[ReadLine]:
    """The lines of words in a picture, in no order. Raises MemoryError."""
    answer = _asked(picture, use_det=True, use_cls=False, use_rec=True)
    if answer.boxes is None:
        return []
    return [
        ReadLine(text, _around(corners), float(score))
        for corners, text, score in zip(answer.boxes, answer.txts, answer.scores, strict=True)
    ]


def read_pieces(pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
    """Text and score of pictures that hold one line each. Raises MemoryError."""
    if not pieces:
        return []
    from rapidocr.ch_ppocr_rec.typings import TextRecInput

    if _engine().text_rec is None:  # it loads with the first picture that is read whole
        _asked(pieces[0], use_det=False, use_cls=False, use_rec=True)
    with _out_of_memory():
        answer = _engine().text_rec(TextRecInput(img=list(pieces)))
    return [(text, float(score)) for text, score in zip(answer.txts, answer.scores, strict=True)]


def _around(corners: NDArray[np.float32]) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def _asked(picture: Pixels, **how: bool) -> Any:
    with _out_of_memory():
        return _engine()(picture, **how)


class _out_of_memory:  # noqa: N801 - reads as what it does
    """What the runtime says when it gets no memory, as Python says it: it raises errors of its own."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is not None and not isinstance(error, MemoryError) and _is_out_of_memory(error):
            raise MemoryError(str(error)[:200]) from error


def _is_out_of_memory(error: BaseException) -> bool:
    words = str(error).lower()
    return any(each in words for each in ("bad_alloc", "failed to allocate", "insufficient memory", "out of memory"))


@cache
def _engine() -> Any:
    """Loaded at the first picture: a second of processor time and a quarter of a gigabyte."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import cv2
    import rapidocr

    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": LARGEST_SIDE,
            "Global.text_score": LEAST_SCORE,
            "Global.use_cls": False,
            "Det.model_path": str(models / DETECTOR),
            "Rec.model_path": str(models / READER),
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
