"""A declared place that no sample fills would be compared with nothing: it is told."""

from __future__ import annotations

from tests.components.crossing import always_empty


def test_a_place_is_told_if_all_samples_leave_it_empty() -> None:
    edges = {"edges": [{"path": None, "sign": ""}], "names": [], "refused": {}}
    named = {"edges": [], "names": ["Rain"], "refused": {}}
    assert always_empty([("room.Data", edges)]) == ["room.Data.edges[].path", "room.Data.names", "room.Data.refused"]
    assert always_empty([("room.Data", edges), ("room.Data", named)]) == ["room.Data.edges[].path", "room.Data.refused"]


def test_an_act_may_be_without_fields_but_not_with_empty_ones() -> None:
    assert always_empty([("room.RoomActs", {"undo": {}, "accept": {"ids": []}})]) == ["room.RoomActs.accept.ids"]
