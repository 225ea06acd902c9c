"""`run` creates a run and processes it; `worker` processes waiting runs."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from subprocess import Popen
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated

import typer

from cli.study import worker_prestart
from cli.study.models import parameters_from
from cli.study.run_choices import (
    chosen_models,
    chosen_options,
    chosen_roles,
    may_ask,
    needed_roles,
    plan_words,
    planned,
    with_tasks,
    words_of,
)
from cli.study.run_flags import GIVEN, RunCommand, given_to, option_values, tell, values_of
from cli.study.runs import progress_words, reason_of, run_json
from cli.study.session import (
    JsonOption,
    StoreOption,
    check_place,
    errors,
    new_id,
    opened_study,
    place_of,
    say,
    whole_file,
    write_whole,
)
from core.errors import EdgewiseError
from core.people import Viewer
from core.runs.states import AT_WORK, ItemStatus, RunState, progress_text

if TYPE_CHECKING:
    from services.runs.benchmarks import RunFlags
    from services.runs.settings import RunConfig
    from services.runs.views import RunProgress
    from services.triplets.trial_files import TrialFiles

app = typer.Typer()
LOOK_S = 2.0
ListOption = list[str] | None


@app.command(cls=RunCommand)
def run(
    ctx: typer.Context,
    protocol: Annotated[
        str,
        typer.Option(help="Protocol of the benchmark; default: the one that New run starts with.", show_default=False),
    ] = "",
    tasks: Annotated[
        ListOption, typer.Option(help="Tasks, separated by commas or repeated; default: all that the triplets have.")
    ] = None,
    variants: Annotated[
        ListOption, typer.Option(help="Variants, separated by commas or repeated: context, no-context, ….")
    ] = None,
    models: Annotated[
        ListOption,
        typer.Option(help='Model cards and baselines, separated by commas or repeated; "baselines": all of them.'),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            help="Maximum samples per task and variant; default: all. Of queries about graphs in all; default: 1,000."
        ),
    ] = None,
    *,
    output_dir: Annotated[
        Path | None, typer.Option(help="Folder for the run's files and tables when it has ended.")
    ] = None,
    option: Annotated[ListOption, typer.Option(help="Protocol option as NAME=VALUE; may be repeated.")] = None,
    role: Annotated[
        ListOption, typer.Option(help="Model cards for a role of the protocol, as NAME=CARD[,CARD]; may be repeated.")
    ] = None,
    helper: Annotated[
        ListOption, typer.Option(help="Model card of a helper, as ROLE=CARD (format=CARD); may be repeated.")
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts that replace the built-in ones.")] = None,
    parameter: Annotated[ListOption, typer.Option(help="Request parameter as name=value; may be repeated.")] = None,
    budget: Annotated[float | None, typer.Option(help="Budget of the run ($).")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Budget of the run (tokens).")] = None,
    budget_requests: Annotated[int | None, typer.Option(help="Budget of the run (requests).")] = None,
    repeat: Annotated[int, typer.Option(help="Repeats per sample and model.")] = 1,
    seed: Annotated[int, typer.Option(help="Random seed of all draws.")] = 1,
    title: Annotated[str, typer.Option(help="Title of the run.")] = "",
    queue: Annotated[bool, typer.Option("--queue", help="Only create the run; a worker asks the models.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent and what it costs; send and import nothing.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask models (or baselines alone) and score their answers; Ctrl+C stops the work; the run can be continued."""
    if queue and output_dir is not None:
        raise typer.BadParameter("a run that is only queued has no results yet.", param_hint="--output-dir")
    from protocols import USUAL

    protocol = protocol or USUAL
    with ExitStack() as stack:
        is_work = not (dry_run or queue)
        place = _checked_place(store)
        working = stack.enter_context(_waiting_worker(models)) if is_work else None
        # Loads as long as the worker does now; earlier, the two would compete.
        from services.runs.benchmarks import RunFlags, import_files
        from services.runs.settings import BudgetSettings, RunConfig

        viewer = stack.enter_context(opened_study(store))
        flag_values = given_to(ctx.meta[GIVEN], protocol)
        plain, roles = chosen_roles(protocol, models, [*(role or []), *(helper or [])])
        models_asked, baselines = chosen_models(protocol, plain)
        flags = RunFlags(given=flag_values, options=chosen_options(protocol, option or [], option_values(flag_values)))
        files = import_files(viewer, protocol, flags, dry_run, tell)
        roles = needed_roles(protocol, files.options, roles, are_named=bool(models or role))
        config = RunConfig(
            title=title or f"{protocol} from the command line",
            source=files.source,
            tasks=(),
            variants=words_of([*(variants or []), *values_of(flag_values, "variants")]),
            protocol=protocol,
            models=models_asked,
            baselines=baselines,
            repeats=repeat,
            seed=seed,
            most_samples=samples,
            parameters=parameters_from(parameter),
            prompts_folder=str(prompts or ""),
            options=files.options,
            roles=roles,
            budget=BudgetSettings(budget, budget_tokens, budget_requests),
        )
        config = with_tasks(viewer, config, words_of([*(tasks or []), *values_of(flag_values, "tasks")]), files.trial)
        plan = planned(viewer, config, files.trial)
        if dry_run:
            say(asdict(plan), plan_words(plan), as_json)
            raise typer.Exit(1 if plan.faults else 0)
        if not as_json:
            print(plan_words(plan), file=sys.stderr)
        _run(viewer, config, files.trial, flags, working, place, output_dir, as_json)


@app.command()
def worker(
    once: Annotated[bool, typer.Option("--once", help="End when no run is left.")] = False,
    store: StoreOption = None,
) -> None:
    """Work on the runs of a study until stopped; `serve` starts a worker automatically."""
    place = _checked_place(store)
    from runs.__main__ import main  # in this process, so that ending it ends the requests

    raise typer.Exit(main(["--store", place, *(["--once"] if once else [])]))


def _checked_place(store: str | None) -> str:
    with errors():
        place = place_of(store)
        check_place(place)
    return place


# --- working -----------------------------------------------------------------------------------------------------


def _run(
    viewer: Viewer,
    config: RunConfig,
    trial: TrialFiles,
    flags: RunFlags,
    working: Popen[bytes] | None,
    place: str,
    output: Path | None,
    as_json: bool,
) -> None:
    """Store the run and process it with the waiting worker, if any. `trial`: files whose content the run stores."""
    from services.runs import benchmarks, planning, reading
    from services.runs.steps import lists as steps

    run_id = planning.start(viewer, config, trial, act_id=new_id()).subject_id
    if working is not None:
        _tell(working, place)
        if output is not None:
            # Preload what writes the files while the models answer.
            from services.results import files as result_files
            from services.results import results
            from services.runs.exports import files

            assert files and result_files and results
        _work(viewer, run_id, working)
    now = reading.progress(viewer, run_id)
    is_done = now.state is RunState.DONE
    has_own_files = benchmarks.get_services(config.protocol).output_files is not None
    if output is not None and (is_done or (has_own_files and working is not None)):
        _write(viewer, now, output)
        for name, content in benchmarks.output_files(viewer, config.protocol, run_id).items():
            write_whole(output / name, content)
    data = run_json(now)
    if now.has_steps:
        data["steps"] = [asdict(each) for each in steps.steps(viewer, run_id)]
    if is_done:
        data |= benchmarks.finish(viewer, config.protocol, flags, run_id)
    say(data, progress_words(now), as_json)
    is_whole = (now.state is RunState.DONE or waits_for_people(now)) and not now.by_status[ItemStatus.FAILED]
    raise typer.Exit(0 if working is None or is_whole else 1)


@contextmanager
def _waiting_worker(models: ListOption) -> Iterator[Popen[bytes]]:
    """Yield a worker that loads its modules while the run is planned, and opens the study on request. It ends with
    its input, and so with this process; SIGTERM acts like Ctrl+C here."""
    process = worker_prestart.worker()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if may_ask(words_of(models)):
            _tell(process, "client")
        yield process
    finally:
        _end_input(process)
        process.wait()
        signal.signal(signal.SIGTERM, before)


def _end_input(process: Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _tell(process: Popen[bytes], words: str) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # a worker that is dead is seen by `_work`
        process.stdin.write(f"{words}\n".encode(errors="surrogateescape"))
        process.stdin.flush()


def _work(viewer: Viewer, run_id: str, process: Popen[bytes]) -> None:
    """Process the run until it rests; if another worker is processing it, watch."""
    from services.runs import reading

    ended = Event()
    Thread(target=_tell_of_its_end, args=(process, ended), daemon=True).start()
    shown, waited_for = "", ""
    try:
        while True:
            now = reading.progress(viewer, run_id)
            words = f"{progress_text(now.by_status)}, {now.rate_per_s:.1f} per s"
            if words != shown and sys.stderr.isatty():
                print(f"\r{words}  ", end="" if now.state in AT_WORK else "\n", file=sys.stderr)
            shown = words
            waited_for = _say_what_it_waits_for(now, waited_for)
            if now.state not in AT_WORK or now.is_held:
                break
            if process.poll() is not None and not now.has_worker:
                raise EdgewiseError(
                    f"The worker has ended; run {now.number} is waiting. Continue with: edgewise.py worker --once"
                )
            if process.poll() is not None:
                time.sleep(LOOK_S)
            else:
                ended.wait(LOOK_S)
    except KeyboardInterrupt:
        print("Waiting for replies in flight; continue later with: edgewise.py worker --once", file=sys.stderr)
        _end_input(process)  # in a terminal Ctrl+C reached it already
    process.wait()


def waits_for_people(now: RunProgress) -> bool:
    """Return True if all requests are answered and people decide next."""
    return now.state is RunState.WAITING and now.reason.startswith("for people")


def _tell_of_its_end(process: Popen[bytes], ended: Event) -> None:
    """Set the event at once: `Popen.wait` with a timeout only polls."""
    process.wait()
    ended.set()


def _say_what_it_waits_for(now: RunProgress, before: str) -> str:
    """Print once for every lost server, and once when all are back; return the state that was printed."""
    reason = reason_of(now) if now.blockers else ""
    if reason and reason != before:
        comes_back = any(not each.is_model for each in now.blockers)
        rest = " It is tried again automatically; Ctrl+C leaves it waiting." if comes_back else " The others continue."
        print(f"Run {now.number}: {reason.rstrip('.')}.{rest}", file=sys.stderr)
    elif before and not reason and now.state is RunState.RUNNING:
        print(f"Run {now.number} continues.", file=sys.stderr)
    return reason


def _write(viewer: Viewer, now: RunProgress, folder: Path) -> None:
    from services.files import TableForm
    from services.results import files as result_files
    from services.results import results
    from services.runs.exports import files

    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / files.export_name(viewer, now.run_id)) as file:
        files.export_run(viewer, now.run_id, file)
    for preset in results.presets_of(viewer, [now.run_id]):
        for form in (TableForm.CSV, TableForm.LATEX):
            table = result_files.export(viewer, [now.run_id], preset.key, form)
            write_whole(folder / table.name, table.content)
    print(f"Wrote the run and its tables to {folder}.", file=sys.stderr)
