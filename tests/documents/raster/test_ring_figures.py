"""Pictures of dots and rings with the name next to them."""

from __future__ import annotations

import pytest

from documents.proposals.tasks import picture_of, read_picture
from tests.documents.raster.ring_figures import ring_figure
from tests.everything import EVERYTHING


@pytest.mark.skipif(not EVERYTHING, reason="test_discs.py finds dots and rings; here whole pictures are read")
@pytest.mark.parametrize("seed", range(10))
def test_every_arrow_between_dots_or_rings_is_proposed_and_no_other(seed: int) -> None:
    picture, edges = ring_figure(seed)
    found = read_picture(picture_of(picture, (0, 0, picture.width, picture.height)))
    names = [name.text for name in found.names]
    assert len(edges) > 2
    assert {(names[edge.source], names[edge.sink]) for edge in found.edges} == edges
