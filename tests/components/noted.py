"""Which fields Python reads of what a browser sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Data = Mapping[str, Any]


class Noted(Data):
    """What a browser sent, which notes the fields that are read of it."""

    def __init__(self, data: Data) -> None:
        self._data, self.read = data, set[str]()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("Fields are read by name.")

    def __len__(self) -> int:
        return len(self._data)


def fields_read(readers: Mapping[str, Callable[[Data], object]], acts: Mapping[str, Data]) -> dict[str, set[str]]:
    """By kind of act: the fields that its reader reads of an act."""
    noted = {kind: Noted(acts[kind]) for kind in readers}
    for kind, read in readers.items():
        read(noted[kind])
    return {kind: each.read for kind, each in noted.items()}
