"""`analyse`: tables of results from a file of items, without a study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.files.files import content_of, name_of
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.analysis.slices import Failures, Slice
from core.errors import BadInput
from core.words import quoted
from exchange.chart_file import PictureForm, write_chart

if TYPE_CHECKING:
    from core.analysis.presets import Preset
    from core.analysis.tables import ResultTable


def analyse_command(
    table: Annotated[
        list[Path], typer.Argument(help="Items as `frame items` writes them, CSV or Parquet; - is standard input.")
    ],
    preset: Annotated[str, typer.Option(help="The table, as `runs results --preset list` names them.")],
    protocol: Annotated[str, typer.Option(help="The protocol, where the file does not say it or has several.")] = "",
    tasks: Annotated[str, typer.Option(help='Tasks, separated by commas, or "all"; default: those of the paper.')] = "",
    variants: Annotated[str, typer.Option(help="Variants, likewise; several are pooled only if named here.")] = "",
    by: Annotated[
        str, typer.Option("--by", help="Columns by a fact: COLUMN, COLUMN:quartiles or COLUMN:EDGE,EDGE.")
    ] = "",
    failures: Annotated[
        Failures | None,
        typer.Option(help="Refused, truncated and failed answers: zero or left-out; default: the protocol's own rule."),
    ] = None,
    *,
    same_samples: Annotated[
        bool, typer.Option("--same-samples", help="Only samples that every model has an answer for.")
    ] = False,
    without_flagged: Annotated[
        bool,
        typer.Option("--without-flagged", help="Only samples that nobody flagged as bad; headings have both numbers."),
    ] = False,
    form: Annotated[PictureForm | None, typer.Option("--format", help="The chart of a table; needs --out.")] = None,
    part: Annotated[int, typer.Option(help="Which of the tables the chart is of, from 1.")] = 1,
    out: Annotated[Path | None, typer.Option(help="File to write the chart to.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute tables of results from files of items, or draw the chart of one."""
    if (form is None) != (out is None) or (out is not None and len(table) > 1):
        raise typer.BadParameter("A chart needs --format, --out and one table.", param_hint="--out")
    chosen = Slice(
        _names(tasks), _names(variants), by=by, failures=failures, is_same=same_samples, is_unflagged=without_flagged
    )

    def work(path: Path) -> CommandResult:
        from core.analysis.table_charts import chart_at
        from core.analysis.tables import as_json as json_of

        of, tables = _analysed(path, preset, protocol, chosen)
        if form is not None and out is not None:
            out.write_bytes(write_chart(chart_at(tables, part, of.chart, of.in_time), form))
        words = [_words(each) for each in tables if each.cells]
        words += list(filter(None, [tables[0].uneven])) if words else [of.nothing]
        return CommandResult([json_of(each) for each in tables], "\n\n".join(words))

    answer_each(table, work, name_of, as_json)


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _analysed(path: Path, name: str, protocol: str, chosen: Slice) -> tuple[Preset, Sequence[ResultTable]]:
    from core.analysis import analyse
    from exchange.result_frame import read_frame
    from protocols import PROTOCOLS

    frame = read_frame(content_of(path), name_of(path))
    known = sorted(frame["protocol"].dropna().unique()) if "protocol" in frame.columns else []
    if not protocol and len(known) != 1:
        choices = known or [name for name, each in PROTOCOLS.items() if each.tables.presets]
        listed = " or ".join(f"`--protocol {name}`" for name in choices)
        what = "This table holds several protocols" if known else "This table does not say its protocol"
        raise BadInput(f"{what}. Add {listed}.")
    protocol = protocol or known[0]
    if protocol not in PROTOCOLS:
        raise BadInput(f"Unknown protocol {quoted(protocol)}; choose from {', '.join(PROTOCOLS)}.")
    if known and protocol not in known:
        raise BadInput(f"{name_of(path)} holds no item of {protocol}, only of {' and '.join(known)}.")
    if known:
        frame = frame[frame["protocol"] == protocol]
    of = PROTOCOLS[protocol]
    preset = of.tables.preset(name)
    ready = analyse.prepared(frame, of.tables, of.variant_titles, chosen)
    return preset, analyse.tables(ready, preset, chosen.among(preset.choices(ready.items)), analyse.INTERVALS)


def _words(table: ResultTable) -> str:
    from core.analysis.printed import label_of, shown

    columns = table.column_labels
    rows = [
        [label_of(row), *(shown(table.cells[row, column].estimate, table.figure(column)) for column in columns)]
        for row in table.row_labels
    ]
    lines = [f"{table.title}; {table.of}", in_table([["", *map(label_of, columns)], *rows]), table.undefined_words]
    return "\n".join(filter(None, lines))
