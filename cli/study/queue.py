"""The queue of a study: showing it, assigning figures, freeing them, and how soon and how often they are wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.opening import JsonOption, Stop, StoreOption, id_of, new_id, opened_study, say
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
WantedOption = Annotated[
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
    wanted: WantedOption = None,
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
    asked = _asked(figures, to, is_next, is_free, holder, priority, wanted, bool(rule))
    number = _number(wanted)
    with opened_study(store) as viewer:
        if asked == "give":
            data, words = _give(viewer, figures, to or "", is_next)
        elif asked == "free":
            data, words = _free(viewer, figures[0], holder)
        elif asked == "figures":
            data, words = _set(viewer, figures, priority, wanted is not None, number)
        elif asked == "rule":
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
    wanted: str | None,
    has_rule: bool,
) -> str:
    """Which one thing is asked for: show, give, free, figures or rule. Raises BadParameter for a mixture."""
    sets = priority is not None or wanted is not None
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
    asked = things[0] if things else "show"
    if asked == "give" and (to is None or is_next == bool(figures) or len(figures) > 1):
        raise typer.BadParameter("assigning takes --to PERSON and either --next or one --figure ID.", param_hint="--to")
    if asked == "free" and len(figures) != 1:
        raise typer.BadParameter("returning a claim takes one --figure ID.", param_hint="--free")
    if asked == "figures" and not figures:
        raise typer.BadParameter(NOTHING_CHOSEN, param_hint="--priority" if wanted is None else "--wanted")
    if asked in ("show", "rule") and figures:
        raise typer.BadParameter(
            "name what to do with the figure: --to, --free, --priority or --wanted.", param_hint="--figure"
        )
    if holder is not None and asked != "free":
        raise typer.BadParameter("names whose claim --free returns.", param_hint="--from")
    return asked


def _number(wanted: str | None) -> int | None:
    if wanted is None or wanted == AS_RULED:
        return None
    if not wanted.isdecimal():
        raise typer.BadParameter(
            f"{quoted(wanted)} is neither a number of annotators nor “{AS_RULED}”.", param_hint="--wanted"
        )
    return int(wanted)


# --- the acts ----------------------------------------------------------------------------------------------------


def _show(viewer: Viewer) -> tuple[Any, str]:
    from services.transcription import queue

    found = queue.queue_of_study(viewer)
    lines = [_line(line) for line in found.lines]
    return _plain(found), "\n".join([_rule_words(found), *lines]) if lines else f"{_rule_words(found)}\nNo figures yet."


def _give(viewer: Viewer, figures: list[str], to: str, is_next: bool) -> tuple[Any, str]:
    from services.transcription import queue

    person_id, name = _person(queue.queue_of_study(viewer), to)
    if is_next:
        receipt = queue.hand_out_next(viewer, person_id, act_id=new_id())
    else:
        receipt = queue.hand_out(viewer, figures[0], person_id, act_id=new_id())
    lines = queue.queue_of_study(viewer).lines
    line = next(line for line in lines if any(h.assignment_id == receipt.subject_id for h in line.holders))
    data = {"assignment": receipt.subject_id, "figure": line.figure_id, "person": name}
    return data, f"Assigned {_called(line)} ({line.figure_id}) to {name}."


def _free(viewer: Viewer, figure: str, holder: str | None) -> tuple[Any, str]:
    from services.queue.work import return_claim
    from services.transcription import queue
    from services.transcription.work_kind import FIGURES

    found = queue.queue_of_study(viewer)
    line = _figure(found, figure)
    known = dict(found.people) | {each.person_id: each.name for each in line.holders}
    whose = None if holder is None else id_of(holder, known)
    held = [each for each in line.holders if holder is None or each.person_id == whose]
    if not held:
        whose = "Nobody has" if holder is None else f"{holder} has no"
        raise Stop(f"{whose}{' a' if holder is None else ''} claim on {_called(line)}; there is nothing to return.")
    if len(held) > 1:
        names = ", ".join(each.name for each in held)
        raise Stop(f"Several people have a claim on {_called(line)}: {names}. Name one with --from NAME.")
    return_claim(viewer, FIGURES, held[0].assignment_id, act_id=new_id())
    data = {"assignment": held[0].assignment_id, "figure": line.figure_id, "person": held[0].name}
    return data, f"Returned the claim of {held[0].name} on {_called(line)} ({line.figure_id}); the graph is kept."


def _set(
    viewer: Viewer, figures: list[str], priority: int | None, has_wanted: bool, wanted: int | None
) -> tuple[Any, str]:
    from services.transcription import queue

    data: dict[str, Any] = {"figures": figures}
    said = []
    if priority is not None:
        queue.prioritise(viewer, figures, priority, act_id=new_id())
        data["priority"] = priority
        said.append(f"priority {priority}")
    if has_wanted:
        queue.want(viewer, figures, wanted, act_id=new_id())
        data["wanted"] = wanted
        said.append("annotators as in the queue settings" if wanted is None else counted(wanted, "annotator"))
    many = counted(len(figures), "figure")
    return data, f"{many}: {', '.join(said)}."


def _rule(viewer: Viewer, rule: dict[str, Any]) -> tuple[Any, str]:
    from services.queue import settings
    from services.transcription import queue

    now = settings.settings(viewer)
    settings.save_settings(viewer, replace(now, **rule), seen=now.version, act_id=new_id())
    found = queue.queue_of_study(viewer)
    return _plain_rule(found), _rule_words(found)


# --- finding, and putting in words -------------------------------------------------------------------------------


def _person(found: FigureQueue, wanted: str) -> tuple[str, str]:
    known = dict(found.people)
    person_id = id_of(wanted, known)
    if person_id is None:
        raise Stop(f"Nobody called {quoted(wanted)} can transcribe; see: edgewise.py people list")
    return person_id, known[person_id]


def _figure(found: FigureQueue, figure: str) -> QueueLine:
    for line in found.lines:
        if line.figure_id == figure:
            return line
    raise Stop(f"There is no figure {figure} in the queue; edgewise.py assign lists its figures.")


def _called(line: QueueLine) -> str:
    return " · ".join(part for part in (line.label or line.place, line.paper_title) if part)


def _line(line: QueueLine) -> str:
    turn = f"{line.turn:>4}" if line.turn else "   –"
    held = "; ".join(f"{holder.name} until {holder.expires_at:%Y-%m-%d %H:%M} UTC" for holder in line.holders)
    places = f"{line.handed_in} submitted, {line.in_progress} in progress, {line.free} free of {line.wanted}"
    urgent = f"  priority {line.priority}" if line.priority else ""
    return f"{turn}  {line.figure_id}  {places}{urgent}  {_called(line)}" + (f"  [{held}]" if held else "")


def _rule_words(found: FigureQueue) -> str:
    rule = found.settings
    return (
        f"{counted(rule.overlap, 'annotator')} per figure; double-annotated share {rule.share:g}, random seed "
        f"{rule.seed}; idle claims expire after {counted(rule.idle_hours, 'hour')}."
    )


def _plain_rule(found: FigureQueue) -> dict[str, Any]:
    rule = found.settings
    return {"overlap": rule.overlap, "share": rule.share, "seed": rule.seed, "hours": rule.idle_hours}


def _plain(found: FigureQueue) -> dict[str, Any]:
    return {"settings": _plain_rule(found), "figures": [_plain_line(line) for line in found.lines]}


def _plain_line(line: QueueLine) -> dict[str, Any]:
    return {
        "figure": line.figure_id,
        "paper": line.paper_title,
        "label": line.label,
        "place": line.place,
        "turn": line.turn or None,
        "priority": line.priority,
        "wanted": line.wanted,
        "own_wanted": line.own_wanted,
        "handed_in": line.handed_in,
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
