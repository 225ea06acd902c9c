"""Figures that annotators declined: listed with their verdicts, excluded from the study, or returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, say
from core.people import Viewer

if TYPE_CHECKING:
    from services.transcription.declining import DeclinedFigure

app = typer.Typer()

ExcludeOption = Annotated[
    str | None,
    typer.Option("--exclude", help="ID of a decided figure to exclude; its paper too if it has no other figure."),
]
ReturnOption = Annotated[
    str | None, typer.Option("--return", help="ID of a figure to return to those who declined it.")
]
CommentOption = Annotated[str | None, typer.Option("--comment", help="With --return: what to look at again.")]


@app.command("declined")
def declined(
    excluded: ExcludeOption = None,
    returned: ReturnOption = None,
    comment: CommentOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the figures in which annotators found no graph, and why; or exclude one, or return it with a comment."""
    if excluded is not None and returned is not None:
        raise typer.BadParameter("give either --exclude or --return, not both.", param_hint="--return")
    if (returned is None) != (comment is None):
        raise typer.BadParameter("returning a figure needs --return FIGURE and --comment TEXT.", param_hint="--comment")
    from services.transcription import declining

    with opened_study(store) as viewer:
        if excluded is not None:
            one = _figure(viewer, excluded)
            declining.take_out(viewer, one.figure_id, act_id=new_id())
            words = f"Excluded {_called(one)} ({one.figure_id})"
            words += ", and its paper too." if one.excludes_paper else "; its paper remains."
        elif returned is not None:
            one = _figure(viewer, returned)
            declining.reopen(viewer, one.figure_id, comment or "", act_id=new_id())
            words = f"Returned {_called(one)} ({one.figure_id})."
        else:
            figures_declined = declining.declined_figures(viewer).figures
            say(
                [_plain(one) for one in figures_declined],
                "\n".join(map(_words, figures_declined)) or "Nobody has declined a figure.",
                as_json,
            )
            return
        figures = {each.figure_id: each for each in declining.declined_figures(viewer).figures}
        now = figures.get(one.figure_id)
        say({"figure": one.figure_id, "declined": None if now is None else _plain(now)}, words, as_json)


def _figure(viewer: Viewer, figure_id: str) -> DeclinedFigure:
    from services.transcription import declining

    for one in declining.declined_figures(viewer).figures:
        if one.figure_id == figure_id:
            return one
    raise Stop(f"Nobody has declined figure {figure_id}; edgewise.py declined lists the declined figures.")


def _called(one: DeclinedFigure) -> str:
    return " · ".join(part for part in (one.label or one.place, one.paper_title) if part)


def _words(one: DeclinedFigure) -> str:
    state = f"decided: {one.decided.value}" if one.decided is not None else one.outcome.value
    if one.is_out:
        state = "excluded"
    verdicts = [f"    {each.verdict.value}, {each.name}: {each.reason}" for each in one.verdicts]
    return "\n".join([f"{one.figure_id}  {state}  {_called(one)}", *verdicts])


def _plain(one: DeclinedFigure) -> dict[str, Any]:
    return {
        "figure": one.figure_id,
        "paper": one.paper_title,
        "label": one.label,
        "place": one.place,
        "outcome": one.outcome.value,
        "decided": None if one.decided is None else one.decided.value,
        "adjudication": one.adjudication or None,
        "graphs": one.graphs,
        "excludes_paper": one.excludes_paper,
        "is_out": one.is_out,
        "verdicts": [
            {"person": each.name, "verdict": each.verdict.value, "reason": each.reason, "at": each.at.isoformat()}
            for each in one.verdicts
        ],
    }
