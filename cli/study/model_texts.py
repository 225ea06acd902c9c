"""Texts made by a model: a run is started and worked on here, and what passes the guards is taken into the papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cli.study.opening import Stop, new_id
from cli.study.text_rows import short_row
from core.errors import EdgewiseError
from core.people import Viewer
from core.runs.states import RunState

Row = dict[str, Any]
HAS_TEXT = (
    "This figure has a text already. Make it again with --again; its rounds and rulings stay with the text before."
)
CONTINUE = "Continue with: edgewise.py worker --once"


def made_by(
    viewer: Viewer,
    model: str,
    wanted: Sequence[tuple[str, str]],
    place: str,
    *,
    again: bool,
    progress: Callable[[int, int], None] | None,
) -> list[Row]:
    """A row for each wanted figure, given as (figure, the ID that was typed). Raises EdgewiseError for a run that
    cannot be started, and for one that stopped."""
    from services.texts import made_texts, making, reading, taking

    rows: dict[str, Row] = {}
    has_text = {line.figure_id for line in reading.lines(viewer) if line.state is not None}
    asked = dict[str, str]()
    for figure_id, key in wanted:
        try:
            if not figure_id:
                raise Stop("No figure of this paper has been located. Locate its diagram first.")
            if figure_id in has_text and not again:
                raise Stop(HAS_TEXT)
            making.read_pages(viewer, figure_id, progress=progress)
            asked[figure_id] = key
        except (EdgewiseError, Stop) as error:
            rows[figure_id or key] = {"id": key, "error": str(error)}
    if asked:
        run_id = _run(viewer, model, list(asked), place)
        found = {each.figure_id: each for each in made_texts.texts_of_run(viewer, run_id)}
        refused = dict(taking.take_all(viewer, run_id, act_id=new_id()).refused)
        for figure_id, key in asked.items():
            rows[figure_id] = _row(viewer, figure_id, key, found.get(figure_id), refused)
    return list(rows.values())


def _run(viewer: Viewer, model: str, figures: Sequence[str], place: str) -> str:
    """The id of a run that has asked all it can."""
    from runs.__main__ import main as work
    from services.runs import planning, reading
    from services.runs.settings import RunConfig, SampleSource
    from services.texts.made_texts import PROTOCOL

    wanted = RunConfig(
        title=f"Texts by {model}",
        protocol=PROTOCOL,
        source=SampleSource(),
        tasks=(),
        variants=("standard",),
        models=(model,),
        options={"papers": ",".join(figures)},
    )
    tasks = [task for task in planning.usual_tasks(viewer, wanted) if task != "explicitness"]
    wanted = replace(wanted, tasks=tuple(tasks))
    run_id = planning.start(viewer, wanted, act_id=new_id()).subject_id
    work(["--store", place, "--once"])
    now = reading.progress(viewer, run_id)
    if now.state not in (RunState.DONE, RunState.WAITING) or now.hindrances:
        raise EdgewiseError(
            f"Run {now.number} is {now.state.value}: {now.reason or 'the worker has ended'}. {CONTINUE}"
        )
    return run_id


def _row(viewer: Viewer, figure_id: str, key: str, made: Any, refused: dict[str, str]) -> Row:
    from services.texts import reading

    if made is None:
        return {"id": key, "error": "The model gave no whole text; the run says why of each step."}
    if made.key in refused:
        return {"id": key, "error": f"Not taken: {refused[made.key]}"}
    view = reading.view(viewer, figure_id)
    assert view is not None, "it was taken just now"
    return short_row(view)
