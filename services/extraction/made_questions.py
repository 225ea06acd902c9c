"""What a run of Lee et al.'s pipeline made: its relations, entities, codes and questions, for screens and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import May, Receipt, Viewer
from core.questions.plain import question_of
from core.questions.questions import Question
from core.questions.relation import Relation
from core.steps import GroupState, StepKind
from core.words import quoted
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.making import relations_of
from protocols.lee_pipeline.summary import CorpusCounts, corpus_counts
from protocols.lee_pipeline.tasks import (
    ABSTRACTS,
    CONSENSUS,
    ENTITIES,
    FILTER,
    JEL,
    NAME,
    QUESTIONS,
    SHORT_TITLE,
    SPLIT,
)
from protocols.making import Inputs, Value
from runs.steps.stepped_run import stepped_run
from services.acting import consulting
from services.runs.reading import find_run
from services.runs.steps.ruling import rule, take_back
from store.runs import groups
from store.runs.groups import KeptValue
from store.tables.runs import RunRow

DECIDED_IN = SPLIT
"""The step in which people split entities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    """An entity of several phrases. `phrases`: each with the papers that have it; `least`: the least cosine of two of
    them, None where they are too many to compare; `is_chain`: two are less alike than the threshold; `parts`: what
    people split it into, None where they did not. `made`, `version`: of its value; `is_waiting`: people are to decide
    on it; `is_decided`: they have; `can_undo`: and no later step has used it yet."""

    name: str
    phrases: tuple[tuple[str, tuple[str, ...]], ...]
    least: float | None
    is_chain: bool
    parts: tuple[tuple[str, ...], ...] | None = None
    made: str = ""
    version: int = 0
    is_waiting: bool = False
    is_decided: bool = False
    can_undo: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeQuestions:
    """`questions`: each with `is_easy` once the filter has run; `waiting`: ids of those that not every small model
    answered; `is_filtered`: the filter has run. By paper `abstracts`, what was read, and `consensus`, what extractions
    agree on (JSON); `variables`: the code of each phrase (JSON). `made_ids`: by paper, the id of its consensus."""

    run: int
    run_id: str
    papers: int
    abstracts: Mapping[str, SourceAbstract]
    consensus: Mapping[str, Mapping[str, Any]]
    relations: tuple[Relation, ...]
    entities: tuple[EntityLine, ...]
    variables: tuple[Mapping[str, Any], ...]
    questions: tuple[Question, ...]
    waiting: frozenset[str]
    is_filtered: bool
    contradicted: tuple[tuple[str, str], ...]
    without_false: int
    pairs: Mapping[str, int]
    made_ids: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> CorpusCounts:
        return corpus_counts(self.papers, list(self.consensus.values()), self.relations)


def made_questions(viewer: Viewer, run_id: str) -> MadeQuestions:
    """What a run has made so far; `run_id` may be its number. Raises Missing if there is none, Refused for a run of
    another protocol."""
    with consulting(viewer, May.RUN) as r:
        return made_in(r.session, pipeline_run(r.session, run_id))


def makes_questions(protocol: str) -> bool:
    """Whether runs of this protocol make questions from abstracts."""
    return protocol == NAME


def split_entity(viewer: Viewer, entity: EntityLine, taken_out: Sequence[str], why: str, *, act_id: str) -> Receipt:
    """Say that some phrases are another entity than the others, or that all are one where none is named. The run goes
    on with that. Raises BadInput for phrases that are not in it or are all of it, and as `rule`."""
    phrases = [phrase for phrase, _ in entity.phrases]
    out = [phrase for phrase in phrases if phrase in set(taken_out)]
    if len(out) < len(set(taken_out)) or len(out) == len(phrases):
        raise BadInput(f"Choose some of the {len(phrases)} phrases of this entity, and not all of them.")
    value: dict[str, Any] = {
        "entity": entity.name,
        "phrases": [{"phrase": phrase, "papers": list(papers)} for phrase, papers in entity.phrases],
        "least": entity.least,
    }
    if out:
        value["parts"] = [[phrase for phrase in phrases if phrase not in out], out]
    return rule(viewer, entity.made, value, why, seen=entity.version, act_id=act_id)


def undo_split(viewer: Viewer, entity: EntityLine, *, act_id: str) -> Receipt:
    """Undo a decision on an entity that no later step has used yet: it waits for people again. Raises as
    `ruling.take_back`."""
    return take_back(viewer, entity.made, seen=entity.version, act_id=act_id)


def pipeline_run(session: Session, run_id: str) -> RunRow:
    """Raises as `made_questions`."""
    row = find_run(session, run_id)
    if row.protocol != NAME:
        raise Refused(f"Run {row.number} follows {quoted(row.protocol)}; only runs of {SHORT_TITLE} make questions.")
    return row


def made_in(session: Session, row: RunRow) -> MadeQuestions:
    run = stepped_run(session, row.id)
    assert run is not None, "the pipeline has several steps"
    names = [step.name for step in run.steps if step.kind in (StepKind.MAKE, StepKind.DECIDE)]
    there = groups.of_steps(session, row.id, names)
    kept = groups.values(session, [each.group.id for each in there])
    found: dict[str, list[KeptValue]] = {name: [] for name in names}
    deciding = [each.group.id for each in there if each.group.state is GroupState.DECIDING]
    open_ids = {value.id for each in deciding for value in kept.get(each, ())}
    for each in there:
        found[each.group.step] += kept.get(each.group.id, ())
    last = SPLIT if found.get(SPLIT) else ENTITIES
    ruled = {name: [_as_value(each) for each in values] for name, values in found.items()}
    sources = {name: tuple(values) for name, values in _given(session, row).items()}
    inputs = Inputs(
        "",
        {
            CONSENSUS: tuple(ruled[CONSENSUS]),
            last: tuple(ruled[last]),
            JEL: tuple(ruled.get(JEL, ())),
            **sources,
        },
    )
    filtered = found.get(FILTER) or []
    said = filtered[0].value if filtered else {"easy": [], "waiting": []}
    easy, waiting = set(said["easy"]), frozenset(said["waiting"])
    blocks = sorted(found[QUESTIONS], key=lambda each: each.key)
    plain = [each for block in blocks for each in block.value["questions"]]
    about: Mapping[str, Any] = blocks[0].value["about"] if blocks else {}
    return MadeQuestions(
        run=row.number,
        run_id=row.id,
        papers=len(sources[ABSTRACTS]),
        abstracts={each.key: SourceAbstract.from_json(each.value) for each in sources[ABSTRACTS]},
        consensus={each.key: each.value for each in ruled[CONSENSUS]},
        relations=tuple(relations_of(inputs)),
        entities=tuple(
            sorted(
                (_entity(each, is_asked=last == SPLIT, is_open=each.id in open_ids) for each in found[last]),
                key=lambda each: -len(each.phrases),
            )
        ),
        variables=tuple(row for each in ruled.get(JEL, ()) for row in each.value["variables"]),
        questions=tuple(
            replace(question_of(each), is_easy=None if not filtered or each["id"] in waiting else each["id"] in easy)
            for each in plain
        ),
        waiting=waiting,
        is_filtered=bool(filtered),
        contradicted=tuple((pair[0], pair[1]) for pair in about.get("contradicted", ())),
        without_false=int(about.get("without_false", 0)),
        pairs=about.get("pairs", {}),
        made_ids={each.key: each.id for each in found[CONSENSUS]},
    )


def _as_value(kept: KeptValue) -> Value:
    value = kept.value if kept.ruling is None or kept.ruling.get("left_out") else kept.ruling["value"]
    return Value(key=kept.key, value=value, hash=kept.hash, flags=kept.flags)


def _entity(kept: KeptValue, *, is_asked: bool, is_open: bool) -> EntityLine:
    """`is_asked`: of the step in which people decide; `is_open`: they still can."""
    value = _as_value(kept).value
    parts = value.get("parts")
    return EntityLine(
        name=kept.value["entity"],
        phrases=tuple((each["phrase"], tuple(each["papers"])) for each in kept.value["phrases"]),
        least=kept.value["least"],
        is_chain=bool(kept.flags),
        parts=None if parts is None else tuple(tuple(part) for part in parts),
        made=kept.id,
        version=kept.version,
        is_waiting=is_asked and kept.ruling is None and bool(kept.flags),
        is_decided=is_asked and kept.ruling is not None,
        can_undo=is_open and kept.ruling is not None,
    )


def _given(session: Session, row: RunRow) -> dict[str, Sequence[Value]]:
    """What the run's source gave: a group a paper."""
    there = groups.of_steps(session, row.id, [ABSTRACTS])
    kept = groups.values(session, [each.group.id for each in there])
    return {ABSTRACTS: [_as_value(value) for each in there for value in kept.get(each.group.id, ())]}
