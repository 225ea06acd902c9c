"""Tables of a frame, from the store or from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.analysis.by import sliced_by
from core.analysis.columns import ItemColumns
from core.analysis.presets import Preset, ProtocolTables, Shown
from core.analysis.slices import Failures, Slice
from core.analysis.tables import ResultTable
from core.scoring.interval import Resampling

if TYPE_CHECKING:
    import pandas as pd

INTERVALS = Resampling(seed=1, draws=1_000)
FAILURE_NOTES: Mapping[Failures, str] = {
    Failures.ZERO: "refused, truncated and failed answers count as 0",
    Failures.LEFT_OUT: "refused, truncated and failed answers are left out",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A frame made ready for any table; `note`: how its columns and failed answers are counted, for headings."""

    items: ItemColumns
    shown: Shown
    note: str = ""


def prepared(frame: pd.DataFrame, of: ProtocolTables, titles: Mapping[str, str], chosen: Slice) -> Prepared:
    """Group the rows of a frame of a protocol's runs. `titles`: variant → its title, in the protocol's order. Of
    `chosen` only `by` and `failures` count. Raises BadInput as `sliced_by` does."""
    by = sliced_by(frame, chosen.by) if chosen.by else None
    failures = of.failures(chosen)
    rows = frame if by is None else by.frame
    items = ItemColumns.of_frame(rows, titles, failures, unit_of=of.unit_of, strata=of.strata)
    notes = [by.note if by else "", FAILURE_NOTES[failures] if failures else ""]
    shown = replace(of.shown(frame), by=by.grouping if by else None)
    return Prepared(items, shown, "".join(f"; {note}" for note in notes if note))


def tables(ready: Prepared, preset: Preset, chosen: Slice, how: Resampling | None = None) -> tuple[ResultTable, ...]:
    """Compute the tables of a preset; `how` asks for intervals."""
    computed = preset.sliced(ready.items, chosen, replace(ready.shown, how=how))
    return tuple(replace(each, of=f"{each.of}{ready.note}") for each in computed)
