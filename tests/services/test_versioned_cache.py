"""What is kept is what would be worked out now, and is worked out once for each stamp."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from hypothesis import given
from hypothesis import strategies as st

from services.versioned_cache import VersionedCache

STORES, KEYS = st.sampled_from(["one", "other"]), st.sampled_from("abc")
CHANGES = st.tuples(STORES, KEYS, st.just("change"))
LOOKS = st.tuples(STORES, st.frozensets(KEYS), st.just("look"))


@given(st.lists(st.one_of(CHANGES, LOOKS), max_size=40))
def test_every_look_tells_what_is_there_and_works_it_out_once_a_stamp(steps: list[tuple[str, str, str]]) -> None:
    kept = VersionedCache[int, str]()
    stamps = {(store, key): 0 for store in ("one", "other") for key in "abc"}
    worked_out: list[tuple[str, str, int]] = []

    def value(store: str, key: str) -> str:
        return f"{key} of {store} at {stamps[store, key]}"

    for store, which, kind in steps:
        if kind == "change":
            stamps[store, which] += 1
            continue

        def work_out(keys: list[str], store: str = store) -> Mapping[str, str]:
            worked_out.extend((store, key, stamps[store, key]) for key in keys)
            return {key: value(store, key) for key in keys}

        found = kept.values(store, {key: stamps[store, key] for key in which}, work_out)
        assert found == {key: value(store, key) for key in which}
    assert len(worked_out) == len(set(worked_out))


def test_two_who_work_out_at_once_lose_nothing_of_each_other() -> None:
    kept, both_are_in = VersionedCache[int, str](), Barrier(2, timeout=30)

    def ask(key: str) -> dict[str, str]:
        def work_out(keys: list[str]) -> dict[str, str]:
            both_are_in.wait()
            return {key: key.upper() for key in keys}

        return kept.values("one", {key: 1}, work_out)

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(ask, "ab")) == [{"a": "A"}, {"b": "B"}]

    def nothing_to_do(keys: list[str]) -> dict[str, str]:
        raise AssertionError(keys)

    assert kept.values("one", {"a": 1, "b": 1}, nothing_to_do) == {"a": "A", "b": "B"}
