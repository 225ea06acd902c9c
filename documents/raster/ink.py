"""Ink of a picture: its scale, its words painted out, its shades made paper. Runs in a child only.

All lengths are multiples of EM, the height of the letters in pixels after scaling."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.raster.engine import Pixels
from documents.raster.words import Ink, InkWord
from documents.rects import Rect

EM = 36.0  # pixels of a letter's size while lines are read
MOST_PIXELS = 9e6  # of the picture while lines are read
MOST_ENLARGED = 4.0
DARK_PAPER = 128  # levels: darker paper is inverted if its figure is lighter
FAINTEST = 22  # levels by which the palest line differs from the colour around it
LETTER_RIM = 0.07  # of EM: what stays of a letter around its measured ink
SHADE = 14  # levels: two places of one shade differ by less
AROUND = 0.45  # of EM: within that, a line may be no paler than this share of the darkest ink
SHARE_OF_DARKEST = 0.38
FAINTEST_RIM, SHARE_OF_RIM = 13, 0.1


def scale_of(words: Sequence[InkWord], picture: Pixels) -> float:
    """Return the factor that enlarges a picture so that its letters are EM high."""
    named = [word.size for word in words if sum(letter.isalpha() for letter in word.text) > 2]
    letter = median(named or [word.size for word in words] or [20.0])
    high, wide = picture.shape[:2]
    return float(min(EM / max(letter, 1.0), MOST_ENLARGED, (MOST_PIXELS / (high * wide)) ** 0.5))


def resized(picture: Pixels, zoom: float) -> Pixels:
    method = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=method), np.uint8)


def pixels_of(box: Rect, picture: NDArray[np.generic], margin: float = 0.0) -> tuple[slice, slice]:
    high, wide = picture.shape[:2]
    top, left = max(0, int(box[1] - margin)), max(0, int(box[0] - margin))
    bottom, right = min(high, int(box[3] + margin) + 1), min(wide, int(box[2] + margin) + 1)
    return slice(top, max(top, bottom)), slice(left, max(left, right))


def paint_out(picture: Pixels, box: Rect) -> tuple[int, ...]:
    """Replace a box by the usual colour of its rim, which is returned."""
    rows, columns = pixels_of(box, picture, LETTER_RIM * EM)
    part = picture[rows, columns]
    if not part.size:
        return (255, 255, 255)
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    colour = np.median(rim, axis=0).astype(np.uint8)
    part[:] = colour
    return tuple(int(value) for value in colour)


def paper_of(picture: Pixels) -> NDArray[np.int16]:
    few = (picture[::4, ::4].reshape(-1, 3) // 16).astype(np.int32)
    codes = few[:, 0] * 256 + few[:, 1] * 16 + few[:, 2]
    most = int(np.bincount(codes, minlength=4096).argmax())
    near = picture[::4, ::4].reshape(-1, 3)[codes == most]
    return np.asarray(np.median(near, axis=0), np.int16)


def on_light(picture: Pixels) -> Pixels:
    """Return a picture on dark paper as one on light paper, its lightness inverted and its hues kept: letters and lines
    are read where it is darker than around."""
    grey = cv2.cvtColor(picture[::4, ::4], cv2.COLOR_BGR2GRAY)
    darkest, paper, lightest = (float(level) for level in np.percentile(grey, (1, 50, 99)))
    if paper >= DARK_PAPER or lightest - paper < paper - darkest:
        return picture
    channels = picture.astype(np.int16)
    extremes = channels.max(axis=2, keepdims=True) + channels.min(axis=2, keepdims=True)
    return np.asarray(channels + 255 - extremes, np.uint8)


def shade_at(picture: Pixels, place: tuple[int, int]) -> Ink:
    mask = np.zeros((picture.shape[0] + 2, picture.shape[1] + 2), np.uint8)
    flags = 4 | (1 << 8) | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE
    cv2.floodFill(picture, mask, place, 0, (SHADE,) * 3, (SHADE,) * 3, flags)
    return mask[1:-1, 1:-1].astype(bool)


def depth_of(picture: Pixels) -> NDArray[np.uint8]:
    """Return the levels by which each pixel is darker than the colour around it, in the channel that shows it most."""
    around = cv2.morphologyEx(picture, cv2.MORPH_CLOSE, np.ones((2 * int(0.9 * EM) + 1,) * 2, np.uint8))
    return most_of(np.asarray(cv2.subtract(around, picture), np.uint8))


def most_of(channels: Pixels) -> NDArray[np.uint8]:
    """Return the largest of each pixel's three channels; several times faster than NumPy's maximum."""
    blue, green, red = cv2.split(channels)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def ink_of(depth: NDArray[np.uint8]) -> Ink:
    """Return what is drawn: pale lines too, but not the soft edges of dark ones nor the noise of the paper."""
    return _ink(depth, FAINTEST, SHARE_OF_DARKEST)


def rims_of(depth: NDArray[np.uint8]) -> Ink:
    """Return what may be the line around a node: as `ink_of`, but fainter and without the smallest gaps, since a line
    broken near a dark one would enclose nothing."""
    rims = _ink(depth, FAINTEST_RIM, SHARE_OF_RIM).astype(np.uint8)
    closed: Ink = cv2.morphologyEx(rims, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0
    return closed


def _ink(depth: NDArray[np.uint8], faintest: float, share: float) -> Ink:
    quiet = depth[::3, ::3]
    noise = float(np.percentile(quiet, 80))  # most of a figure is paper
    reach = 2 * int(AROUND * EM) + 1
    darkest = cv2.dilate(depth, np.ones((reach, reach), np.uint8))
    least = np.maximum(max(faintest, 2.5 * noise), share * np.arange(256))  # by the darkest; whole levels suffice
    ink: Ink = depth > cv2.LUT(darkest, np.minimum(np.floor(least), 255).astype(np.uint8))
    return ink


def without_specks(ink: Ink, least: float) -> Ink:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    is_large = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) >= least
    is_large[0] = False
    cleaned: Ink = is_large[labels]
    return cleaned
