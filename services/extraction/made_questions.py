"""Results of a run of Lee et al.'s pipeline: relations, entities, codes and questions, for screens and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.people import Permission, Receipt, Viewer
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
from protocols.step_values import Inputs, Value
from runs.steps.stepped_run import stepped_run
from services.acting import consulting
from services.runs.reading import find_run
from services.runs.run_settings import protocol_title
from services.runs.steps.ruling import rule, undo
from store.runs import groups
from store.runs.groups import StoredValue
from store.tables.runs import RunRow

DECIDED_IN = SPLIT  # step in which people split entities


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    name: str
    phrases: tuple[tuple[str, tuple[str, ...]], ...]  # each with the papers that have it
    least: float | None  # smallest cosine of two phrases, None where they are too many to compare
    is_chain: bool  # two phrases are less similar than the threshold
    parts: tuple[tuple[str, ...], ...] | None = None  # as split by people, None if they did not
    made: str = ""  # id of its value, with `version`
    version: int = 0
    is_waiting: bool = False  # for a decision
    is_decided: bool = False
    can_undo: bool = False  # no later step has used the decision yet


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsOfRun:
    """Everything that a run has made so far."""

    run: int
    run_id: str
    papers: int
    abstracts: Mapping[str, SourceAbstract]  # by paper
    consensus: Mapping[str, Mapping[str, Any]]  # by paper, what the extractions agree on (JSON)
    relations: tuple[Relation, ...]
    entities: tuple[EntityLine, ...]
    variables: tuple[Mapping[str, Any], ...]  # code of each phrase (JSON)
    questions: tuple[Question, ...]  # with `is_easy` once the filter has run
    waiting: frozenset[str]  # ids of those not answered by every small model
    is_filtered: bool
    contradicted: tuple[tuple[str, str], ...]
    without_false: int
    pairs: Mapping[str, int]
    made_ids: Mapping[str, str] = field(default_factory=dict)  # by paper, the id of its consensus

    @property
    def counts(self) -> CorpusCounts:
        return corpus_counts(self.papers, list(self.consensus.values()), self.relations)


def made_questions(viewer: Viewer, run_id: str) -> QuestionsOfRun:
    """Return everything a run has made; `run_id` may be its number. Raises Missing, or Refused for another protocol."""
    with consulting(viewer, Permission.RUN) as r:
        return made_in(r.session, pipeline_run(r.session, run_id))


def makes_questions(protocol: str) -> bool:
    """Return whether runs of this protocol make questions from abstracts."""
    return protocol == NAME


def split_entity(viewer: Viewer, entity: EntityLine, taken_out: Sequence[str], why: str, *, act_id: str) -> Receipt:
    """Split some phrases off an entity, or confirm it as one if none is given; the run continues with that.

    Raises BadInput for phrases that are not in it or are all of it, and as `rule`.
    """
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
    """Undo a decision on an entity that no later step has used yet. Raises as `ruling.undo`."""
    return undo(viewer, entity.made, seen=entity.version, act_id=act_id)


def pipeline_run(session: Session, run_id: str) -> RunRow:
    """Return a run of this protocol. Raises as `made_questions`."""
    row = find_run(session, run_id)
    if row.protocol != NAME:
        title = protocol_title(row.protocol)
        raise Refused(f"Run {row.number} follows {quoted(title)}; only runs of {SHORT_TITLE} make questions.")
    return row


def made_in(session: Session, row: RunRow) -> QuestionsOfRun:
    run = stepped_run(session, row.id)
    assert run is not None, "the pipeline has several steps"
    names = [step.name for step in run.steps if step.kind in (StepKind.MAKE, StepKind.DECIDE)]
    stored_groups = groups.of_steps(session, row.id, names)
    values_by_group = groups.values(session, [each.group.id for each in stored_groups])
    by_step: dict[str, list[StoredValue]] = {name: [] for name in names}
    deciding = [each.group.id for each in stored_groups if each.group.state is GroupState.DECIDING]
    open_ids = {value.id for each in deciding for value in values_by_group.get(each, ())}
    for stored_group in stored_groups:
        by_step[stored_group.group.step] += values_by_group.get(stored_group.group.id, ())
    last = SPLIT if by_step.get(SPLIT) else ENTITIES
    ruled = {name: [_ruled_value(each) for each in values] for name, values in by_step.items()}
    source_groups = groups.of_steps(session, row.id, [ABSTRACTS])
    source_values = groups.values(session, [each.group.id for each in source_groups])
    sources = {
        ABSTRACTS: tuple(
            _ruled_value(value) for each in source_groups for value in source_values.get(each.group.id, ())
        )
    }
    inputs = Inputs(
        "",
        {
            CONSENSUS: tuple(ruled[CONSENSUS]),
            last: tuple(ruled[last]),
            JEL: tuple(ruled.get(JEL, ())),
            **sources,
        },
    )
    filtered = by_step.get(FILTER) or []
    filter_value = filtered[0].value if filtered else {"easy": [], "waiting": []}
    easy, waiting = set(filter_value["easy"]), frozenset(filter_value["waiting"])
    blocks = sorted(by_step[QUESTIONS], key=lambda each: each.key)
    plain = [each for block in blocks for each in block.value["questions"]]
    about: Mapping[str, Any] = blocks[0].value["about"] if blocks else {}
    return QuestionsOfRun(
        run=row.number,
        run_id=row.id,
        papers=len(sources[ABSTRACTS]),
        abstracts={each.key: SourceAbstract.from_json(each.value) for each in sources[ABSTRACTS]},
        consensus={each.key: each.value for each in ruled[CONSENSUS]},
        relations=tuple(relations_of(inputs)),
        entities=tuple(
            sorted(
                (_entity_line(each, is_asked=last == SPLIT, is_open=each.id in open_ids) for each in by_step[last]),
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
        made_ids={each.key: each.id for each in by_step[CONSENSUS]},
    )


def _ruled_value(stored_value: StoredValue) -> Value:
    value = (
        stored_value.value
        if stored_value.ruling is None or stored_value.ruling.get("left_out")
        else stored_value.ruling["value"]
    )
    return Value(key=stored_value.key, value=value, hash=stored_value.hash, flags=stored_value.flags)


def _entity_line(stored_value: StoredValue, *, is_asked: bool, is_open: bool) -> EntityLine:
    value = _ruled_value(stored_value).value
    parts = value.get("parts")
    return EntityLine(
        name=stored_value.value["entity"],
        phrases=tuple((each["phrase"], tuple(each["papers"])) for each in stored_value.value["phrases"]),
        least=stored_value.value["least"],
        is_chain=bool(stored_value.flags),
        parts=None if parts is None else tuple(tuple(part) for part in parts),
        made=stored_value.id,
        version=stored_value.version,
        is_waiting=is_asked and stored_value.ruling is None and bool(stored_value.flags),
        is_decided=is_asked and stored_value.ruling is not None,
        can_undo=is_open and stored_value.ruling is not None,
    )
