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

SEED, DRAWS = 1, 1_000


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

    def work(path: Path) -> CommandResult:
        return _analysed(path, preset, protocol, (_names(tasks), _names(variants)), by, failures)

    answer_each(table, work, name_of, as_json)


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _analysed(
    path: Path,
    preset: str,
    protocol: str,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    by: str,
    failures: Failures | None,
) -> CommandResult:
    from core.analysis import analyse
    from core.analysis.tables import as_json
    from core.scoring.interval import Resampling
    from exchange.result_frame import read_frame
    from protocols import PROTOCOLS

    frame = read_frame(content_of(path), name_of(path))
    known = sorted(frame["protocol"].dropna().unique()) if "protocol" in frame.columns else []
    if not protocol and len(known) != 1:
        choices = known or [name for name, each in PROTOCOLS.items() if each.tables.presets]
        listed = " or ".join(f"`--protocol {name}`" for name in choices)
        what = "This table holds several protocols" if known else "This table does not say its protocol"
        raise BadInput(f"{what}. Add {listed}.")
    if (chosen := protocol or known[0]) not in PROTOCOLS:
        raise BadInput(f"Unknown protocol {quoted(chosen)}; choose from {', '.join(PROTOCOLS)}.")
    if known:
        frame = frame[frame["protocol"] == chosen]
    of = PROTOCOLS[chosen]
    if preset not in of.tables.presets:
        raise BadInput(f"Unknown table {quoted(preset)}; choose from {', '.join(of.tables.presets)}.")
    ready = analyse.prepared(frame, of.tables, of.variant_titles, Slice(by=by, failures=failures))
    possible = of.tables.presets[preset].choices(ready.items)
    tasks, variants = (
        every if chosen_names == ("all",) else chosen_names
        for chosen_names, every in zip(names, (possible.tasks, possible.variants), strict=True)
    )
    chosen_slice = Slice(tasks, variants, by=by, failures=failures)
    chosen_slice.check(possible)
    tables = analyse.tables(ready, of.tables.presets[preset], chosen_slice, Resampling(SEED, DRAWS))
    documents = [as_json(table) for table in tables]
    words = [f"{each['title']}; {each['of']}\n{in_table(_rows(each['cells']))}" for each in documents if each["cells"]]
    return CommandResult(documents, "\n\n".join(words) or of.tables.presets[preset].nothing)


def _rows(cells: list[dict[str, object]]) -> list[list[str]]:
    columns = list(dict.fromkeys(str(cell["column"]) for cell in cells))
    rows: dict[str, list[str]] = {}
    for cell in cells:
        value = cell["value"]
        rows.setdefault(str(cell["row"]), []).append("–" if value is None else f"{value:.4f}")
    return [["", *columns], *([row, *values] for row, values in rows.items())]
