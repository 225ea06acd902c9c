"""Texts of a study's papers: generated, shown, set ready."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, place_of, say
from cli.study.text_rows import short_row
from core.errors import EdgewiseError
from core.people import Viewer
from core.words import counted

if TYPE_CHECKING:
    from core.texts.views import TextView

app = typer.Typer()

TextId = Annotated[str, typer.Argument(metavar="ID", help="ID of a paper with one located figure, or of a figure.")]
PYMUPDF = "pymupdf"
NO_FIGURE = "No figure of this paper has been located. Locate its diagram first."


@app.command("make")
def make_command(
    paper: Annotated[
        list[str] | None, typer.Option("--paper", help="ID of a paper or of a figure; repeatable.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every located figure that has no text yet; with --again, every one.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Also where a text was made of the same file; its rounds stay with it.")
    ] = False,
    by: Annotated[
        str, typer.Option("--by", help="pymupdf (no model), or the model card that makes and normalises the texts.")
    ] = PYMUPDF,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the texts of papers, without a model about a second a page; one that fails does not stop the others.

    References, acknowledgements, captions, figures, appendices, running heads and citations are taken out, each as a
    change that a person can reject. Prints what was lost, and what gives the ground truth away. With a model, a run
    converts the raw text and normalises it where the ground truth is finished; what passes the guards is taken into the
    papers."""
    if bool(paper) == every:
        raise typer.BadParameter("name papers with --paper, or give --all", param_hint="--paper")
    from services.texts import reading

    with opened_study(store) as viewer:
        if every:
            lines = reading.lines(viewer)
            requested = [(line.figure_id, line.paper_id) for line in lines if again or line.state is None]
        else:
            requested = [(each, key) for key in paper or () for each in _named(viewer, key)]
        if by == PYMUPDF:
            rows = [_made(viewer, figure_id, key, again=again) for figure_id, key in requested]
        else:
            from cli.study.model_texts import made_by  # it loads what runs need

            rows = made_by(viewer, by, requested, place_of(store), again=again, progress=_progress())
    say(
        rows,
        "\n".join(
            (f"{row['id']}: {row['error']}" if "error" in row else f"{row['title']}: {row['summary']}") for row in rows
        )
        or "Every located figure has a text.",
        as_json,
    )
    if any("error" in row for row in rows):
        raise typer.Exit(1)


def _named(viewer: Viewer, key: str) -> list[str]:
    """Return the figures of an ID; the ID itself if a paper has none, so that generating its text reports it."""
    from services.papers import figures

    try:
        located = figures.figures_of(viewer, key)
    except EdgewiseError:
        return [key]
    return [figure.id for figure in located] or [""]


def _made(viewer: Viewer, figure_id: str, key: str, *, again: bool) -> dict[str, Any]:
    from services.texts import making, reading

    try:
        if not figure_id:
            raise Stop(NO_FIGURE)
        making.make(viewer, figure_id, again=again, progress=_progress(), act_id=new_id())
        view = reading.view(viewer, figure_id)
    except (EdgewiseError, Stop) as error:
        return {"id": key, "error": str(error)}
    assert view is not None, "it was made just now"
    return short_row(view)


def _progress() -> Any:
    """Return a function that prints page progress on a terminal's standard error, else None."""
    if not sys.stderr.isatty():
        return None

    def print_page(done: int, pages: int) -> None:
        print(f"\rPage {done} of {pages}", end="\n" if done == pages else "", file=sys.stderr, flush=True)

    return print_page


@app.command("show")
def show_command(id: TextId, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show a text's stages, what its guards say, and what it still needs to be ready."""
    with opened_study(store) as viewer:
        view = _view(viewer, id)
    say(_whole(view), _in_words(view), as_json)


@app.command("ready")
def ready_command(id: TextId, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Make a text ready for releases and runs: a finished ground truth and both guards are needed, no model."""
    from services.texts import mark_ready

    with opened_study(store) as viewer:
        view = _view(viewer, id)
        mark_ready.ready(viewer, view.figure_id, seen=view.version, act_id=new_id())
        view = _view(viewer, view.figure_id)
    say(short_row(view), f"Ready: {_title(view)}.", as_json)


@app.command("accept")
def accept_command(
    id: TextId,
    section: Annotated[int, typer.Option("--section", help="Number of the section, as `text show` counts.")],
    reason: Annotated[str, typer.Option("--reason", help="Why it is accepted; it leaves with the text's release.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Accept a section of a text that the guard of words refuses."""
    from services.texts import accept_section

    with opened_study(store) as viewer:
        view = _view(viewer, id)
        accept_section.accept(viewer, view.figure_id, section, reason, seen=view.version, act_id=new_id())
        view = _view(viewer, view.figure_id)
    say(_whole(view), _in_words(view), as_json)


def _view(viewer: Viewer, id: str) -> TextView:
    from services.texts import reading

    figure_ids = _named(viewer, id)
    if len(figure_ids) > 1:
        raise Stop(f"This paper has {counted(len(figure_ids), 'figure')}; name one: {', '.join(figure_ids)}")
    if not figure_ids[0]:
        raise Stop(NO_FIGURE)
    view = reading.view(viewer, figure_ids[0])
    if view is None:
        raise Stop("No text of this figure was made. Make it with: edgewise.py text make --paper ID")
    return view


# --- answers -----------------------------------------------------------------------------------------------------


def _whole(view: TextView) -> dict[str, Any]:
    return short_row(view) | {
        "stages": [
            {
                "stage": each.stage.value,
                "round": each.round,
                "producer": each.producer,
                "words": each.words,
                "characters": each.characters,
                "changes": len(each.changes),
                "rejected": sum(change.is_rejected for change in each.changes),
                "sha256": each.sha256,
            }
            for each in view.stages
        ],
        "lost_by_page": [{"page": each.page, "words": each.words, "lost": each.lost} for each in view.kept.pages],
        "findings": [
            {
                "kind": each.kind.value,
                "line": each.line,
                "text": each.text,
                "nodes": list(each.nodes),
                "edges": [{"source": source, "sink": sink} for source, sink in each.edges],
            }
            for each in (view.leaks.findings if view.leaks else ())
        ],
        "refused_sections": [
            {
                "section": each.number,
                "heading": each.section.heading,
                "why": each.why,
                "accepted": each.accepted.reason if each.accepted else None,
            }
            for each in view.refused
        ],
        "needs": list(view.unmet_requirements),
    }


def _in_words(view: TextView) -> str:
    lines = [f"{_title(view)}: {view.in_words}."]
    for each in view.stages:
        rejected = sum(change.is_rejected for change in each.changes)
        changes = f", {counted(len(each.changes), 'change')}" if each.changes else ""
        lines.append(
            f"{each.label}: {counted(each.words, 'word')}{changes}{f', {rejected:,} rejected' if rejected else ''}"
        )
    if view.unseen:
        lines.append(f"{counted(view.unseen, 'character')} that nobody sees left out.")
    for section in view.refused:
        accepted = f" Accepted: {section.accepted.reason}" if section.accepted else ""
        lines.append(f"Section {section.number}: {section.why}{accepted}")
    if view.leaks:
        lines += [f"Line {each.line:,}, {each.kind.value}: {each.text}" for each in view.leaks.findings]
    if view.is_ready:
        return "\n".join([*lines, "Ready."])
    return "\n".join(
        [*lines, f"{view.state.value.capitalize()}. {' '.join(view.unmet_requirements) or 'It can be made ready.'}"]
    )


def _title(view: TextView) -> str:
    return f"{view.paper_title} ({view.figure_label})" if view.figure_label else view.paper_title
