"""Preparation of a run: samples, prompts, messages, models and all faults, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import BadInput, Missing, Refused
from core.messages import Messages, MessageSize
from core.runs.human_answers import PEOPLE
from core.words import counted, quoted
from prompts.loader import Prompt, load
from protocols import PROTOCOLS
from protocols.numbered_samples import Space
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Samples
from protocols.step_values import Value
from protocols.steps import asks_roles_only, has_groups, steps_of
from protocols.task_variants import pairs_of
from services.acting import TERMINAL, ReadContext
from services.runs import models as run_models
from services.runs.acts import checked_title
from services.runs.benchmarks import SourceFile, get_sources
from services.runs.deviations import RoleCards, deviations_of
from services.runs.endpoints import require_no_key
from services.runs.models import PlannedRequests
from services.runs.prompts import as_text
from services.runs.rendering import RenderedMessages, rendered
from services.runs.run_settings import option_faults, without_faulty_options
from services.runs.run_settings import settings_json as kept_settings
from services.runs.samples import SampleDraw, draw, read_sources
from services.runs.settings import DeviationLine, LeftOutRow, RunConfig, checked_budget
from services.runs.steps.roles import kind_faults, role_faults
from services.triplets.trial_files import NO_FILES, TrialFiles
from store.runs.permissions import refusal

MOST_REPEATS, LARGEST_SEED = 100, 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A run before it is written. Messages refer to texts by hash, so that texts of many long papers are not in
    memory together."""

    wanted: RunConfig
    protocol: BenchmarkProtocol
    drawing: SampleDraw
    prompts: Mapping[str, Prompt]
    messages: tuple[Messages, ...]
    sizes: tuple[MessageSize, ...]
    messages_hash: str  # of the texts
    models: tuple[PlannedRequests, ...]
    deviations: tuple[DeviationLine, ...]
    faults: tuple[str, ...]
    folder: Path | None  # of drop-in prompts
    sources: Mapping[str, str]  # title of an input, such as a file → its hash
    role_cards: RoleCards = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()  # files in messages, to be stored

    @property
    def drawn(self) -> Samples:
        return self.drawing.samples

    @property
    def given(self) -> Mapping[str, Sequence[Value]]:
        """Inputs from which a worker makes the samples, by source; empty if samples are known."""
        return self.drawing.given

    @property
    def space(self) -> Space | None:
        """The numbered samples, if the run has these; `drawn` is then a sample of them."""
        return self.drawing.space

    @property
    def samples(self) -> int:
        return len(self.drawn.samples) if self.space is None else self.space.samples

    @property
    def is_in_steps(self) -> bool:
        return has_groups(self.drawing.steps)

    @property
    def left_out(self) -> tuple[LeftOutRow, ...]:
        """Rows that are no sample, and samples that exceed a model's context."""
        too_long = (
            LeftOutRow(sample.task, sample.variant, sample.key, why)
            for model in self.models
            for (place, repeat), why in model.too_long.items()
            if not repeat
            for sample in [self.drawn.samples[place]]
        )
        unmade = (LeftOutRow(each.task, each.variant, each.key, each.reason) for each in self.drawn.excluded)
        return (*unmade, *too_long)


def prepare(r: ReadContext, config: RunConfig, trial: TrialFiles = NO_FILES) -> Prepared:
    """Prepare a run. Faults are collected, not raised, to be shown next to the input. `trial`: files of a dry run. Only
    a key in the input raises BadInput."""
    require_no_key(repr(config))
    faults: list[str] = []

    protocol = PROTOCOLS.get(config.protocol)
    if protocol is None:
        faults.append(f"Unknown protocol {quoted(config.protocol)}; choose from {', '.join(PROTOCOLS)}.")
        protocol = next(iter(PROTOCOLS.values()))
    faults += _faulty_settings(protocol, config)
    drawing, prompts = SampleDraw(samples=Samples(())), dict[str, Prompt]()
    messages = RenderedMessages()
    models: tuple[PlannedRequests, ...] = ()
    folder: Path | None = None
    sources: dict[str, str] = {}
    role_cards: RoleCards = {}
    files: tuple[SourceFile, ...] = ()
    try:
        sound = without_faulty_options(config)
        read = read_sources(r, protocol, sound, trial)
        sources = {title: key for each in read.values() for title, key in each.hashes.items()}
        files = tuple(file for each in read.values() for file in each.files)
        folder = prompts_folder(r, config.prompts_folder)
        prompts = _prompts(protocol, config, folder)
        drawing = draw(r, protocol, sound, read)
        if drawing.space is not None:
            faults += [
                f"The baseline {name} needs all samples at the start, but this run makes them as it goes on. "
                "Turn it off."
                for name in config.baselines
                if name in protocol.baselines and protocol.baselines[name].of_all is not None
            ]
        texts = drawing.space.texts if drawing.space is not None else ()
        messages = rendered(r.session, protocol, drawing.samples.samples, prompts, texts)
        is_known = not drawing.is_bound
        snapshots = run_models.snapshots(r.session, protocol, config, drawing.samples.samples if is_known else ())
        role_cards = _role_cards(r, protocol, config, faults)
        named = {name: messages for cards in role_cards.values() for name, messages in cards.items()}
        faults += filter(None, [refusal(r.session, permissions_of(protocol), {**snapshots, **named})])
        models = tuple(
            run_models.plan_requests(
                name, snapshots[name], messages.messages, messages.sizes, config.repeats, must_fit=is_known
            )
            for name in snapshots
        )
    except (BadInput, Missing, Refused) as error:
        faults.append(str(error))
    may_ask_later = not drawing.is_whole and not drawing.is_bound and any(drawing.given.values())
    if not faults and not may_ask_later:
        drawn = drawing.samples
        if not drawn.samples:
            why = f" {counted(len(drawn.excluded), 'row')} left out." if drawn.excluded else ""
            words = " and ".join(source.words for source in get_sources(protocol).values())
            faults.append(f"No sample of the chosen tasks can be made from the chosen {words}.{why}")
    deviations = deviations_of(protocol, config, prompts, models, role_cards)
    return Prepared(
        wanted=config,
        protocol=protocol,
        drawing=drawing,
        prompts=prompts,
        messages=messages.messages,
        sizes=messages.sizes,
        messages_hash=messages.hash,
        models=models,
        deviations=deviations,
        faults=tuple(faults),
        folder=folder,
        sources=sources,
        role_cards=role_cards,
        files=files,
    )


def permissions_of(protocol: BenchmarkProtocol) -> list[str]:
    """Return the keys of the settings that must name the models of its runs."""
    return [source.permission for source in get_sources(protocol).values() if source.permission]


def _role_cards(r: ReadContext, protocol: BenchmarkProtocol, config: RunConfig, faults: list[str]) -> RoleCards:
    """Return the snapshots of role cards. Cards of a kind that a role does not accept are added to the faults."""
    snapshots: dict[str, dict[str, dict[str, Any]]] = {}
    for name, cards in config.roles.items():
        named = tuple(dict.fromkeys(cards))
        cards_of = tuple(card for card in named if card not in protocol.baselines)
        baselines = tuple(card for card in named if card in protocol.baselines)
        role_config = replace(config, models=cards_of, baselines=baselines)
        snapshots[name] = run_models.snapshots(r.session, protocol, role_config, (), protocol.roles.get(name))
        if name in protocol.roles:
            faults += kind_faults(protocol.roles[name], {card: snapshots[name][card]["kind"] for card in cards})
    return snapshots


def _faulty_settings(protocol: BenchmarkProtocol, config: RunConfig) -> list[str]:
    sources = get_sources(protocol).values()
    faults = [fault for source in sources if source.fault and (fault := source.fault(config))]
    if not config.tasks or not config.variants:
        faults.append("No task and variant are chosen.")
    asks_people = bool(config.options.get(PEOPLE))
    if not config.models and not config.baselines and not asks_people and not asks_roles_only(protocol):
        faults.append("Neither a model nor a baseline is chosen.")
    for name, value, low, high in (
        ("Repeats", config.repeats, 1, MOST_REPEATS),
        ("Random seed", config.seed, 0, LARGEST_SEED),
        ("Maximum samples", config.most_samples, 1, 1_000_000),
    ):
        if value is not None and not low <= value <= high:
            faults.append(f"{name}: found {value}; expected {low:,} to {high:,}.")
    faults += option_faults(config).values()
    faults += role_faults(protocol, config.roles, _idle_roles(protocol, config))
    try:
        checked_budget(config.budget)
        checked_title(config.title)
    except BadInput as error:
        faults.append(str(error))
    return faults


def _idle_roles(protocol: BenchmarkProtocol, config: RunConfig) -> set[str]:
    """Return the roles that steps of the protocol ask, but none of this run."""
    try:
        steps = steps_of(protocol, kept_settings(without_faulty_options(config)))
    except BadInput:  # named by option_faults
        return set()
    return {step.role for step in steps_of(protocol, protocol.defaults)} - {step.role for step in steps}


def _prompts(protocol: BenchmarkProtocol, config: RunConfig, folder: Path | None) -> dict[str, Prompt]:
    """Load the prompts of the chosen variants, each checked against its variant."""
    prompts: dict[str, Prompt] = {}
    for task, variant in pairs_of(protocol.title, protocol.tasks, kept_settings(config)):
        for name in protocol.prompt_names(task, variant):
            if name not in prompts:
                also = protocol.released_names.get(name, ())
                prompts[name] = load(name, placeholders=protocol.placeholders, folder=folder, also=also)
                require_no_key(as_text(prompts[name]), what=f"The prompt {name}")
            protocol.check_prompt(task, variant, prompts[name])
    return prompts


def prompts_folder(r: ReadContext, name: str) -> Path | None:
    """Return the folder of drop-in prompts. Any folder for the terminal and on the user's computer, otherwise one in
    the study's home: raises Refused for others, since a remote user must not read files of the server."""
    if not name:
        return None
    if r.viewer.session_id == TERMINAL or r.viewer.is_local:
        return Path(name).expanduser().resolve()
    home = r.study.cache.parent / "prompts"
    if Path(name).name != name or name in (".", ".."):
        raise Refused("On a server, name a folder that its operator has put into prompts/ of EDGEWISE_HOME.")
    return home / name
