"""Files that a dry run reads as if they were in the study; nothing of them is stored."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol


class Trial(Protocol):
    """A file under the id that it would have in the study; its reader knows its type."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


TrialFiles = Mapping[str, Trial]  # by id
NO_FILES: TrialFiles = MappingProxyType({})
