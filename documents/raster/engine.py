"""RapidOCR (PP-OCRv6, both networks inside its wheel): lines of words in a picture. Runs in a child process only.

The networks are fixed here: RapidOCR would download any other."""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Height x width x 3: blue, green, red."""

Corners = NDArray[np.float32]
"""Four points (x, y) around a line, clockwise from where it begins."""

PIXELS, MOST_PIXELS = 1.6e6, 4e6  # size of the picture in which lines are detected: at first, and if letters are small
LARGEST_SIDE = 2_000  # pixels; of larger pictures a smaller one is searched first
SMALL_LINE = 11.0  # pixels: where lines are lower, letters may be missed
# heights; this number of lines of that length (60 letters) is running text, which is no name
LONG, MANY_LONG = 30.0, 12
TALLEST_PIECE = 96  # pixels; twice what is read: more would be sampled, not averaged
DETECTOR, READER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
LEAST_SCORE = 0.5
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, LARGEST_SETTING = -1, -3, 1 << 30  # as in mallopt(3)


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line of words."""

    text: str  # "" for running text: reading a page of it would take 15 s
    box: tuple[float, float, float, float]  # (left, top, right, bottom) in pixels, with a rim around the ink
    score: float  # 0 to 1


def read_lines(picture: Pixels) -> list[RecognisedLine]:
    """Read the lines of words in a picture, in no order. Raises MemoryError. In a large picture lines are detected in a
    smaller one, since detection takes most of the time, and read from the large one."""
    is_large = max(picture.shape[:2]) > LARGEST_SIDE
    corners = _line_corners(picture, PIXELS if is_large else MOST_PIXELS)
    if corners and is_large and _is_small(corners, picture):
        corners = _line_corners(picture, MOST_PIXELS)
    long = [each for each in corners if _is_long(each)]
    prose, others = (
        (long, [each for each in corners if not _is_long(each)]) if len(long) >= MANY_LONG else ([], corners)
    )
    from rapidocr.utils.process_img import get_rotate_crop_image

    read = read_pieces([np.asarray(get_rotate_crop_image(picture, each.copy()), np.uint8) for each in others])
    lines = [
        RecognisedLine(text, _around(each), score)
        for each, (text, score) in zip(others, read, strict=True)
        if text.strip() and score >= LEAST_SCORE
    ]
    return [*lines, *(RecognisedLine("", _around(each), 1.0) for each in prose)]


def _is_long(corners: Corners) -> bool:
    return math.dist(corners[0], corners[1]) > LONG * math.dist(corners[0], corners[3])


def read_pieces(pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
    """Return text and score of pictures that contain one line each. Raises MemoryError."""
    if not pieces:
        return []
    from rapidocr.ch_ppocr_rec.typings import TextRecInput

    pieces = [_lower(piece) for piece in pieces]
    if _engine().text_rec is None:  # it loads with the first picture that is read
        _run_engine(pieces[0], use_det=False, use_cls=False, use_rec=True)
    with _out_of_memory():
        answer = _engine().text_rec(TextRecInput(img=pieces))
    return [(text, float(score)) for text, score in zip(answer.txts, answer.scores, strict=True)]


def _line_corners(picture: Pixels, pixels: float) -> list[Corners]:
    """Detect lines in a picture of at most `pixels`; return the corners of each."""
    import cv2

    zoom = _zoom(picture, pixels)
    small = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else picture
    answer = _run_engine(np.asarray(small, np.uint8), use_det=True, use_cls=False, use_rec=False)
    return [] if answer.boxes is None else [np.asarray(each / zoom, np.float32) for each in answer.boxes]


def _zoom(picture: Pixels, pixels: float) -> float:
    high, wide = picture.shape[:2]
    return float(min(1.0, (pixels / (high * wide)) ** 0.5, LARGEST_SIDE / max(high, wide)))


def _is_small(corners: Sequence[Corners], picture: Pixels) -> bool:
    """Return True if lines are so low in the smaller picture that a larger one shows more."""
    low = median(min(math.dist(each[0], each[3]), math.dist(each[0], each[1])) for each in corners)
    return low * _zoom(picture, PIXELS) < SMALL_LINE and _zoom(picture, MOST_PIXELS) > _zoom(picture, PIXELS)


def _lower(piece: Pixels) -> Pixels:
    import cv2

    zoom = TALLEST_PIECE / piece.shape[0]
    if zoom >= 1:
        return piece
    return np.asarray(cv2.resize(piece, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)


def _around(corners: Corners) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def _run_engine(picture: Pixels, **options: bool) -> Any:
    with _out_of_memory():
        return _engine()(picture, **options)


class _out_of_memory:  # noqa: N801 - reads as what it does
    """Context that turns the runtime's own out-of-memory errors into MemoryError."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, MemoryError):
            return
        words = str(error).lower()
        if any(each in words for each in ("bad_alloc", "failed to allocate", "insufficient memory", "out of memory")):
            raise MemoryError(str(error)[:200]) from error


def _keep_memory() -> None:
    """Keep freed memory in this process: the networks allocate the same large pieces again and again, and the kernel
    would clear each, half a second a picture. Only for Linux's C library."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        for setting in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            library.mallopt(setting, LARGEST_SETTING)


@cache
def _engine() -> Any:
    """Load the engine at the first picture: a second of processor time and 0.25 GB."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _keep_memory()
    import cv2
    import rapidocr

    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": LARGEST_SIDE,
            "Global.text_score": LEAST_SCORE,
            "Det.limit_type": "max",  # else narrow pictures are enlarged
            "Det.limit_side_len": LARGEST_SIDE,
            "Global.use_cls": False,
            "Det.model_path": str(models / DETECTOR),
            "Rec.model_path": str(models / READER),
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
