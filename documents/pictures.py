"""PNG, JPEG and WebP as documents of one page, one pixel a point. Runs in a child process only."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import UnreadableDocument
from documents.limits import Limits

FORMATS = ("PNG", "JPEG", "WEBP")
PICTURE_FAULTS = (OSError, ValueError, SyntaxError, EOFError, TypeError, IndexError, UnidentifiedImageError)
NO_TEXT = "No text layer: names and arrows are read from the image."


def open_picture(content: bytes, limits: Limits) -> Image.Image:
    """The picture as displayed (turned as its EXIF says, on white), as RGB.

    Raises UnreadableDocument: "too many pixels" (checked before decoding), "damaged picture".
    """
    Image.MAX_IMAGE_PIXELS = None  # our own limit, below, speaks to the person
    try:
        picture = Image.open(io.BytesIO(content), formats=FORMATS)
    except PICTURE_FAULTS as error:
        raise _damaged() from error
    if picture.width * picture.height > limits.max_pixels:
        raise UnreadableDocument(
            "too many pixels",
            f"The picture has {picture.width:,} x {picture.height:,} pixels; the limit is "
            f"{limits.max_pixels / 1e6:.0f} million. Upload a smaller copy.",
        )
    try:
        picture.load()
        return _on_white(ImageOps.exif_transpose(picture))
    except PICTURE_FAULTS as error:
        raise _damaged() from error


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I"):  # 16 bits a pixel: plain conversion would cut, not scale
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        white.alpha_composite(layer)
        picture = white
    return picture.convert("RGB")


def _damaged() -> UnreadableDocument:
    return UnreadableDocument("damaged picture", "The picture is damaged and cannot be shown; save it again.")


def picture_facts(picture: Image.Image) -> dict[str, Any]:
    """Same keys as the facts of a PDF."""
    return {"page_count": 1, "has_text": False, "title": "", "is_title_read": False, "notices": [NO_TEXT]}


def picture_page(picture: Image.Image) -> dict[str, Any]:
    """Same keys as a page of a PDF: the whole picture is the figure."""
    box = [0.0, 0.0, float(picture.width), float(picture.height)]
    region = {"box": box, "kind": "whole page", "label": "", "caption": ""}
    return {"number": 1, "width": box[2], "height": box[3], "words": [], "regions": [region]}


def draw_picture(picture: Image.Image, box: tuple[float, float, float, float] | None, side: int | None = None) -> bytes:
    """PNG of the picture or of a box of it, never enlarged: its own pixels are all there is to see. `side`: the most
    pixels that its longer side may have."""
    if box is not None:
        x0, y0, x1, y1 = max(0, round(box[0])), max(0, round(box[1])), round(box[2]), round(box[3])
        x1, y1 = min(x1, picture.width), min(y1, picture.height)
        if x1 - x0 < 1 or y1 - y0 < 1:
            raise UnreadableDocument("outside the page", "The region lies outside the picture; draw it again.")
        picture = picture.crop((x0, y0, x1, y1))
    if side is not None and max(picture.size) > side:
        picture = picture.copy()
        picture.thumbnail((side, side))
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=3)
    return out.getvalue()
