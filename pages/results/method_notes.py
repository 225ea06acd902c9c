"""Definitions of the values of a table of results, from the descriptions of its metrics."""

from __future__ import annotations

from collections.abc import Sequence

from components import shell
from core.analysis.tables import ResultTable
from services.results.results import PresetView

COMMON = """\
- **Scored items**: answers with one of the labels, and unparsable replies, which count as wrong or 0. Refused,
  truncated and failed answers are left out, or count as 0 where the notes say so. Incomplete, excluded and pending
  items never count. Rows with such items have their sum below the table: asked = scored + counted as 0 or left out +
  incomplete + excluded.
- **Refused** is a reply that the provider marks as a refusal or as filtered, or that is one of a closed list of
  sentences and nothing else, such as “I’m sorry, but I cannot help with that.” Any other reply in words, “I cannot
  determine the sign” among them, is unparsable and wrong.
- **Intervals**: 95%, bootstrap over {drawn}, because what belongs together is not independent. A cell of one of them
  has no interval.
- **–** means undefined, never 0. The reason is given below the table, beside the open cell and in the CSV.
- **Items asked again**: an unparsable item may have been asked again. The latest reply counts, or the first if you
  choose so above; how many items of each model these are is said below the table.
- **Baselines** answer the same samples without a model and are listed in the same tables.
- **Task and variant**: the heading names the samples of a table; by default those of the paper's table. Where one
  number is of several tasks, variants or runs, the heading says *pooled*.
"""


def method_notes(tables: Sequence[ResultTable], preset: PresetView) -> str:
    metrics = {figure.title: figure.told for table in tables for figure in (table.figures.values() or (table.metric,))}
    definitions = "\n".join(f"- **{shell.escaped(title)}**: {shell.escaped(each)}" for title, each in metrics.items())
    notes = "\n".join(f"- {shell.escaped(each)}" for each in preset.notes)
    common = COMMON.format(drawn=preset.drawn)
    return (
        f"{shell.escaped(preset.told)}\n\n{definitions}\n{common}{notes}\n\nSources and conventions: docs/results.md."
    )
