"""What every source of samples offers: a dry run asks each for all of it."""

from __future__ import annotations

import inspect

import pytest

from protocols import PROTOCOLS
from services.runs.benchmarks import Source, get_services

ACTS = [name for name, _ in inspect.getmembers(Source, inspect.isfunction) if not name.startswith("_")]
FACTS = [name for name, _ in inspect.getmembers(Source, lambda each: isinstance(each, property))]


SOURCES = {name: each for protocol in PROTOCOLS.values() for name, each in get_services(protocol).sources.items()}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_has_whatever_a_run_asks_of_it(name: str) -> None:
    source = SOURCES[name]
    assert "ready" in ACTS and "permission" in FACTS
    assert [each for each in FACTS if not hasattr(source, each)] == []
    for act in ACTS:
        wanted = list(inspect.signature(getattr(Source, act)).parameters)[1:]
        assert list(inspect.signature(getattr(source, act)).parameters) == wanted, act


def test_an_option_of_a_source_is_of_one_that_its_protocol_takes() -> None:
    """Otherwise no form would draw it."""
    of_sources = [(each, option) for each in PROTOCOLS.values() for option in each.options if option.source]
    assert {option.name for _, option in of_sources} >= {"figures", "graphs", "release", "corpus", "questions"}
    assert [option.name for each, option in of_sources if option.source not in each.sources] == []
