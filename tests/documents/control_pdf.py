"""PDFs by hand whose fonts give control characters: letters without known names come out as their code numbers."""

from __future__ import annotations

from itertools import groupby

from tests.documents.raw_pdf import raw_pdf


def control_pdf(pages: list[list[bytes]]) -> bytes:
    """Lines of Latin-1 text; codes 0–31 and 127–159 are set in a Type 3 font, as TeX's bitmap fonts are."""
    codes = [code for code in range(160) if _is_control(code)]
    glyphs = b" ".join(b"/a%d 6 0 R" % code for code in codes)
    names = b" ".join(b"%d /a%d" % (code, code) for code in codes)
    square = b"500 0 0 0 500 700 d1 0 0 400 600 re f"
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0"
        b" /LastChar 255 /Widths [%s] /Encoding << /Differences [%s] >> /CharProcs << %s >> /Resources << >> >>"
    ) % (b" ".join([b"500"] * 256), names, glyphs)
    first = 7  # objects of pages and their contents, two a page
    kids = b" ".join(b"%d 0 R" % (first + 2 * place) for place in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] /MediaBox [0 0 612 792] /Resources 3 0 R >>" % (len(pages), kids),
        b"<< /Font << /Letters 4 0 R /Controls 5 0 R >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        font,
        _stream(square),
    ]
    for place, lines in enumerate(pages):
        objects.append(b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>" % (first + 2 * place + 1))
        objects.append(_stream(b"BT 72 700 Td 14 TL " + b" T* ".join(map(_shown, lines)) + b" ET"))
    return raw_pdf(objects)


def _is_control(code: int) -> bool:
    return code < 32 or 127 <= code < 160


def _shown(line: bytes) -> bytes:
    """One line as strings of the two fonts in turn."""
    return b" ".join(
        b"/%s 10 Tf <%s> Tj" % (b"Controls" if is_control else b"Letters", bytes(run).hex().encode())
        for is_control, run in groupby(line, _is_control)
    )


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)
