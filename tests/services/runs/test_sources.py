"""What every source of samples says of itself, and the forms that draw it."""

from __future__ import annotations

import pytest

from pages import get_pages
from protocols import PROTOCOLS
from services.runs.benchmarks import get_services, get_sources


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_has_every_source_that_it_takes_and_forms_of_these_only(name: str) -> None:

    assert [*get_sources(PROTOCOLS[name])] == [*get_services(name).sources]
    assert get_pages(name).forms.keys() <= get_services(name).sources.keys()


def test_an_option_of_a_source_is_of_one_that_its_protocol_takes() -> None:
    """Otherwise no form would draw it."""
    of_sources = [(each, option) for each in PROTOCOLS.values() for option in each.options if option.source]
    assert {option.name for _, option in of_sources} >= {"figures", "graphs", "release", "corpus", "questions"}
    assert [option.name for each, option in of_sources if option.source not in each.sources] == []
