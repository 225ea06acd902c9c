"""Normalisation once more, slow and plain, by another idea: every character knows the stretch it belongs to.

A replaced stretch is gone into characters of no stretch, and what stood on its two sides becomes two stretches; a match
must lie within one. So walls need no arithmetic.
"""

from __future__ import annotations

from itertools import count

Cell = tuple[str, int]
REPLACED = -1


def slowly_normalised(text: str, entries: list[tuple[str, str, str]]) -> tuple[str, list[tuple[int, str]]]:
    """The text, and (entry, field) of every fault; a faulty entry changes nothing."""
    numbers = count(1)
    cells: list[Cell] = [(character, 0) for character in text]
    faults = []
    for number, (start, end, replacement) in enumerate(entries, 1):
        begin = next((at for at in range(len(cells)) if _stands(cells, at, start) and _whole(cells, at, start)), None)
        if begin is None:
            faults.append((number, "start"))
            continue
        least = begin + len(start)
        stop = next(
            (at + len(end) for at in range(begin, len(cells)) if at + len(end) >= least and _stands(cells, at, end)),
            None,
        )
        if stop is None or len({stretch for _, stretch in cells[begin:stop]}) > 1:
            faults.append((number, "end"))
            continue
        after = next(numbers)
        stretch = cells[begin][1]
        tail = [(character, after if own == stretch else own) for character, own in cells[stop:]]
        cells = cells[:begin] + [(character, REPLACED) for character in replacement] + tail
    return "".join(character for character, _ in cells), faults


def _stands(cells: list[Cell], at: int, part: str) -> bool:
    return "".join(character for character, _ in cells[at : at + len(part)]) == part


def _whole(cells: list[Cell], at: int, part: str) -> bool:
    stretches = {stretch for _, stretch in cells[at : at + len(part)]}
    return len(stretches) == 1 and REPLACED not in stretches
