"""A chart as a file for a paper: SVG, PNG or PDF, drawn without a browser and without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.analysis.charts import Chart

PNG_SCALE = 2.0
"""Pixels of a picture for each of the chart."""


class PictureForm(StrEnum):
    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


PICTURE_MEDIA = {
    PictureForm.SVG: "image/svg+xml",
    PictureForm.PNG: "image/png",
    PictureForm.PDF: "application/pdf",
}


_REFERENCES = re.compile(rb"(?m)^(?: +/\w+ \d+ 0 R\n)+")


def _sorted(references: re.Match[bytes]) -> bytes:
    """The references of a PDF's page, which vl-convert writes in another order each time; their length stays."""
    return b"".join(sorted(references[0].splitlines(keepends=True)))


def write_chart(chart: Chart, form: PictureForm) -> bytes:
    """Return a chart in the light theme. The same chart gives the same bytes (with one version of vl-convert)."""
    import vl_convert

    spec = _spec(chart)
    write: Mapping[PictureForm, Callable[[], Any]] = {
        PictureForm.SVG: lambda: vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode(),
        PictureForm.PNG: lambda: vl_convert.vegalite_to_png(spec, scale=PNG_SCALE, allowed_base_urls=[]),
        PictureForm.PDF: lambda: _REFERENCES.sub(_sorted, vl_convert.vegalite_to_pdf(spec, allowed_base_urls=[])),
    }
    return bytes(write[form]())


@lru_cache(maxsize=1)  # a report has each chart in two forms, and to build it takes longer than to write it
def _spec(chart: Chart) -> dict[str, Any]:
    from core.analysis.charts import FILE_FONT, drawn

    return {**drawn(chart, font=FILE_FONT).to_dict(), "description": chart.words}
