"""What a run of all tests leaves out unless `EDGEWISE_EVERYTHING=1`: more of what another case shows already.

Left out are cases that differ in their data (another figure drawn in the same way, another seed, another pairing of
theme and size) and long walks whose claims shorter tests make one by one. `tests/held_back.txt` lists them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
EVERYTHING = os.environ.get("EDGEWISE_EVERYTHING") == "1"
PROVING = "tests.soak.plugin" in sys.modules
"""Whether this is `make soak`, whose rows count every case of some proofs."""


def usual(cases: Sequence[T], *more: T) -> list[T]:
    """The cases of a usual run, which leaves out `more`; all of them if everything is asked for."""
    unknown = [case for case in more if case not in cases]
    assert not unknown, unknown
    return [case for case in cases if EVERYTHING or case not in more]
