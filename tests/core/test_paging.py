"""Pages that may be asked for."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.paging import check_page


def test_a_page_lies_within_what_a_database_counts() -> None:
    check_page(0, 1)
    check_page(1_000_000_000, 500)
    for offset, limit in ((-1, 50), (1_000_000_001, 50), (2**63, 50), (0, 0), (0, 501)):
        with pytest.raises(BadInput, match=f"limit {limit} and offset {offset};"):
            check_page(offset, limit)
