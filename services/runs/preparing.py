"""A run all but written: its samples, prompts, messages and models, with everything that is wrong about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import BadInput, Missing, Refused
from core.messages import Messages, MessageSize
from core.runs.by_people import PEOPLE
from core.words import counted, quoted
from prompts.loader import Prompt, load
from protocols import PROTOCOLS
from protocols.asked import pairs_of
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol
from protocols.samples import Samples
from protocols.spaces import Space
from protocols.steps import asks_roles_only, has_groups, steps_of
from services.acting import TERMINAL, Reading
from services.runs import models as run_models
from services.runs.acts import checked_title
from services.runs.benchmarks import SourceFile, get_sources
from services.runs.deviations import RoleCards, deviations_of
from services.runs.endpoints import require_no_key
from services.runs.models import PlannedRequests
from services.runs.prompts import as_text
from services.runs.rendering import RenderedMessages, rendered
from services.runs.samples import Drawing, draw, read_sources
from services.runs.settings import DeviationLine, LeftOutRow, RunConfig, checked_budget
from services.runs.steps.roles import kind_faults, role_faults
from services.runs.wanted import kept as kept_settings
from services.runs.wanted import option_faults, without_faulty_options
from services.triplets.trial_files import NO_FILES, TrialFiles
from store.runs.permissions import refusal

MOST_REPEATS, LARGEST_SEED = 100, 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A run, all but written. `messages` name their texts by hash, and `sizes` say how long they are: the texts of many
    long papers are never held together. `messages_hash`: of what they say. `folder`: of drop-in prompts; `sources`:
    title of what samples were made of, such as a file → its hash; `role_cards`: role → card → its snapshot, with the
    parameters of the role; `files`: what messages name, for the study to keep."""

    wanted: RunConfig
    protocol: BenchmarkProtocol
    drawing: Drawing
    prompts: Mapping[str, Prompt]
    messages: tuple[Messages, ...]
    sizes: tuple[MessageSize, ...]
    messages_hash: str
    models: tuple[PlannedRequests, ...]
    deviations: tuple[DeviationLine, ...]
    faults: tuple[str, ...]
    folder: Path | None
    sources: Mapping[str, str]
    role_cards: RoleCards = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()

    @property
    def drawn(self) -> Samples:
        return self.drawing.samples

    @property
    def given(self) -> Mapping[str, Sequence[Value]]:
        """What a worker makes the samples of, by the name of the source; nothing where they are known."""
        return self.drawing.given

    @property
    def space(self) -> Space | None:
        """Of a run whose samples are numbered, for which `drawn` stands."""
        return self.drawing.space

    @property
    def samples(self) -> int:
        """How many the run has."""
        return len(self.drawn.samples) if self.space is None else self.space.samples

    @property
    def is_in_steps(self) -> bool:
        """Its worker makes the samples, group by group."""
        return has_groups(self.drawing.steps)

    @property
    def left_out(self) -> tuple[LeftOutRow, ...]:
        """Rows that are no sample, and samples that do not fit into a model's context."""
        too_long = (
            LeftOutRow(sample.task, sample.variant, sample.key, why)
            for model in self.models
            for (place, repeat), why in model.too_long.items()
            if not repeat
            for sample in [self.drawn.samples[place]]
        )
        unmade = (LeftOutRow(each.task, each.variant, each.key, each.reason) for each in self.drawn.excluded)
        return (*unmade, *too_long)


def prepare(r: Reading, wanted: RunConfig, trial: TrialFiles = NO_FILES) -> Prepared:
    """Everything that a run is made of; what is wrong is collected, not raised. `trial`: files of a dry run.

    Only a key is refused at once (BadInput): what is wrong is shown beside what was wanted.
    """
    require_no_key(repr(wanted))
    faults: list[str] = []

    protocol = PROTOCOLS.get(wanted.protocol)
    if protocol is None:
        faults.append(f"Unknown protocol {quoted(wanted.protocol)}; choose from {', '.join(PROTOCOLS)}.")
        protocol = next(iter(PROTOCOLS.values()))
    faults += _faulty_settings(protocol, wanted)
    drawing, prompts = Drawing(samples=Samples(())), dict[str, Prompt]()
    said = RenderedMessages()
    models: tuple[PlannedRequests, ...] = ()
    folder: Path | None = None
    sources: dict[str, str] = {}
    role_cards: RoleCards = {}
    files: tuple[SourceFile, ...] = ()
    try:
        sound = without_faulty_options(wanted)
        read = read_sources(r, protocol, sound, trial)
        sources = {title: key for each in read.values() for title, key in each.hashes.items()}
        files = tuple(file for each in read.values() for file in each.files)
        folder = prompts_folder(r, wanted.prompts_folder)
        prompts = _prompts(protocol, wanted, folder)
        drawing = draw(r, protocol, sound, read)
        if drawing.space is not None:
            faults += _of_all(protocol, wanted)
        texts = drawing.space.texts if drawing.space is not None else ()
        said = rendered(r.session, protocol, drawing.samples.samples, prompts, texts)
        is_known = not drawing.is_bound
        kept = run_models.snapshots(r.session, protocol, wanted, drawing.samples.samples if is_known else ())
        role_cards = _role_cards(r, protocol, wanted, faults)
        named = {name: said for cards in role_cards.values() for name, said in cards.items()}
        faults += filter(None, [refusal(r.session, permissions_of(protocol), {**kept, **named})])
        models = tuple(
            run_models.asked(name, kept[name], said.messages, said.sizes, wanted.repeats, must_fit=is_known)
            for name in kept
        )
    except (BadInput, Missing, Refused) as error:
        faults.append(str(error))
    may_ask_later = not drawing.is_whole and not drawing.is_bound and any(drawing.given.values())
    if not faults and not may_ask_later:
        faults += _empty(protocol, drawing.samples)
    deviations = deviations_of(protocol, wanted, prompts, models, role_cards)
    return Prepared(
        wanted=wanted,
        protocol=protocol,
        drawing=drawing,
        prompts=prompts,
        messages=said.messages,
        sizes=said.sizes,
        messages_hash=said.hash,
        models=models,
        deviations=deviations,
        faults=tuple(faults),
        folder=folder,
        sources=sources,
        role_cards=role_cards,
        files=files,
    )


def permissions_of(protocol: BenchmarkProtocol) -> list[str]:
    """Keys of the settings that must name the models of its runs."""
    return [source.permission for source in get_sources(protocol).values() if source.permission]


def _role_cards(r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, faults: list[str]) -> RoleCards:
    """Snapshots of the cards of roles; those of a kind that a role does not take are added to the faults."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, cards in wanted.roles.items():
        named = tuple(dict.fromkeys(cards))
        cards_of = tuple(card for card in named if card not in protocol.baselines)
        baselines = tuple(card for card in named if card in protocol.baselines)
        asked = replace(wanted, models=cards_of, baselines=baselines)
        found[name] = run_models.snapshots(r.session, protocol, asked, (), protocol.roles.get(name))
        if name in protocol.roles:
            faults += kind_faults(protocol.roles[name], {card: found[name][card]["kind"] for card in cards})
    return found


def _faulty_settings(protocol: BenchmarkProtocol, wanted: RunConfig) -> list[str]:
    """What is wrong with what was typed."""
    sources = get_sources(protocol).values()
    found = [fault for source in sources if source.fault and (fault := source.fault(wanted))]
    if not wanted.tasks or not wanted.variants:
        found.append("No task and variant are chosen.")
    asks_people = bool(wanted.options.get(PEOPLE))
    if not wanted.models and not wanted.baselines and not asks_people and not asks_roles_only(protocol):
        found.append("Neither a model nor a baseline is chosen.")
    for name, value, low, high in (
        ("Repeats", wanted.repeats, 1, MOST_REPEATS),
        ("Random seed", wanted.seed, 0, LARGEST_SEED),
        ("Maximum samples", wanted.most_samples, 1, 1_000_000),
    ):
        if value is not None and not low <= value <= high:
            found.append(f"{name}: found {value}; expected {low:,} to {high:,}.")
    found += option_faults(wanted).values()
    found += role_faults(protocol, wanted.roles, _idle_roles(protocol, wanted))
    try:
        checked_budget(wanted.budget)
        checked_title(wanted.title)
    except BadInput as error:
        found.append(str(error))
    return found


def _idle_roles(protocol: BenchmarkProtocol, wanted: RunConfig) -> set[str]:
    """Roles that steps of the protocol ask, but none of this run."""
    try:
        steps = steps_of(protocol, kept_settings(without_faulty_options(wanted)))
    except BadInput:  # stands among the faults
        return set()
    return {step.role for step in steps_of(protocol, protocol.defaults)} - {step.role for step in steps}


def _empty(protocol: BenchmarkProtocol, drawn: Samples) -> list[str]:
    if drawn.samples:
        return []
    why = f" {counted(len(drawn.excluded), 'row')} left out." if drawn.excluded else ""
    held = " and ".join(source.words for source in get_sources(protocol).values())
    return [f"No sample of the chosen tasks can be made from the chosen {held}.{why}"]


def _of_all(protocol: BenchmarkProtocol, wanted: RunConfig) -> list[str]:
    """Baselines that look at all samples of a run, of which nobody holds all."""
    return [
        f"The baseline {name} needs all samples at the start, but this run makes them as it goes on. Turn it off."
        for name in wanted.baselines
        if name in protocol.baselines and protocol.baselines[name].of_all is not None
    ]


def _prompts(protocol: BenchmarkProtocol, wanted: RunConfig, folder: Path | None) -> dict[str, Prompt]:
    """The prompts of the wanted variants, each looked at whether it says what its variant is about."""
    found: dict[str, Prompt] = {}
    for task, variant in pairs_of(protocol.title, protocol.tasks, kept_settings(wanted)):
        for name in protocol.prompt_names(task, variant):
            if name not in found:
                also = protocol.released_names.get(name, ())
                found[name] = load(name, placeholders=protocol.placeholders, folder=folder, also=also)
                require_no_key(as_text(found[name]), what=f"The prompt {name}")
            protocol.check_prompt(task, variant, found[name])
    return found


def prompts_folder(r: Reading, name: str) -> Path | None:
    """The folder of drop-in prompts: any for the terminal and on one's own computer, else one in the study's home.

    Raises Refused for another one: who only has a browser shall not read files of the server.
    """
    if not name:
        return None
    if r.viewer.session_id == TERMINAL or r.viewer.is_local:
        return Path(name).expanduser().resolve()
    home = r.study.cache.parent / "prompts"
    if Path(name).name != name or name in (".", ".."):
        raise Refused("On a server, name a folder that its operator has put into prompts/ of EDGEWISE_HOME.")
    return home / name
