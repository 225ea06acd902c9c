"""`runs results` and `frame items`: tables of runs, and the frame that all tables are computed from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.study.run_choices import words_of
from cli.study.session import JsonOption, StoreOption, opened_study, say, write_whole
from core.analysis.slices import Failures, Slice
from core.words import quoted
from exchange.result_frame import FrameForm

frame_app = typer.Typer(no_args_is_help=True, help="Items of runs as one table, for `analyse` and other programs.")

Tasks = Annotated[
    list[str] | None,
    typer.Option(help='Tasks, separated by commas or repeated, or "all"; default: those of the paper for this table.'),
]
Variants = Annotated[list[str] | None, typer.Option(help="Variants, likewise; several are pooled only if named here.")]
By = Annotated[
    str,
    typer.Option(
        "--by", help="Columns by a fact of the samples: COLUMN, COLUMN:quartiles or COLUMN:EDGE,EDGE, as in a frame."
    ),
]
FailuresOption = Annotated[
    Failures | None,
    typer.Option(
        "--failures", help="Refused, truncated and failed answers: zero or left-out; default: the protocol's own rule."
    ),
]


def runs_results(
    run: Annotated[list[str], typer.Argument(help="Numbers or IDs of runs.")],
    preset: Annotated[str, typer.Option(help="The table; --preset list names all tables.")] = "main",
    tasks: Tasks = None,
    variants: Variants = None,
    by: By = "",
    failures: FailuresOption = None,
    *,
    same_samples: Annotated[
        bool, typer.Option("--same-samples", help="Only samples that every model has an answer for.")
    ] = False,
    without_flagged: Annotated[
        bool,
        typer.Option("--without-flagged", help="Only samples that nobody flagged as bad; headings have both numbers."),
    ] = False,
    form: Annotated[str, typer.Option("--format", help="csv, tex, or svg, png or pdf: the chart of a table.")] = "csv",
    part: Annotated[int, typer.Option(help="Which of the tables the chart is of, from 1.")] = 1,
    intervals: Annotated[bool, typer.Option("--intervals", help="Add intervals to tex; csv always has them.")] = False,
    first_replies: Annotated[
        bool,
        typer.Option(
            "--first-replies", help="Score items that were asked again by their first replies, which were unparsable."
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write one table of results as a file, or as JSON."""
    from core.analysis.tables import as_json as json_of
    from exchange.chart_file import PictureForm
    from services.files import TableForm
    from services.results import files as result_files
    from services.results import results

    if preset == "list":
        print("\n".join(f"{each.key:<12} {each.title}: {each.told}" for each in results.presets()))
        return
    if form not in (TableForm.CSV.value, TableForm.LATEX.value, *PictureForm):
        raise typer.BadParameter(f"{quoted(form)} is not csv, tex, svg, png or pdf.", param_hint="--format")
    if form in (PictureForm.PNG.value, PictureForm.PDF.value) and out is None:
        raise typer.BadParameter(f"A file of the form {form} needs --out.", param_hint="--format")
    with opened_study(store) as viewer:
        chosen = Slice(
            words_of(tasks),
            words_of(variants),
            is_first=first_replies,
            by=by,
            failures=failures,
            is_same=same_samples,
            is_unflagged=without_flagged,
        )
        tables = results.results(viewer, run, preset, chosen)
        if as_json:
            say([json_of(table) for table in tables], "", as_json=True)
            return
        if form in list(PictureForm):
            exported = result_files.export_chart(viewer, run, preset, part, PictureForm(form), chosen)
        else:
            exported = result_files.export(viewer, run, preset, TableForm(form), chosen, with_intervals=intervals)
        if out is None:
            print(exported.content.decode(), end="")
        else:
            write_whole(out, exported.content)
    for words in filter(None, [result_files.asked_again_words(tables[0]), tables[0].uneven] if tables else []):
        print(words, file=sys.stderr)
    if out is not None:
        print(f"Wrote {out} ({len(exported.content):,} bytes): {tables[0].of if tables else 'nothing'}.")


@frame_app.command("items")
def frame_items(
    run: Annotated[list[str], typer.Argument(help="Numbers or IDs of runs of one protocol.")],
    out: Annotated[Path, typer.Option(help="File to write.")],
    to: Annotated[FrameForm, typer.Option("--to", help="csv or parquet.")] = FrameForm.CSV,
    store: StoreOption = None,
) -> None:
    """Write every item of runs as a row of a table: what was asked of whom, what was said, scores, facts and use."""
    from services.results import files as result_files

    with opened_study(store) as viewer:
        exported, many = result_files.export_items(viewer, run, to)
        write_whole(out, exported.content)
    print(f"Wrote {out} ({len(exported.content):,} bytes): {many:,} items.")
