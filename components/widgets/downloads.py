"""Contents of download buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, Protocol

P = ParamSpec("P")


class HasContent(Protocol):
    @property
    def content(self) -> bytes: ...


def content_on_click(export: Callable[P, HasContent], *args: P.args, **kwargs: P.kwargs) -> Callable[[], bytes]:
    """Return the function that a download button calls on a click; until then, nothing is written."""
    return lambda: export(*args, **kwargs).content
