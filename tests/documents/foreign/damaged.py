"""What becomes of a figure on its way to a reader, made from its PDF by a seed: `damaged.py VARIANT SEED PDF OUT`.

Run as a program or in a child: the tests' own process never imports the PDF library. Each variant is a PDF of one page
as large as the figure's.
"""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from documents.pdf_library import pymupdf

DPI = 150
QUALITY = 75  # of JPEG


def outlined(page: pymupdf.Page, _: random.Random) -> pymupdf.Document:
    """Every letter as a filled path, as journals' production tools leave them: the rest stays as it is, and no text is
    left. The letters' outlines come from the page's SVG; all else of it would lose dashes and shades.
    """
    svg = page.get_svg_image(text_as_path=True)
    head = svg[: svg.index(">", svg.index("<svg")) + 1]
    outlines = re.findall(r"<defs>.*?</defs>", svg, re.DOTALL)
    letters = re.findall(r"<use data-text=[^>]*/>", svg)
    only = f"{head}{''.join(outlines)}{''.join(letters)}</svg>"
    document = pymupdf.open()
    document.insert_pdf(page.parent, from_page=page.number, to_page=page.number)
    bare = document[0]
    bare.add_redact_annot(bare.rect, fill=False)  # type: ignore[arg-type]  # as documented: False fills with nothing
    bare.apply_redactions(images=pymupdf.mupdf.PDF_REDACT_IMAGE_NONE, graphics=pymupdf.mupdf.PDF_REDACT_LINE_ART_NONE)
    with pymupdf.open(stream=only.encode(), filetype="svg") as drawn:
        bare.show_pdf_page(bare.rect, pymupdf.open(stream=drawn.convert_to_pdf(), filetype="pdf"), 0)
    return document


def png(page: pymupdf.Page, _: random.Random) -> pymupdf.Document:
    """A lossless picture at 150 dpi."""
    return _page_of(page, _picture(page), "PNG")


def jpeg(page: pymupdf.Page, _: random.Random) -> pymupdf.Document:
    """A picture at 150 dpi, JPEG of quality 75."""
    return _page_of(page, _picture(page), "JPEG")


def scan(page: pymupdf.Page, rng: random.Random) -> pymupdf.Document:
    """A sheet laid askew on a scanner: turned by up to 1.5 degrees, a little blurred, paper not quite white, noise of 6
    grey levels; JPEG of quality 75."""
    picture = _picture(page).convert("L")
    turned = picture.rotate(rng.uniform(0.4, 1.5) * rng.choice((-1, 1)), Image.Resampling.BICUBIC, fillcolor=255)
    grey = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.6)), dtype=float)
    noise = np.random.default_rng(rng.getrandbits(32)).normal(0, 6, grey.shape)
    shade = np.linspace(rng.uniform(235, 250), 250, grey.shape[1])[None, :] / 255
    scanned = np.clip(grey * shade + noise, 0, 255).astype(np.uint8)
    return _page_of(page, Image.fromarray(scanned), "JPEG")


VARIANTS: dict[str, Callable[[pymupdf.Page, random.Random], pymupdf.Document]] = {
    "outlined": outlined,
    "png": png,
    "jpeg": jpeg,
    "scan": scan,
}


def damaged(path: Path, variant: str, seed: int) -> bytes:
    """The PDF of a variant of a figure's first page; equal for equal file names, variants and seeds.

    Raises KeyError for an unknown variant.
    """
    make = VARIANTS[variant]
    with pymupdf.open(path) as document, make(document[0], random.Random(f"{seed} {variant} {path.name}")) as made:
        return bytes(made.tobytes(garbage=3, deflate=True, no_new_id=True))


def _picture(page: pymupdf.Page) -> Image.Image:
    drawn = page.get_pixmap(dpi=DPI, alpha=False)
    return Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples)


def _page_of(page: pymupdf.Page, picture: Image.Image, kind: str) -> pymupdf.Document:
    data = io.BytesIO()
    picture.save(data, kind, quality=QUALITY)
    document = pymupdf.open()
    new = document.new_page(width=page.rect.width, height=page.rect.height)
    new.insert_image(new.rect, stream=data.getvalue(), keep_proportion=False)
    return document


if __name__ == "__main__":
    variant, seed, source, target = sys.argv[1:]
    Path(target).write_bytes(damaged(Path(source), variant, int(seed)))
