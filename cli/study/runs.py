"""Model runs of a study: listing, showing, control and export, and the cache of replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.run_choices import words_of
from cli.study.run_codes import runs_codes
from cli.study.run_exports import runs_export
from cli.study.run_imports import runs_import
from cli.study.run_results import runs_results
from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, say
from core.people import Viewer
from core.runs.budget import account, dollars
from core.runs.states import format_blockers, progress_text
from core.words import counted, quoted

if TYPE_CHECKING:
    from core.people import Receipt
    from services.runs.steps.lists import GroupValue, StepLine
    from services.runs.steps.redoing import RedoPlan
    from services.runs.views import RunCard, RunLine, RunProgress

app = typer.Typer()
runs_app = typer.Typer(no_args_is_help=True, help="Model runs: list, show, control, export.")
cache_app = typer.Typer(no_args_is_help=True, help="Stored replies; a repeated request is answered from here.")
app.add_typer(runs_app, name="runs")
app.add_typer(cache_app, name="cache")

RunArgument = Annotated[str, typer.Argument(help="Number or ID of the run.")]


# --- looking -----------------------------------------------------------------------------------------------------


@runs_app.command("list")
def runs_list(
    archived: Annotated[bool, typer.Option("--archived", help="Include archived runs.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the runs, newest first."""
    from services.runs import reading

    with opened_study(store) as viewer:
        lines = reading.runs(viewer, with_archived=archived)
    say([run_json(line) for line in lines], "\n".join(map(_line, lines)) or "No runs yet.", as_json)


@runs_app.command("show")
def runs_show(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the progress of a run, its steps and its run card."""
    from services.runs import reading
    from services.runs.steps import lists as steps
    from services.runs.steps import redo_choices

    with opened_study(store) as viewer:
        now, card, step_lines = reading.progress(viewer, run), reading.card(viewer, run), steps.steps(viewer, run)
        redone = redo_choices.redos(viewer, run)
    data = {
        "progress": run_json(now),
        "card": {**asdict(card), "run": run_json(card.run)},
        "steps": [asdict(each) for each in step_lines],
        "redone_from": asdict(redone.source) if redone.source else None,
        "redone_as": [asdict(each) for each in redone.later],
    }
    each_step = [f"  {_step_words(each)}" for each in step_lines] if len(step_lines) > 1 else []
    each_step += [f"  Redone from run {redone.source.run}, step {redone.source.step}"] if redone.source else []
    each_step += [f"  Redone as run {each.run}, step {each.step}" for each in redone.later]
    say(data, "\n".join([progress_words(now), *each_step, _card_words(card)]), as_json)


@runs_app.command("steps")
def runs_steps(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show how far each step of a run is: its groups, items, values, requests and cost."""
    from services.runs.steps import lists as steps

    with opened_study(store) as viewer:
        step_lines = steps.steps(viewer, run)
    say([asdict(each) for each in step_lines], "\n".join(map(_step_words, step_lines)), as_json)


runs_app.command("results")(runs_results)
runs_app.command("codes")(runs_codes)
runs_app.command("export")(runs_export)
runs_app.command("import")(runs_import)


# --- steering ----------------------------------------------------------------------------------------------------


@runs_app.command("redo")
def runs_redo(
    run: RunArgument,
    step: Annotated[str, typer.Argument(help="Step to redo, as `runs steps` names it.")],
    group: Annotated[
        list[str] | None, typer.Option(help="Key of a group to redo, such as a paper; may be repeated; default: all.")
    ] = None,
    models: Annotated[
        list[str] | None, typer.Option(help="Model cards for this step, separated by commas or repeated.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Protocol option as NAME=VALUE, for this step alone; may be repeated.")
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts that replace those of this step.")] = None,
    *,
    truncated: Annotated[
        bool, typer.Option("--truncated", help="Ask again only what was cut off, in a run of one step.")
    ] = False,
    max_tokens: Annotated[
        int | None, typer.Option(help="With --truncated: the new limit of tokens; default: twice each model's own.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent; start nothing and send nothing.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Redo one step of a run as a new run. Cached replies answer what has not changed; a worker sends the rest."""
    from services.runs import reading
    from services.runs.run_settings import read_options
    from services.runs.steps import redoing

    if max_tokens is not None and not truncated:
        raise typer.BadParameter("needs --truncated.", param_hint="--max-tokens")
    if truncated:
        if group or models or option or prompts:
            raise typer.BadParameter("changes nothing but the limit of tokens.", param_hint="--truncated")
        _ask_longer(run, step, max_tokens, store, is_dry=dry_run, as_json=as_json)
        return
    with opened_study(store) as viewer:
        older = reading.card(viewer, run)
        options = read_options(older.run.protocol, option) if option else {}
        changes = redoing.StepChanges(models=words_of(models), prompts_folder=str(prompts or ""), options=options)
        if dry_run:
            plan = redoing.plan_redo(viewer, run, step, changes, group)
            say(asdict(plan), _redo_words(plan), as_json)
            return
        receipt = redoing.redo(viewer, run, step, changes, group, act_id=new_id())
        now = reading.progress(viewer, receipt.subject_id)
    data = {"run": now.number, "id": now.run_id, "state": now.state, "based_on": older.run.number, "step": step}
    outcome = f"Run {now.number} redoes step {step} of run {older.run.number}. It is {now.state} now."
    say(data, f"{outcome} Continue with: edgewise.py worker --once", as_json)


def _ask_longer(run: str, step: str, max_tokens: int | None, store: str | None, *, is_dry: bool, as_json: bool) -> None:
    from services.runs import reading, retry_truncated

    with opened_study(store) as viewer:
        older = reading.card(viewer, run).run
        if step not in ("ask", *older.tasks):
            raise Stop(f"Run {older.number} has no step {step}; it asked {', '.join(older.tasks)}.")
        plan = retry_truncated.plan_longer(viewer, run, max_tokens)
        if is_dry:
            say(asdict(plan) | {"requests": plan.requests}, retry_truncated.format_plan(plan), as_json)
            return
        receipt = retry_truncated.ask_longer(viewer, run, max_tokens, act_id=new_id())
        now = reading.progress(viewer, receipt.subject_id)
    data = {"run": now.number, "based_on": older.number, "requests": plan.requests, "cached": plan.cached}
    outcome = f"Run {now.number} asks again what run {older.number} has cut off."
    say(data, f"{outcome}\n{retry_truncated.format_plan(plan)}\nContinue with: edgewise.py worker --once", as_json)


@runs_app.command("rule")
def runs_rule(
    run: RunArgument,
    step: Annotated[str, typer.Argument(help="Step in which people decide, as `runs steps` names it.")],
    value: Annotated[
        str, typer.Argument(help="Number of the value, from 1, as the list without this argument shows it.")
    ] = "",
    decided_json: Annotated[
        str | None, typer.Option("--as", help="The decided value, as JSON; the value itself keeps it.")
    ] = None,
    leave_out: Annotated[bool, typer.Option("--leave-out", help="Leave the value out: no later step uses it.")] = False,
    why: Annotated[
        str, typer.Option(help="Reason, kept with the decision; required to change a value or to leave it out.")
    ] = "",
    group: Annotated[str, typer.Option(help="Key of the group; default: the only group of the step.")] = "",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the values of a step that people decide, or decide on one; the run continues after the last decision."""
    from services.runs import reading
    from services.runs.steps import lists as steps
    from services.runs.steps import ruling

    with opened_study(store) as viewer:
        keys = [] if group else _groups_of(viewer, run, step)
        if len(keys) > 1:
            listed = ", ".join(map(quoted, keys[:5])) + (" and others" if len(keys) > 5 else "")
            raise typer.BadParameter(f"the step {step} has {len(keys):,} groups: {listed}", param_hint="--group")
        group = group or (keys[0] if keys else "")
        values = steps.group(viewer, run, step, group).made
        if decided_json is not None or leave_out:
            if decided_json is not None and leave_out:
                raise typer.BadParameter("give either --as or --leave-out, not both.", param_hint="--leave-out")
            one = _numbered(values, value)
            now = None if decided_json is None else _json_of(decided_json)
            ruling.rule(viewer, one.id, now, why, seen=one.version, is_left_out=leave_out, act_id=new_id())
            values = steps.group(viewer, run, step, group).made
        state = reading.progress(viewer, run).state
    lines = [f"{number:>4}  {_value_words(each)}" for number, each in enumerate(values, 1)]
    left = sum(each.ruling is None for each in values)
    lines.append(f"{counted(left, 'value')} left to decide; the run is {state} now.")
    say({"state": state, "left": left, "values": [asdict(each) for each in values]}, "\n".join(lines), as_json)


@runs_app.command("pause")
def runs_pause(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Pause a run: nothing is sent; replies in flight are kept."""
    _steer("pause", run, store, as_json)


@runs_app.command("resume")
def runs_resume(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Resume a run that is paused or stopped, or whose items failed; a worker continues it."""
    _steer("resume", run, store, as_json)


@runs_app.command("try")
def runs_try(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Contact the server of a waiting run at once, instead of after the next pause (2 s to 2 min)."""
    _steer("try_now", run, store, as_json)


@runs_app.command("cancel")
def runs_cancel(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Cancel a run for good; its answers are kept."""
    _steer("cancel", run, store, as_json)


@runs_app.command("retry")
def runs_retry(
    run: RunArgument,
    unparsable: Annotated[
        bool,
        typer.Option(
            "--unparsable",
            help="Ask unparsable items again instead; tables count them, and `runs results --first-replies` scores the "
            "replies before.",
        ),
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask failed items again, also while the run is running."""
    _steer("retry_unparsable" if unparsable else "retry_failed", run, store, as_json)


@runs_app.command("rescore")
def runs_rescore(run: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Re-score the stored replies, without a request."""
    _steer("rescore", run, store, as_json)


@runs_app.command("archive")
def runs_archive(
    run: RunArgument,
    back: Annotated[bool, typer.Option("--back", help="Restore it instead.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Archive a run: take it out of lists and tables."""
    from services.runs import acts

    _act(
        run,
        store,
        as_json,
        lambda viewer, now: acts.archive(viewer, now.run_id, not back, seen=now.version, act_id=new_id()),
    )


@runs_app.command("budget")
def runs_budget(
    run: RunArgument,
    usd: Annotated[float | None, typer.Option("--budget", "--usd", help="Budget of the run ($).")] = None,
    tokens: Annotated[
        int | None, typer.Option("--budget-tokens", "--tokens", help="Budget of the run (tokens).")
    ] = None,
    requests: Annotated[
        int | None, typer.Option("--budget-requests", "--requests", help="Budget of the run (requests).")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change the budget of a run; without a number it has none."""
    from services.runs import acts
    from services.runs.settings import BudgetSettings

    budget = BudgetSettings(usd, tokens, requests)
    _act(
        run,
        store,
        as_json,
        lambda viewer, now: acts.set_budget(viewer, now.run_id, budget, seen=now.version, act_id=new_id()),
    )


def _steer(name: str, run: str, store: str | None, as_json: bool) -> None:
    from services.runs import acts

    act = getattr(acts, name)
    _act(run, store, as_json, lambda viewer, now: act(viewer, now.run_id, seen=now.version, act_id=new_id()))


def _act(run: str, store: str | None, as_json: bool, do: Callable[[Viewer, RunProgress], Receipt]) -> None:
    from services.runs import reading

    with opened_study(store) as viewer:
        receipt = do(viewer, reading.progress(viewer, run))
        now = reading.progress(viewer, receipt.subject_id)
        (_at, outcome) = reading.card(viewer, receipt.subject_id).acts[-1]
    data: dict[str, Any] = {"run": now.number, "id": now.run_id, "state": now.state, "said": outcome}
    say(data, f"Run {now.number}: {outcome}. It is {now.state} now.", as_json)


# --- the cache ---------------------------------------------------------------------------------------------------


@cache_app.command("stats")
def cache_stats(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Count the stored replies of each model, and the items they answer. Replies are never deleted."""
    from services.runs import cache

    with opened_study(store) as viewer:
        models = cache.stats(viewer)
    lines = [
        f"{each.endpoint or 'baseline'} · {each.model}: {counted(each.replies, 'reply')} "
        f"({each.characters / 1e6:.1f} MB), {counted(each.uses, 'item')} of {counted(each.runs, 'run')}"
        for each in models
    ]
    say([asdict(each) for each in models], "\n".join(lines) or "No stored replies yet.", as_json)


@cache_app.command("list")
def cache_list(
    model: Annotated[str, typer.Option(help="Model ID at the endpoint; default: all.")] = "",
    offset: Annotated[int, typer.Option(help="Replies to skip.")] = 0,
    limit: Annotated[int, typer.Option(help="Replies to show, at most 500.")] = 50,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the stored replies, newest first."""
    from services.runs import cache

    with opened_study(store) as viewer:
        replies = cache.replies(viewer, model, offset=offset, limit=limit)
    lines: list[str] = []
    for each in replies.lines:
        number, colon, request = each.request_hash.rpartition(":")  # a replaced reply has a number
        reply = f"{request[:16]}{f' ({number})' if colon else ''}"
        tokens = f"{each.tokens_in or 0:,} → {each.tokens_out or 0:,} tokens"
        lines.append(
            f"{each.received_at:%Y-%m-%d %H:%M}  {reply}  {each.model}  {each.finish_reason or '–'}  {tokens}, "
            f"{counted(each.uses, 'use')}"
        )
    say(asdict(replies), "\n".join([*lines, f"{counted(replies.total, 'reply')} in all."]), as_json)


# --- words -------------------------------------------------------------------------------------------------------


def progress_words(now: RunProgress) -> str:
    cost = "cost unknown" if now.requests else "no cost"
    if now.cost_usd is not None:
        cost = dollars(now.cost_usd) + (f" and {now.unpriced:,} without a price" if now.unpriced else "")
    head = " · ".join(part for part in (f"Run {now.number}", now.title) if part)
    tokens = f"{now.tokens_in:,} → {now.tokens_out:,} tokens"
    reason = reason_of(now)
    unsent = f" and {counted(now.unsent, 'attempt')} that sent nothing" if now.unsent else ""
    lines = [
        f"{head}: {now.state}{f' ({reason})' if reason else ''}",
        f"  {progress_text(now.by_status)}",
        f"  {counted(now.requests, 'request')}{unsent}, {now.cached:,} cached, {tokens}, {cost}",
    ]
    if now.implausible:
        lines.append(f"  Reported usage of {counted(now.implausible, 'reply')} cannot be true and is not counted.")
    lines += [f"  {line}" for line in account(now.budget, now.spending)]
    if now.would_stop:
        lines.append("  A resumed run would stop at once: the budget has no room for another request.")
    lines += [f"  {each.attempts:,} × {each.kind}: {each.example}" for each in now.errors]
    return "\n".join(lines)


def run_json(run: RunLine | RunProgress) -> dict[str, Any]:
    """Return the fields of a run under their stable names."""
    return {"hindrances" if name == "blockers" else name: value for name, value in asdict(run).items()}


def reason_of(run: RunLine | RunProgress) -> str:
    """Return the reason for a run's state; if it waits, also since when, in local time."""
    return format_blockers(run.blockers, datetime.astimezone, datetime.now(UTC)) or run.reason


def _step_words(line: StepLine) -> str:
    states = {"done": "done", "open": "open", "waiting": "waiting", "blocked": "blocked", "deciding": "with people"}
    groups = [f"{many:,} {words}" for name, words in states.items() if (many := asdict(line)[name])]
    parts = [f"{counted(line.groups, 'group')} ({', '.join(groups)})"] if groups else []
    parts += [progress_text(line.items)] if sum(line.items.values()) else []
    parts += [f"{counted(line.made, 'value')} made"] if line.made else []
    parts += [f"{line.undecided:,} to decide"] if line.undecided else []
    cost = "" if line.cost_usd is None else f", {dollars(line.cost_usd)}"
    why = f" ({line.cost_usd_reason})" if line.requests and line.cost_usd_reason else ""
    parts += [f"{counted(line.requests, 'request')}{cost}{why}"] if line.requests else []
    return f"{line.step} ({line.kind}, {line.title}): {'; '.join(parts) or 'nothing yet'}"


def _redo_words(plan: RedoPlan) -> str:
    groups = f"; {counted(len(plan.groups), 'group')}" if plan.groups else ""
    lines = [f"Step {plan.step} of run {plan.run}, changed: {plan.changes}{groups}"]
    for each in plan.steps:
        about = "about " if each.is_about else ""
        sent = f"{about}{counted(each.requests, 'request')}, {each.cached:,} cached"
        if each.requests:
            sent += f", {each.cost_reason}" if each.cost_usd is None else f", about {dollars(each.cost_usd)}"
        lines.append(f"  {each.step} ({each.title}): {about}{counted(each.items, 'item')}, {sent}")
    for forecast in plan.rulings:
        outcomes = (
            (forecast.taken_over, "taken over"),
            (forecast.again, "to be decided again"),
            (forecast.later, "taken over where the value comes out equal"),
        )
        counts = ", ".join(f"{counted(many, 'decision')} {words}" for many, words in outcomes if many)
        lines.append(f"  {forecast.title}: {counts}")
    return "\n".join(lines)


def _groups_of(viewer: Viewer, run: str, step: str) -> list[str]:
    """Return the keys of a step's groups. Raises typer.BadParameter for an unknown step."""
    from services.runs.steps.lists import group_lines

    page = group_lines(viewer, run, step=step, limit=500)
    if page.steps and step not in page.steps:
        raise typer.BadParameter(f"{quoted(step)}: expected one of {', '.join(page.steps)}", param_hint="STEP")
    return [cell.key for line in page.lines for cell in line.cells.get(step, ())]


def _numbered(values: tuple[GroupValue, ...], number: str) -> GroupValue:
    if number.isdecimal() and 1 <= int(number) <= len(values):
        return values[int(number) - 1]
    raise typer.BadParameter(f"{quoted(number)}: expected a number from 1 to {len(values)}.", param_hint="VALUE")


def _json_of(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(
            f"{quoted(text)} is not JSON ({error}); text needs quotes: '\"+\"'.", param_hint="--as"
        ) from None


def _value_words(each: GroupValue) -> str:
    value = json.dumps(each.value, ensure_ascii=False)
    ruling = each.ruling or {}
    now = "left out" if ruling.get("left_out") else json.dumps(ruling.get("value"), ensure_ascii=False)
    decided = f" → {now}" if ruling else ""
    return f"{each.key}: {value}{decided}" if each.key else f"{value}{decided}"


def _line(line: RunLine) -> str:
    reason = reason_of(line)
    models = ", ".join(
        counted(len(names), word) for names, word in ((line.models, "model"), (line.baselines, "baseline")) if names
    )
    return (
        f"{line.number:>4}  {line.created_at:%Y-%m-%d}  {line.state:<9}  {progress_text(line.by_status)}  "
        f"{', '.join(line.tasks)}  {models}  {line.title}{' (archived)' if line.is_archived else ''}"
        f"{f'  {reason}' if reason else ''}"
    )


def _card_words(card: RunCard) -> str:
    lines = [f"  {'settings' if name == 'wanted' else name} {value}" for name, value in card.hashes.items()]
    lines += [f"  prompt {each.name} ({each.origin}) {each.hash}" for each in card.prompts]
    lines += [
        f"  deviation from the protocol: {each.what}: {each.chosen} (protocol: {each.default})"
        for each in card.deviations
    ]
    if card.repeated:
        lines.append(f"  {counted(card.repeated, 'duplicate')} left out")
    lines += [
        f"  {each.name}: {counted(each.asked_again, 'item')} asked again after a reply that could not be read"
        for each in card.models
        if each.asked_again
    ]
    lines += [f"  {model}: {flag} in {counted(items, 'item')}" for model, flag, items in card.unknown_reasons]
    if card.uncertain:
        lines.append(f"  {counted(len(card.uncertain), 'request')} with unknown outcome, {len(card.resends):,} re-sent")
    return "\n".join(lines)
