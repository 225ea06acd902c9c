"""`run` sets a run up and works on it here; `worker` works on whatever waits."""

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
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study import ahead
from cli.study.abstract_files import takes_abstracts, with_abstracts, write_made
from cli.study.models import parameters_from
from cli.study.opening import (
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
from cli.study.paper_files import (
    collected,
    needed_roles,
    takes_papers,
    takes_steps,
    with_papers,
    with_step_files,
    write_steps,
)
from cli.study.questions import questions_of_run
from cli.study.run_choices import (
    chosen_models,
    chosen_options,
    chosen_roles,
    may_ask,
    plan_words,
    planned,
    with_tasks,
    words_of,
)
from cli.study.runs import progress_words, reason_of
from cli.study.samples import table_of_run
from cli.study.task_files import InputOption, chosen_graphs, chosen_source
from core.errors import EdgewiseError
from core.people import Viewer
from core.runs.states import AT_WORK, ItemStatus, RunState, standing

if TYPE_CHECKING:
    from services.runs.settings import RunConfig
    from services.runs.views import RunProgress
    from services.triplets.trial_files import TrialFiles

app = typer.Typer()
LOOK_S = 2.0
OF_EXTRACTION = (
    "--consensus-runs and --consensus-threshold belong to the extraction of triplets from papers, which this protocol "
    "does not do. Leave them out."
)

ListOption = list[str] | None
TRIPLETS = "Signs of triplets"
EXTRACTION = "Triplets from papers"
QUESTIONS = "Question sets"
QUERIES = "Queries about graphs"
TEXTS = "Graphs from texts"
JUDGE = "Verdicts on graphs from texts"
"""What --help groups options under that belong to one benchmark."""


@app.command()
def run(
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
            help="Maximum samples per task and variant; default: all. CausalGraph2LLM: samples in all; default: 1,000."
        ),
    ] = None,
    input_dir: InputOption = None,
    *,
    output_dir: Annotated[
        Path | None, typer.Option(help="Folder for the run's files and tables when it has ended.")
    ] = None,
    collection: Annotated[
        ListOption,
        typer.Option(rich_help_panel=TRIPLETS, help="ID or title of a collection in the study; may be repeated."),
    ] = None,
    build: Annotated[
        bool,
        typer.Option(
            "--build", rich_help_panel=TRIPLETS, help="Build samples from triplets instead of reading task files."
        ),
    ] = False,
    per_stratum: Annotated[
        int | None, typer.Option(rich_help_panel=TRIPLETS, help="Built task 1: triplets per year and domain.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(rich_help_panel=TRIPLETS, help="Built tasks 2 and 3: minimum similarity (0-1).")
    ] = None,
    embedder: Annotated[
        str, typer.Option(rich_help_panel=TRIPLETS, help='Built tasks 2 and 3: "lexical" or ENDPOINT/MODEL.')
    ] = "",
    flip_rule: Annotated[
        str, typer.Option(rich_help_panel=TRIPLETS, help="Built task 3: example-sign or target-sign.")
    ] = "",
    graphs: Annotated[
        list[Path] | None, typer.Option(rich_help_panel=QUERIES, help="Graph file to ask about; may be repeated.")
    ] = None,
    paper_set: Annotated[
        bool,
        typer.Option(
            "--paper-set", rich_help_panel=QUERIES, help="Ask about the five graphs that CausalGraph2LLM counts."
        ),
    ] = False,
    kinds: Annotated[
        ListOption,
        typer.Option(
            rich_help_panel=QUERIES, help="Kinds of queries, as --tasks: source, mediator, ….", show_default=False
        ),
    ] = None,
    levels: Annotated[
        ListOption,
        typer.Option(
            rich_help_panel=QUERIES, help="Levels of queries, as --variants: graph, node, graph-unexplained, …."
        ),
    ] = None,
    encodings: Annotated[
        ListOption, typer.Option(rich_help_panel=QUERIES, help='Encodings of graphs, or "all": json, matrix, ….')
    ] = None,
    orders: Annotated[
        ListOption, typer.Option(rich_help_panel=QUERIES, help='Orders of edges, or "all": given, bfs, bfs-reversed.')
    ] = None,
    names: Annotated[
        ListOption, typer.Option(rich_help_panel=QUERIES, help='Names of variables, or "all": own, neutral, reversed.')
    ] = None,
    node_sampling: Annotated[
        str,
        typer.Option(
            rich_help_panel=QUERIES, help="Queries about one variable: all, balanced or released.", show_default=False
        ),
    ] = "",
    per_cell: Annotated[
        int | None,
        typer.Option(rich_help_panel=QUERIES, help="Samples per kind, level, graph, encoding, order and naming."),
    ] = None,
    release: Annotated[
        int | None, typer.Option(rich_help_panel=TEXTS, help="Number of the release whose figures are the samples.")
    ] = None,
    table: Annotated[
        str,
        typer.Option(
            rich_help_panel=TEXTS, help="A Parquet file of samples, imported if it is new, or ID or title of a table."
        ),
    ] = "",
    questions: Annotated[
        str,
        typer.Option(
            rich_help_panel=QUESTIONS,
            help="Number of a question set, or a file of questions, which is frozen if it is new.",
        ),
    ] = "",
    of: Annotated[
        ListOption,
        typer.Option(
            "--of", rich_help_panel=JUDGE, help="Numbers of finished runs whose answers are judged; may be repeated."
        ),
    ] = None,
    controls: Annotated[
        ListOption,
        typer.Option(rich_help_panel=JUDGE, help="Known-answer tests of the judges, copy, turned, …; may be repeated."),
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
    consensus_runs: Annotated[
        int | None, typer.Option(rich_help_panel=EXTRACTION, help="Extractions per paper.")
    ] = None,
    consensus_threshold: Annotated[
        int | None, typer.Option(rich_help_panel=EXTRACTION, help="Extractions that must agree.")
    ] = None,
    from_file: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            rich_help_panel=EXTRACTION,
            help="File that a step of another run wrote (step1_runs.jsonl … step4.jsonl), in "
            "place of this step; may be repeated.",
        ),
    ] = None,
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
        working = stack.enter_context(_worker_beside(models)) if is_work else None
        # Takes as long to load as what the worker loads now; before it, the two would wait for each other in turn.
        from services.runs.settings import BudgetSettings, RunConfig
        from services.runs.wanted import options_of

        has_consensus = "consensus_runs" in {each.name for each in options_of(protocol)}
        if not has_consensus and (consensus_runs is not None or consensus_threshold is not None):
            raise typer.BadParameter(OF_EXTRACTION, param_hint="--consensus-runs")
        if from_file and not takes_steps(protocol):
            raise typer.BadParameter("this protocol takes no files of steps.", param_hint="--from")
        viewer = stack.enter_context(opened_study(store))
        of_papers, of_abstracts = takes_papers(protocol), takes_abstracts(protocol)
        folder = None if of_papers or of_abstracts else input_dir
        source, tried = chosen_source(
            viewer, protocol, None if of_papers else collection, folder, build=build, is_dry=dry_run
        )
        plain, roles = chosen_roles(protocol, models, [*(role or []), *(helper or [])])
        asked, baselines = chosen_models(protocol, plain)
        chosen, tried_table = table_of_run(viewer, table, is_dry=dry_run) if table else ("", {})
        question_set, tried_set = questions_of_run(viewer, questions, is_dry=dry_run) if questions else ("", {})
        trial = {**tried, **tried_table, **tried_set}
        flags: dict[str, Any] = {
            "release": release,
            "table": chosen,
            "questions": question_set,
            "of": ",".join(words_of(of)),
            "controls": ",".join(words_of(controls)),
            "per_stratum": per_stratum,
            "threshold": threshold,
            "embedder": embedder,
            "flip_rule": flip_rule,
            "consensus_runs": consensus_runs,
            "consensus_threshold": consensus_threshold,
            "graphs": chosen_graphs(protocol, graphs or [], is_papers=paper_set),
            "encodings": ",".join(words_of(encodings)),
            "orders": ",".join(words_of(orders)),
            "names": ",".join(words_of(names)),
            "node_sampling": node_sampling,
            "per_cell": per_cell,
        }
        options = chosen_options(protocol, option or [], flags)
        if of_papers:
            options = with_papers(viewer, options, input_dir, is_dry=dry_run)
        if from_file:
            options, steps = with_step_files(options, from_file)
            roles = needed_roles(protocol, options, roles, are_named=bool(models or role))
            trial |= steps
        if of_abstracts:
            options = with_abstracts(viewer, options, input_dir, is_dry=dry_run)
        wanted = RunConfig(
            title=title or f"{protocol} from the command line",
            source=source,
            tasks=(),
            variants=(*words_of(variants), *words_of(levels)),
            protocol=protocol,
            models=asked,
            baselines=baselines,
            repeats=repeat,
            seed=seed,
            most_samples=samples,
            parameters=parameters_from(parameter),
            prompts_folder=str(prompts or ""),
            options=options,
            roles=roles,
            budget=BudgetSettings(budget, budget_tokens, budget_requests),
        )
        wanted = with_tasks(viewer, wanted, (*words_of(tasks), *words_of(kinds)), trial)
        plan = planned(viewer, wanted, trial)
        if dry_run:
            say(asdict(plan), plan_words(plan), as_json)
            raise typer.Exit(1 if plan.faults else 0)
        if not as_json:
            print(plan_words(plan), file=sys.stderr)
        collect_as = (collection or [""])[0] if of_papers else ""
        _run(viewer, wanted, trial, working, place, output_dir, as_json, collect_as)


@app.command()
def worker(
    once: Annotated[bool, typer.Option("--once", help="End when no run is left.")] = False,
    store: StoreOption = None,
) -> None:
    """Work on the runs of a study until stopped; `serve` starts a worker automatically."""
    place = _checked_place(store)
    from runs.__main__ import main  # in this process, so that whatever ends it ends the requests

    raise typer.Exit(main(["--store", place, *(["--once"] if once else [])]))


def _checked_place(store: str | None) -> str:
    with errors():
        place = place_of(store)
        check_place(place)
    return place


# --- working -----------------------------------------------------------------------------------------------------


def _run(
    viewer: Viewer,
    wanted: RunConfig,
    trial: TrialFiles,
    working: Popen[bytes] | None,
    place: str,
    output: Path | None,
    as_json: bool,
    collect_as: str,
) -> None:
    """Write the run down and, with a worker that waits for it, work on it. `collect_as`: the title of the collection
    that is made of what it extracted, "" for none; `trial`: files whose content the run keeps."""
    from services.runs import planning, reading
    from services.runs.steps import lists as steps

    run_id = planning.start(viewer, wanted, trial, act_id=new_id()).subject_id
    if working is not None:
        _tell(working, place)
        if output is not None:
            _load_what_writes()  # while the models answer
        _work(viewer, run_id, working)
    now = reading.progress(viewer, run_id)
    of_papers = takes_papers(wanted.protocol)
    if output is not None and (now.state is RunState.DONE or (of_papers and working is not None)):
        _write(viewer, now, output)
        if of_papers:
            write_steps(viewer, run_id, output)
        if takes_abstracts(wanted.protocol):
            write_made(viewer, run_id, output)
    data = asdict(now)
    if now.has_steps:
        data["steps"] = [asdict(each) for each in steps.steps(viewer, run_id)]
    if of_papers:
        data["collection"] = collected(viewer, run_id, collect_as) if now.state is RunState.DONE else None
    say(data, progress_words(now), as_json)
    is_whole = (now.state is RunState.DONE or waits_for_people(now)) and not now.by_status[ItemStatus.FAILED]
    raise typer.Exit(0 if working is None or is_whole else 1)


@contextmanager
def _worker_beside(models: ListOption) -> Iterator[Popen[bytes]]:
    """A worker that loads what it needs while the run is planned, and opens the study when it is told to. It ends with
    its input, and so with this process; SIGTERM is obeyed here as Ctrl+C is."""
    process = ahead.worker()
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


def _load_what_writes() -> None:
    from services.runs import results
    from services.runs.exports import files, result_files

    assert files and result_files and results


def _work(viewer: Viewer, run_id: str, process: Popen[bytes]) -> None:
    """Work here until the run rests; if another worker is at it already, watch."""
    from services.runs import reading

    ended = Event()
    Thread(target=_tell_of_its_end, args=(process, ended), daemon=True).start()
    shown, waited_for = "", ""
    try:
        while True:
            now = reading.progress(viewer, run_id)
            shown = _show(now, shown)
            waited_for = _say_what_it_waits_for(now, waited_for)
            if now.state not in AT_WORK or now.is_held:
                break
            if process.poll() is not None and not now.has_worker:
                raise EdgewiseError(
                    f"The worker has ended; run {now.number} is waiting. Continue with: edgewise.py worker --once"
                )
            _look_again(process, ended)
    except KeyboardInterrupt:
        print("Waiting for replies in flight; continue later with: edgewise.py worker --once", file=sys.stderr)
        _end_input(process)  # in a terminal Ctrl+C reached it already
    process.wait()


def waits_for_people(now: RunProgress) -> bool:
    """Whether all that models are asked is asked, and people decide next."""
    return now.state is RunState.WAITING and now.reason.startswith("for people")


def _tell_of_its_end(process: Popen[bytes], ended: Event) -> None:
    """At once: `Popen.wait` with a timeout looks only now and then."""
    process.wait()
    ended.set()


def _look_again(process: Popen[bytes], ended: Event) -> None:
    """After a while, or as soon as the worker ends: then the run is done."""
    if process.poll() is not None:
        time.sleep(LOOK_S)
    else:
        ended.wait(LOOK_S)


def _show(now: RunProgress, shown: str) -> str:
    words = f"{standing(now.by_status)}, {now.rate_per_s:.1f} per s"
    if words != shown and sys.stderr.isatty():
        print(f"\r{words}  ", end="" if now.state in AT_WORK else "\n", file=sys.stderr)
    return words


def _say_what_it_waits_for(now: RunProgress, before: str) -> str:
    """Once for every server that is lost, and once when all are back."""
    reason = reason_of(now) if now.hindrances else ""
    if reason and reason != before:
        comes_back = any(not each.is_model for each in now.hindrances)
        rest = " It is tried again automatically; Ctrl+C leaves it waiting." if comes_back else " The others continue."
        print(f"Run {now.number}: {reason.rstrip('.')}.{rest}", file=sys.stderr)
    elif before and not reason and now.state is RunState.RUNNING:
        print(f"Run {now.number} continues.", file=sys.stderr)
    return reason


def _write(viewer: Viewer, now: RunProgress, folder: Path) -> None:
    """The run's files and every table that its items can fill."""
    from services.files import TableForm
    from services.runs import results
    from services.runs.exports import files, result_files

    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / files.export_name(viewer, now.run_id)) as file:
        files.export_run(viewer, now.run_id, file)
    for preset in results.presets_of(viewer, [now.run_id]):
        for form in (TableForm.CSV, TableForm.LATEX):
            table = result_files.export(viewer, [now.run_id], preset.key, form)
            write_whole(folder / table.name, table.content)
    print(f"Wrote the run and its tables to {folder}.", file=sys.stderr)
