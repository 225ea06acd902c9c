"""Reader of documents for the rest of the program: facts, words, figure regions, page images, blocks of text.

Cheap checks happen here; every parser runs in a child of the pool. Images are cached on disk, since encoding them takes
ten times as long as drawing them."""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from core.errors import BadInput, Missing, StoreUnavailable, UnreadableDocument
from core.graphs.layouts.drawing import Drawing
from core.papers.pages import Box, DocumentFacts, FigureRegion, PageFacts, Word
from core.texts.markdown import PageBlock, PageText
from core.texts.sections import LayoutRole, TextBlock
from core.transcription.proposals import FigureProposals
from core.transcription.sizes import voted_sizes
from documents.child_errors import NO_DOCUMENT
from documents.limits import DPI_STEPS, DRAWING_CPU_S, FURTHER_CPU_S, FURTHER_SIZES, MEGABYTE
from documents.pool import Pool

PRODUCER = "edgewise.documents"
PRODUCER_VERSION = 3  # raise it whenever words, regions or images of the same file may come out differently
FIGURES_PRODUCER = "edgewise.figures"  # the figures of each page, without its words; of the version above
PROPOSALS_PRODUCER = "edgewise.proposals"
PROPOSALS_SIZE = "edgewise.proposals.size"  # how many names and edges they hold; of the version below
PROPOSALS_VERSION = 14  # raise it whenever the same figure may get other names, edges or printed arrows

THUMBNAIL_PX = 480
TRIED_AGAIN_S = 600.0
HEADER_BYTES = 4096  # programs that draw SVG write long comments before it
SHA256 = re.compile(r"[0-9a-f]{64}")
WEB_PAGE = re.compile(rb"<(!doctype\s+html|html|head|body|script|title|meta)\b", re.IGNORECASE)
SVG = re.compile(rb"<(\w{1,20}:)?svg[\s>]")  # an SVG may contain <title> and <script>, but only after its root
NAME_LENGTH = 120


class Reader:
    """Reads documents through a pool; caches page images under `cache_dir`.

    `pictures`: pool whose children may take more memory, for reading pixels (None: the same)."""

    def __init__(self, pool: Pool, cache_dir: Path, pictures: Pool | None = None) -> None:
        self._pool, self._pictures = pool, pictures or pool
        self._cache = cache_dir / f"v{PRODUCER_VERSION}"
        self._too_slow: dict[Path, tuple[float, str]] = {}
        self._further = threading.Lock()  # one picture at a time is read at further sizes: a child remains for others

    def inspect(self, content: bytes, filename: str) -> DocumentFacts:
        """Return the facts of an uploaded file. Raises UnreadableDocument with kind "empty", "web page", "not a
        document", "over 50 MB", "truncated", "encrypted", "no pages", "too many pages", "too slow", "too much memory",
        "damaged picture", "too many pixels", "crashed", "busy"; the message begins with the file's name."""
        try:
            media_type = sniff(content, self._pool.limits.max_bytes)
            sha256 = hashlib.sha256(content).hexdigest()
            values = self._pool.call("inspect", {"media_type": media_type}, content, document=sha256).values
        except UnreadableDocument as error:
            name = "".join(char for char in Path(filename).name if char.isprintable())[:NAME_LENGTH] or "The file"
            raise UnreadableDocument(error.kind, f"{name}: {error}") from error
        return DocumentFacts(
            sha256=sha256,
            media_type=media_type,
            size_bytes=len(content),
            page_count=values["page_count"],
            has_text=values["has_text"],
            title=values["title"],
            is_title_read=values["is_title_read"],
            notices=tuple(values["notices"]),
        )

    def page(self, content_path: Path, sha256: str, number: int) -> PageFacts:
        """Return words and figure regions of page `number` (from 1), in displayed points.

        Raises UnreadableDocument ("no such page", "unreadable page", "too slow", ...), Missing (no such file)."""
        values = self._pool.call("page", {**_stored(content_path, sha256), "number": number}, document=sha256).values
        return PageFacts(
            number=values["number"],
            width=values["width"],
            height=values["height"],
            words=tuple(
                Word(word["text"], word["printed"], Box(*word["box"]), word["block"], word["line"])
                for word in values["words"]
            ),
            regions=tuple(
                FigureRegion(Box(*region["box"]), region["kind"], region["label"], region["caption"])
                for region in values["regions"]
            ),
        )

    def page_image(self, content_path: Path, sha256: str, number: int, dpi: int = 150) -> Path:
        """Return a PNG file of a whole page at 100, 150, 200 or 300 dpi. A picture keeps its own pixels at any dpi, so
        the scale is the image's width over the page's.
        Raises UnreadableDocument ("too large a page", "no such page", ...), BadInput (another dpi), Missing."""
        return self._image(content_path, sha256, number, dpi, None)

    def crop_image(self, content_path: Path, sha256: str, number: int, box: Box, dpi: int = 200) -> Path:
        """Return a PNG file of a box of a page. Raises as page_image, and "outside the page"."""
        return self._image(content_path, sha256, number, dpi, box)

    def thumbnail(self, content_path: Path, sha256: str, number: int, box: Box) -> Path:
        """Return a PNG file of a box of a page, its longer side at most THUMBNAIL_PX; raises as crop_image."""
        request = {**_stored(content_path, sha256), "number": number, "box": _corners(box), "side": THUMBNAIL_PX}
        return self._drawn("thumbnail", request, sha256, _image_name(number, f"small{THUMBNAIL_PX}", box))

    def proposals(self, content_path: Path, sha256: str, number: int, box: Box) -> FigureProposals:
        """Propose names and edges in a box of page `number`: to accept or refuse, never answers. This is the last of
        `readings`, and raises as they do."""
        *_, settled = self.readings(content_path, sha256, number, box)
        return settled

    def readings(self, content_path: Path, sha256: str, number: int, box: Box) -> Iterator[FigureProposals]:
        """Yield proposals as soon as there are any, then what they become. Without a text layer the names are read from
        the pixels, which takes seconds; if that fails, the result of words and lines stays, and its notice says why
        there is nothing else. A picture is then read at further sizes, one request each, and voted on; until then it is
        not settled. Raises UnreadableDocument ("no such page", "outside the page", "unreadable page", "too slow", ...),
        Missing; never after the first ones."""
        request = {**_stored(content_path, sha256), "number": number, "box": [box.x0, box.y0, box.x1, box.y1]}
        values = self._pool.call("proposals", request, document=sha256).values
        by_text = FigureProposals.from_json(values["by_text"]) if "by_text" in values else None
        if by_text is not None and not values["is_picture"]:
            yield by_text
            return
        try:
            first = FigureProposals.from_json(self._pictures.call("pixels", request, document=sha256).values)
        except UnreadableDocument as error:
            if by_text is None or not by_text.names or error.kind in ("busy", "closed"):
                raise
            yield replace(by_text, notice=" ".join(filter(None, (by_text.notice, str(error)))))
            return
        if first.kind != "picture" or len(first.names) < 2:
            yield first
            return
        yield replace(first, is_settled=False)
        sizes = [first, *self._at_further_sizes(request, sha256)]
        yield next((one for one in sizes if one.kind == "chart"), voted_sizes(sizes))

    def _at_further_sizes(self, request: Mapping[str, Any], sha256: str) -> Iterator[FigureProposals]:
        for longest_px in FURTHER_SIZES:
            try:
                with self._further:
                    resized = {**request, "longest_px": longest_px}
                    reply = self._pictures.call("pixels", resized, document=sha256, cpu_s=FURTHER_CPU_S)
            except UnreadableDocument:
                continue  # one vote less
            yield FigureProposals.from_json(reply.values)

    def box_text(self, content_path: Path, sha256: str, number: int, box: Box) -> str:
        """Read the words in the pixels of a small box of page `number`; "" if there are none. Takes a second or more.
        Raises UnreadableDocument ("no such page", "outside the page", "too slow", ...), Missing."""
        request = {**_stored(content_path, sha256), "number": number, "box": [box.x0, box.y0, box.x1, box.y1]}
        return str(self._pictures.call("box text", request, document=sha256).values["text"])

    def markdown(self, content_path: Path, sha256: str, number: int) -> PageText:
        """Return the blocks of page `number` (from 1) in reading order, each with its words and its Markdown, without
        invisible characters; none of a picture. About half a second of processor time and up to 0.9 GB.
        Raises UnreadableDocument ("no such page", "unreadable page", "too slow", "too much memory", ...), Missing."""
        request = {**_stored(content_path, sha256), "number": number}
        values = self._pool.call("markdown", request, document=sha256).values
        blocks: list[PageBlock] = []
        for row in values["blocks"]:
            seen = LayoutRole(row["seen"]) if row["seen"] in set(LayoutRole) else None
            block = TextBlock(number, row["text"] or row["markdown"], seen, Box(*row["box"]))
            blocks.append(PageBlock(block, row["markdown"]))
        return PageText(tuple(blocks), values["unseen"])

    def picture(self, drawing: Drawing, form: str, longest_px: int | None = None) -> bytes:
        """Draw a graph for print, as "svg", "png" (200 dpi, or less, so that no side is over `longest_px`) or "pdf".
        The same drawing gives the same bytes. Raises UnreadableDocument ("too large a page", "busy", …), BadInput
        (another form)."""
        if form not in ("svg", "png", "pdf"):
            raise BadInput(f"A graph is drawn as svg, png or pdf, not as {form}.")
        return self._pool.call(
            "picture", {"drawing": drawing.as_json(), "form": form, "longest_px": longest_px}
        ).content

    def _image(self, content_path: Path, sha256: str, number: int, dpi: int, box: Box | None) -> Path:
        if dpi not in DPI_STEPS:
            raise BadInput(f"Pages are drawn at {', '.join(map(str, DPI_STEPS))} dpi, not at {dpi}.")
        request = {**_stored(content_path, sha256), "number": number, "dpi": dpi, "box": _corners(box)}
        return self._drawn("draw", request, sha256, _image_name(number, dpi, box))

    def _drawn(self, call: str, request: Mapping[str, Any], sha256: str, name: str) -> Path:
        """Return the file of a picture, drawn once. A drawing that timed out is not retried for a while: each try would
        occupy a core that long."""
        target = self._cache / sha256[:2] / sha256 / name
        tried_at, why = self._too_slow.get(target, (-TRIED_AGAIN_S, ""))
        if monotonic() - tried_at < TRIED_AGAIN_S:
            raise UnreadableDocument("too slow", why)
        if not target.is_file():
            try:
                drawn = self._pool.call(call, request, document=sha256, cpu_s=DRAWING_CPU_S).content
            except UnreadableDocument as error:
                if error.kind == "too slow":
                    self._too_slow[target] = monotonic(), str(error)
                raise
            _write_whole(target, drawn)
        return target


def sniff(content: bytes, max_bytes: int) -> str:
    """Return the media type by the file's first bytes, never by its name.

    Raises UnreadableDocument: "empty", "over 50 MB", "web page", "not a document"."""
    if not content:
        raise UnreadableDocument("empty", "The file is empty; upload it again.")
    if len(content) > max_bytes:
        raise UnreadableDocument(
            "over 50 MB",
            f"{len(content) / MEGABYTE:.0f} MB; over {max_bytes / MEGABYTE:.0f} MB. Upload a smaller copy.",
        )
    head = content[:HEADER_BYTES]
    is_markup = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    html, svg = (pattern.search(head) if is_markup else None for pattern in (WEB_PAGE, SVG))
    if svg and (html is None or svg.start() < html.start()):
        return "image/svg+xml"
    if html:
        raise UnreadableDocument(
            "web page", "This is a web page, not a PDF (publisher sign-in?). Download the PDF itself."
        )
    if b"%PDF-" in head:
        return "application/pdf"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    raise UnreadableDocument("not a document", NO_DOCUMENT)


def _stored(content_path: Path, sha256: str) -> dict[str, Any]:
    """Return the arguments that name a stored file. The hash becomes part of a path, so only a hash may pass."""
    if not SHA256.fullmatch(sha256):
        raise BadInput("A document is named by the 64 hexadecimal digits of its SHA-256.")
    try:
        with content_path.open("rb") as file:
            head = file.read(HEADER_BYTES)
            size = content_path.stat().st_size
    except OSError as error:
        raise Missing("The file of this document is not in the store's files; restore it from a backup.") from error
    media_type = sniff(head, max(size, HEADER_BYTES))
    return {"path": str(content_path.resolve()), "sha256": sha256, "media_type": media_type}


def _corners(box: Box | None) -> list[float] | None:
    """Round to tenths of a point, as in the name of the cached image."""
    return None if box is None else [round(value, 1) for value in (box.x0, box.y0, box.x1, box.y1)]


def _image_name(number: int, size: int | str, box: Box | None) -> str:
    corners = _corners(box)
    place = "" if corners is None else "-" + "_".join(f"{value * 10:.0f}" for value in corners)
    return f"{number}-{size}{place}.png"


def _write_whole(target: Path, content: bytes) -> None:
    """Write under another name, then rename: a reader sees the whole image or none."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            try:
                file.write(content)
                file.flush()
                part.replace(target)
            except OSError:
                part.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StoreUnavailable(f"The page image cannot be kept ({error.strerror}); free some disk space.") from error
