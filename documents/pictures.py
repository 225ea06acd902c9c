"""PNG, JPEG, WebP and GIF as documents of one page, one pixel a point. Runs in a child process only."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import Any

from PIL import Image, ImageOps

from core.errors import UnreadableDocument
from documents.limits import Limits

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
NO_TEXT = "No text layer: names and arrows are read from the image."
UNTURNED = "The picture's metadata (EXIF) cannot be read; it is shown as stored, not turned."
MOVING = "The picture is animated; its first frame is shown and read."
NOTICE = "notice"
"""Key in `Image.info` of a notice about the picture."""
_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_ADOBE, _COMMENT, _SCAN = 0xEE, 0xFE, 0xDA


def open_picture(content: bytes, limits: Limits) -> Image.Image:
    """Return the picture as displayed (turned as its EXIF says, on white), as RGB.

    Unreadable metadata leave it unturned, with a notice: they never make a sound picture unreadable.
    Raises UnreadableDocument: "too many pixels" (checked before decoding), "damaged picture"."""
    Image.MAX_IMAGE_PIXELS = None  # the limit below has a message for the user
    try:
        try:
            return _on_white(_turned(_loaded(content, limits)))
        except (UnreadableDocument, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - of a text chunk, a resolution or a profile Pillow raises what it likes
            picture = _loaded(without_metadata(content), limits)
            picture.info[NOTICE] = UNTURNED
            return _on_white(picture)
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        message = "The picture is damaged and cannot be shown; save it again."
        raise UnreadableDocument("damaged picture", message) from error


def _loaded(content: bytes, limits: Limits) -> Image.Image:
    picture = Image.open(io.BytesIO(content), formats=FORMATS)
    if picture.width * picture.height > limits.max_pixels:
        raise UnreadableDocument(
            "too many pixels",
            f"The picture has {picture.width:,} x {picture.height:,} pixels; the limit is "
            f"{limits.max_pixels / 1e6:.0f} million. Upload a smaller copy.",
        )
    is_moving = getattr(picture, "is_animated", False)  # may look at the second frame
    picture.seek(0)
    picture.load()
    if is_moving:
        picture.info[NOTICE] = MOVING
    return picture


def _turned(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # noqa: BLE001 - struct.error, SyntaxError, TypeError and more (python-pillow/Pillow#4037, #8965)
        picture.info[NOTICE] = UNTURNED
        return picture


def without_metadata(content: bytes) -> bytes:
    """Strip a PNG or JPEG of all but its pixels, as far as its structure can be followed; return other formats
    unchanged."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return content[:8] + b"".join(chunk for kind, chunk in _chunks(content) if kind in _PIXELS)
    if content.startswith(b"\xff\xd8"):
        return content[:2] + b"".join(_segments(content))
    return content


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while place + 8 <= len(content):
        end = place + 12 + struct.unpack_from(">I", content, place)[0]
        yield content[place + 4 : place + 8], content[place:end]
        place = end


def _segments(content: bytes) -> Iterator[bytes]:
    """Yield the segments of a JPEG up to its first scan, then the rest as it is.

    Left out are comments and application segments, except Adobe's, which says how colours are coded."""
    place = 2
    while place + 4 <= len(content) and content[place] == 0xFF and (marker := content[place + 1]) != _SCAN:
        end = place + 2 + struct.unpack_from(">H", content, place + 2)[0] if marker != 0xFF else place + 1
        if marker == _ADOBE or not (0xE0 <= marker <= 0xEF or marker == _COMMENT):
            yield content[place:end]
        place = end
    yield content[place:]


def _on_white(stored: Image.Image) -> Image.Image:
    picture = stored
    if picture.mode.startswith("I"):  # 16 bits a pixel: plain conversion would cut, not scale
        picture = picture.point(lambda value: value * (1 / 256)).convert("L")
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        white.alpha_composite(layer)
        picture = white
    shown = picture.convert("RGB")
    if NOTICE in stored.info:
        shown.info[NOTICE] = stored.info[NOTICE]
    return shown


def picture_facts(picture: Image.Image) -> dict[str, Any]:
    notices = [NO_TEXT, *([picture.info[NOTICE]] if NOTICE in picture.info else [])]
    return {"page_count": 1, "has_text": False, "title": "", "is_title_read": False, "notices": notices}


def picture_page(picture: Image.Image) -> dict[str, Any]:
    """Return the same keys as a page of a PDF; the whole picture is the figure."""
    box = [0.0, 0.0, float(picture.width), float(picture.height)]
    region = {"box": box, "kind": "whole page", "label": "", "caption": ""}
    return {"number": 1, "width": box[2], "height": box[3], "words": [], "regions": [region]}


def draw_picture(picture: Image.Image, box: tuple[float, float, float, float] | None, side: int | None = None) -> bytes:
    """Return a PNG of the picture or of a box of it, never enlarged. `side`: longest side in pixels, at most."""
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
