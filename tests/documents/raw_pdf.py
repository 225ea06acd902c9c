"""A PDF put together by hand, for what no library would write."""

from __future__ import annotations

import io


def raw_pdf(objects: list[bytes]) -> bytes:
    """A PDF of hand-written objects 1..n, of which the first is the catalog."""
    out = io.BytesIO(b"%PDF-1.7\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


def word_pdf(rotate: int, unit: float, crop: str = "") -> bytes:
    """One word on a page of 400 × 300 units of `unit` points each, turned by `rotate` degrees."""
    content = b"BT /F 20 Tf 1 0 0 1 180 150 Tm (Price) Tj ET"
    page = f"/MediaBox [0 0 400 300] {crop} /Rotate {rotate} /UserUnit {unit} /Contents 5 0 R"
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 4 0 R >> >> %s >>" % page.encode(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    )


def lines_pdf(lines: list[tuple[float, float, str]], size: float = 10) -> bytes:
    """A page of lines in Times, each (x, y from the top, text)."""
    shown = b" ".join(b"1 0 0 1 %.1f %.1f Tm (%s) Tj" % (x, 842 - y, text.encode("latin-1")) for x, y, text in lines)
    content = b"BT /F %.1f Tf %s ET" % (size, shown)
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 4 0 R >> >>"
            b" /Contents 5 0 R >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    )
