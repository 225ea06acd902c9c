"""Passages of texts that may not leave a study, withheld wherever they are quoted. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_WORDS = 8
"""Consecutive words from which a passage counts as a text's: shorter ones are names and turns of phrase."""
MARK = "[withheld]"
_WORD = re.compile(r"\w+")


class Passages:
    """Every passage of `LEAST_WORDS` words of some texts, without those of `free` texts, such as prompts. Letter case,
    blanks and punctuation do not count.

    >>> passages = Passages(["When rain falls on dry land, rivers rise and towns flood."])
    >>> passages.withheld("It says: when rain FALLS on dry land rivers rise and towns are wet")
    'It says: [withheld] are wet'
    """

    def __init__(self, texts: Iterable[str], free: Iterable[str] = ()) -> None:
        import numpy as np

        # Sorted hashes: 8 bytes a word, a tenth of a set's. A run may send hundreds of papers.
        known, left = (
            np.unique(np.fromiter(chain.from_iterable(_keys(_words(text)) for text in some), dtype=np.int64))
            for some in (texts, free)
        )
        self._known = np.setdiff1d(known, left, assume_unique=True)

    def __bool__(self) -> bool:
        return self._known.size > 0

    def withheld(self, text: str) -> str:
        """Return the text with each passage replaced by `MARK`. JSON is read first, since it escapes letters."""
        if text[:1] in ("{", "["):
            try:
                value = json.loads(text)
            except ValueError:
                return self._in_plain(text)
            masked = self.in_value(value)
            return text if masked == value else json.dumps(masked, ensure_ascii=False)
        return self._in_plain(text)

    def in_value(self, value: Any) -> Any:
        """Return JSON with the passages in its texts replaced; keys stay."""
        if isinstance(value, str):
            return self.withheld(value)
        if isinstance(value, Mapping):
            return {key: self.in_value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.in_value(each) for each in value]
        return value

    def _in_plain(self, text: str) -> str:
        import numpy as np

        matches = list(_WORD.finditer(text))
        if len(matches) < LEAST_WORDS:
            return text
        keys = np.fromiter(_keys([each.group().casefold() for each in matches]), dtype=np.int64)
        pieces, end, last = list[str](), 0, -1  # `last`: index of the last word of the passage before
        for place in np.flatnonzero(self._has(keys)).tolist():
            if place > last:
                pieces += [text[end : matches[place].start()], MARK]
            last = place + LEAST_WORDS - 1
            end = matches[last].end()
        return "".join([*pieces, text[end:]]) if pieces else text

    def _has(self, keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        import numpy as np

        if not self._known.size:
            return np.zeros(keys.shape, dtype=np.bool_)
        places = self._known.searchsorted(keys).clip(max=self._known.size - 1)
        is_known: NDArray[np.bool_] = self._known[places] == keys
        return is_known


def _words(text: str) -> list[str]:
    return [each.casefold() for each in _WORD.findall(text)]


def _keys(words: list[str]) -> Iterator[int]:
    """Yield a hash of every `LEAST_WORDS` consecutive words."""
    for place in range(len(words) - LEAST_WORDS + 1):
        yield hash(tuple(words[place : place + LEAST_WORDS]))
