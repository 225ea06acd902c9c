"""The queue of a study: showing it, assigning figures, returning claims, setting priority and annotators wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, id_of, new_id, opened_study, say
from core.people import Viewer
from core.words import counted, quoted

if TYPE_CHECKING:
    from services.transcription.queue import FigureQueue, Holder, QueueLine

app = typer.Typer()
AS_RULED = "rule"
NOTHING_CHOSEN = "name the figures with --figure ID; edgewise.py assign lists them"

FigureOption = Annotated[list[str] | None, typer.Option("--figure", help="ID of a figure; may be repeated.")]
ToOption = Annotated[str | None, typer.Option("--to", help="Name or ID of the annotator.")]
NextOption = Annotated[bool, typer.Option("--next", help="Assign the figure that is next for this person.")]
FreeOption = Annotated[
    bool, typer.Option("--free", help="Return a claim on the figure to the queue; the transcription is kept.")
]
FromOption = Annotated[str | None, typer.Option("--from", help="Whose claim; needed if several people hold one.")]
PriorityOption = Annotated[
    int | None, typer.Option("--priority", help="Priority of the figures: higher first; 0 is the default.")
]
AnnotatorsOption = Annotated[
    str | None,
    typer.Option("--wanted", help='Annotators wanted for the figures; "rule": as in the queue settings.'),
]
OverlapOption = Annotated[int | None, typer.Option("--overlap", help="Queue setting: annotators per figure.")]
ShareOption = Annotated[
    float | None, typer.Option("--share", help="Queue setting: double-annotated share of figures (0-1).")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Queue setting: random seed of that share.")]
HoursOption = Annotated[
    int | None, typer.Option("--hours", help="Queue setting: hours after which an idle claim expires.")
]


@app.command("assign")
def assign(
    figure: FigureOption = None,
    to: ToOption = None,
    is_next: NextOption = False,
    is_free: FreeOption = False,
    holder: FromOption = None,
    priority: PriorityOption = None,
    *,
    annotators: AnnotatorsOption = None,
    overlap: OverlapOption = None,
    share: ShareOption = None,
    seed: SeedOption = None,
    hours: HoursOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the queue of figures; or assign a figure, return a claim, set priority or annotators wanted, or change the
    queue settings."""
    figures = list(dict.fromkeys(figure or ()))
    rule = {"overlap": overlap, "share": share, "seed": seed, "idle_hours": hours}
    rule = {name: value for name, value in rule.items() if value is not None}
    action = _asked(figures, to, is_next, is_free, holder, priority, annotators, bool(rule))
    number = _number(annotators)
    with opened_study(store) as viewer:
        if action == "give":
            data, words = _give(viewer, figures, to or "", is_next)
        elif action == "free":
            data, words = _free(viewer, figures[0], holder)
        elif action == "figures":
            data, words = _set(viewer, figures, priority, annotators is not None, number)
        elif action == "rule":
            data, words = _rule(viewer, rule)
        else:
            data, words = _show(viewer)
    say(data, words, as_json)


def _asked(
    figures: list[str],
    to: str | None,
    is_next: bool,
    is_free: bool,
    holder: str | None,
    priority: int | None,
    annotators: str | None,
    has_rule: bool,
) -> str:
    """Return the requested action: show, give, free, figures or rule. Raises BadParameter for a mixture."""
    sets = priority is not None or annotators is not None
    things = [
        name
        for name, is_asked in (
            ("give", to is not None or is_next),
            ("free", is_free),
            ("figures", sets),
            ("rule", has_rule),
        )
        if is_asked
    ]
    if len(things) > 1:
        raise typer.BadParameter(
            "assign figures, return a claim, set priority or annotators wanted, or change the queue settings: one at a "
            "time."
        )
    action = things[0] if things else "show"
    if action == "give" and (to is None or is_next == bool(figures) or len(figures) > 1):
        raise typer.BadParameter("assigning takes --to PERSON and either --next or one --figure ID.", param_hint="--to")
    if action == "free" and len(figures) != 1:
        raise typer.BadParameter("returning a claim takes one --figure ID.", param_hint="--free")
    if action == "figures" and not figures:
        raise typer.BadParameter(NOTHING_CHOSEN, param_hint="--priority" if annotators is None else "--wanted")
    if action in ("show", "rule") and figures:
        raise typer.BadParameter(
            "name what to do with the figure: --to, --free, --priority or --wanted.", param_hint="--figure"
        )
    if holder is not None and action != "free":
        raise typer.BadParameter("names whose claim --free returns.", param_hint="--from")
    return action


def _number(annotators: str | None) -> int | None:
    if annotators is None or annotators == AS_RULED:
        return None
    if not annotators.isdecimal():
        raise typer.BadParameter(
            f"{quoted(annotators)} is neither a number of annotators nor “{AS_RULED}”.", param_hint="--wanted"
        )
    return int(annotators)


# --- the acts ----------------------------------------------------------------------------------------------------


def _show(viewer: Viewer) -> tuple[Any, str]:
    from services.transcription import queue

    figure_queue = queue.queue_of_study(viewer)
    data = {"settings": _plain_rule(figure_queue), "figures": [_plain_line(line) for line in figure_queue.lines]}
    lines = [_line(line) for line in figure_queue.lines] or ["No figures yet."]
    return data, "\n".join([_rule_words(figure_queue), *lines])


def _give(viewer: Viewer, figures: list[str], to: str, is_next: bool) -> tuple[Any, str]:
    from services.transcription import queue

    known = dict(queue.queue_of_study(viewer).people)
    person_id = id_of(to, known)
    if person_id is None:
        raise Stop(f"Nobody called {quoted(to)} can transcribe; see: edgewise.py people list")
    name = known[person_id]
    if is_next:
        receipt = queue.assign_next(viewer, person_id, act_id=new_id())
    else:
        receipt = queue.assign(viewer, figures[0], person_id, act_id=new_id())
    lines = queue.queue_of_study(viewer).lines
    line = next(line for line in lines if any(h.assignment_id == receipt.subject_id for h in line.holders))
    data = {"assignment": receipt.subject_id, "figure": line.figure_id, "person": name}
    return data, f"Assigned {_called(line)} ({line.figure_id}) to {name}."


def _free(viewer: Viewer, figure: str, holder: str | None) -> tuple[Any, str]:
    from services.queue.work import return_claim
    from services.transcription import queue
    from services.transcription.work_kind import FIGURES

    figure_queue = queue.queue_of_study(viewer)
    line = next((each for each in figure_queue.lines if each.figure_id == figure), None)
    if line is None:
        raise Stop(f"There is no figure {figure} in the queue; edgewise.py assign lists its figures.")
    known = dict(figure_queue.people) | {each.person_id: each.name for each in line.holders}
    whose = None if holder is None else id_of(holder, known)
    claims = [each for each in line.holders if holder is None or each.person_id == whose]
    if not claims:
        whose = "Nobody has" if holder is None else f"{holder} has no"
        raise Stop(f"{whose}{' a' if holder is None else ''} claim on {_called(line)}; there is nothing to return.")
    if len(claims) > 1:
        names = ", ".join(each.name for each in claims)
        raise Stop(f"Several people have a claim on {_called(line)}: {names}. Name one with --from NAME.")
    return_claim(viewer, FIGURES, claims[0].assignment_id, act_id=new_id())
    data = {"assignment": claims[0].assignment_id, "figure": line.figure_id, "person": claims[0].name}
    return data, f"Returned the claim of {claims[0].name} on {_called(line)} ({line.figure_id}); the graph is kept."


def _set(
    viewer: Viewer, figures: list[str], priority: int | None, sets_annotators: bool, annotators: int | None
) -> tuple[Any, str]:
    from services.transcription import queue

    data: dict[str, Any] = {"figures": figures}
    changes = []
    if priority is not None:
        queue.prioritise(viewer, figures, priority, act_id=new_id())
        data["priority"] = priority
        changes.append(f"priority {priority}")
    if sets_annotators:
        queue.want(viewer, figures, annotators, act_id=new_id())
        data["wanted"] = annotators
        changes.append(
            "annotators as in the queue settings" if annotators is None else counted(annotators, "annotator")
        )
    many = counted(len(figures), "figure")
    return data, f"{many}: {', '.join(changes)}."


def _rule(viewer: Viewer, rule: dict[str, Any]) -> tuple[Any, str]:
    from services.queue import settings
    from services.transcription import queue

    now = settings.settings(viewer)
    settings.save_settings(viewer, replace(now, **rule), seen=now.version, act_id=new_id())
    figure_queue = queue.queue_of_study(viewer)
    return _plain_rule(figure_queue), _rule_words(figure_queue)


# --- finding, and putting in words -------------------------------------------------------------------------------


def _called(line: QueueLine) -> str:
    return " · ".join(part for part in (line.label or line.place, line.paper_title) if part)


def _line(line: QueueLine) -> str:
    turn = f"{line.turn:>4}" if line.turn else "   –"
    holders = "; ".join(f"{holder.name} until {holder.expires_at:%Y-%m-%d %H:%M} UTC" for holder in line.holders)
    places = f"{line.submitted} submitted, {line.in_progress} in progress, {line.free} free of {line.wanted}"
    urgent = f"  priority {line.priority}" if line.priority else ""
    return f"{turn}  {line.figure_id}  {places}{urgent}  {_called(line)}" + (f"  [{holders}]" if holders else "")


def _rule_words(figure_queue: FigureQueue) -> str:
    rule = figure_queue.settings
    return (
        f"{counted(rule.overlap, 'annotator')} per figure; double-annotated share {rule.share:g}, random seed "
        f"{rule.seed}; idle claims expire after {counted(rule.idle_hours, 'hour')}."
    )


def _plain_rule(figure_queue: FigureQueue) -> dict[str, Any]:
    rule = figure_queue.settings
    return {"overlap": rule.overlap, "share": rule.share, "seed": rule.seed, "hours": rule.idle_hours}


def _plain_line(line: QueueLine) -> dict[str, Any]:
    return {
        "figure": line.figure_id,
        "paper": line.paper_title,
        "label": line.label,
        "place": line.place,
        "turn": line.turn or None,
        "priority": line.priority,
        "wanted": line.wanted,
        "own_wanted": line.own_number,
        "handed_in": line.submitted,
        "in_progress": line.in_progress,
        "free": line.free,
        "holders": [_plain_holder(each) for each in line.holders],
        "done": [_plain_holder(each) for each in line.done],
        "ended": [_plain_holder(each) for each in line.ended],
    }


def _plain_holder(holder: Holder) -> dict[str, Any]:
    return {
        "assignment": holder.assignment_id,
        "person": holder.name,
        "state": holder.state,
        "since": holder.since.isoformat(),
        "lapses_at": holder.expires_at.isoformat() if holder.expires_at else None,
        "looked_at": holder.looked_at.isoformat() if holder.looked_at else None,
    }
