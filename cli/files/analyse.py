"""`analyse`: tables of results from a file of items, without a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.files.files import content_of, name_of
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.analysis.slices import Failures, Slice
from core.errors import BadInput
from core.words import quoted


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
    as_json: JsonOption = False,
) -> None:
    """Compute tables of results from files of items."""

    chosen = Slice(_names(tasks), _names(variants), by=by, failures=failures)

    def work(path: Path) -> CommandResult:
        return _analysed(path, preset, protocol, chosen)

    answer_each(table, work, name_of, as_json)


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _analysed(path: Path, name: str, protocol: str, chosen: Slice) -> CommandResult:
    from core.analysis import analyse
    from core.analysis.tables import as_json
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
    tables = analyse.tables(ready, preset, chosen.among(preset.choices(ready.items)), analyse.INTERVALS)
    documents = [as_json(table) for table in tables]
    words = [f"{each['title']}; {each['of']}\n{in_table(_rows(each['cells']))}" for each in documents if each["cells"]]
    return CommandResult(documents, "\n\n".join(words) or preset.nothing)


def _rows(cells: list[dict[str, object]]) -> list[list[str]]:
    columns = list(dict.fromkeys(str(cell["column"]) for cell in cells))
    rows: dict[str, list[str]] = {}
    for cell in cells:
        value = cell["value"]
        rows.setdefault(str(cell["row"]), []).append("–" if value is None else f"{value:.4f}")
    return [["", *columns], *([row, *values] for row, values in rows.items())]
