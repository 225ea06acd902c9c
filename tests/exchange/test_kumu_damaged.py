"""Kumu's JSON with anything in any place: read or refused, never broken."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRow
from exchange import kumu

_VALUES = st.recursive(
    st.sampled_from([None, True, 7, 1.5, 1e400, "", "A", "e1", "mutual", "+", "eats"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "_id",
                    "label",
                    "from",
                    "to",
                    "attributes",
                    "type",
                    "direction",
                    "position",
                    "x",
                    "y",
                    "element",
                    "elements",
                    "name",
                ]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries({key: st.lists(_VALUES, max_size=3) for key in ("elements", "connections", "maps", "loops")})
)
def test_json_of_any_shape_is_read_or_refused_but_breaks_nothing(value: dict[str, Any]) -> None:
    try:
        read = kumu.read(json.dumps(value), "map.json")
    except BadRow as error:
        assert "map.json" in str(error)
    else:
        assert {name for edge in read.graph.edges for name in edge.pair} <= set(read.graph.nodes)
