"""Texts and levels that a run shows to people for a decision, with their inputs, and obstacles to accepting them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, EdgewiseError
from core.people import Permission, Viewer
from core.runs.flow import Group, parted
from core.steps import Span
from core.texts.explicitness import ExplicitnessLevel
from core.texts.states import TextState
from protocols.recite_texts.tasks import DECIDE, EXPLICITNESS, NAME, NORMALISE
from services.acting import ReadContext, consulting
from services.texts import chains, pages
from services.texts.truths import truth_of
from store.papers import texts as stored
from store.runs import groups, runs
from store.runs.groups import StoredAnswer, StoredValue
from store.tables.runs import RunRow

PROTOCOL = NAME
"""Protocol of runs that make texts."""
LEFT_OUT = "It was left out by a decision."
CHANGED = "It was changed by a decision. Only a text as it was made can be taken."
READY = "The text of this figure is ready. Take it back to draft first, or keep it."
OTHER_FILE = "The file of the paper has changed since this run read it. Start a new run."
OTHER_TRUTH = "The ground truth changed after this text was normalised. Start a new run."
OTHER_TEXT = "The text of this figure has changed since this run read it. Start a new run."


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToTake:
    """A text, or levels, that a run shows to people for a decision."""

    id: str
    key: str
    figure_id: str
    state: str  # of the text; "levels" if only levels were asked
    by: tuple[str, ...]
    words: int
    rounds: int
    reasons: tuple[str, ...]  # why a guard refuses it
    flags: tuple[str, ...]
    levels: bool  # levels come with it
    is_taken: bool
    obstacle: str  # why it cannot be accepted; empty if it can
    version: int  # for `take`

    @property
    def passes(self) -> bool:
        """Its guards pass, so that *all* accepts it too."""
        return self.state in (TextState.DRAFT, "levels") and not self.is_taken and not self.obstacle


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedText:
    """A value for a decision, with its run and levels."""

    run: RunRow
    group: Group
    kept: StoredValue
    normalised_in: str  # producer of the text's rounds
    levels: Mapping[str, Mapping[str, ExplicitnessLevel]]  # of this text, by model

    @property
    def value(self) -> Mapping[str, Any]:
        value: Mapping[str, Any] = self.kept.value
        return value

    @property
    def has_text(self) -> bool:
        return "text" in self.value

    @property
    def sha256(self) -> str:
        """SHA-256 of the text that the levels are about."""
        return str(self.value["sha256"] if self.has_text else self.value["of"])


def makes_texts(viewer: Viewer, run_id: str) -> bool:
    """Return whether a run makes texts of papers, or levels of them."""
    with consulting(viewer, Permission.REVIEW) as r:
        return runs.run_row(r.session, run_id).protocol == NAME


def texts_of_run(viewer: Viewer, run_id: str, key: str | None = None) -> tuple[TextToTake, ...]:
    """Return the texts and levels that a run shows to people, in order; empty for other protocols. `key`: of one
    paper only."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = runs.run_row(r.session, run_id)
        if row.protocol != NAME:
            return ()
        return tuple(
            _to_take(r, each) for each in _undecided_texts(r.session, row) if key is None or each.kept.key == key
        )


def _undecided_texts(session: Session, row: RunRow) -> list[GeneratedText]:
    run_groups = groups.of_run(session, row.id)
    asking = [each for each in run_groups if each.step in (NORMALISE, EXPLICITNESS)]
    answers = groups.answers(session, [each.id for each in asking])
    deciding = {each.id: each for each in run_groups if each.step == DECIDE}
    values = groups.values(session, list(deciding))
    return [
        _made(row, deciding[group_id], value, _answers_about(asking, answers, deciding[group_id].key))
        for group_id in sorted(values, key=lambda each: deciding[each].key)
        for value in values[group_id]
    ]


def _answers_about(
    asking: Sequence[Group], answers: Mapping[str, Sequence[StoredAnswer]], key: str
) -> dict[str, list[StoredAnswer]]:
    """Return step → the answers about one paper."""
    by_step: dict[str, list[StoredAnswer]] = {NORMALISE: [], EXPLICITNESS: []}
    for group in asking:
        if parted(group.key, Span.EACH)[0] == key:
            by_step[group.step] += [each for each in answers.get(group.id, ()) if each.value is not None]
    return by_step


def _made(
    row: RunRow, group: Group, stored: StoredValue, paper_answers: Mapping[str, Sequence[StoredAnswer]]
) -> GeneratedText:
    value = stored.value
    sha256 = value.get("sha256") or value.get("of")
    normalised = [
        each
        for each in paper_answers[NORMALISE]
        if each.model == value.get("normalised_by") and each.value.get("text") == value.get("text")
    ]
    levels = {
        each.model: {name: ExplicitnessLevel(level) for name, level in each.value["scores"].items()}
        for each in paper_answers[EXPLICITNESS]
        if each.value.get("of") == sha256 and ("text" in value or each.value == value)
    }
    return GeneratedText(
        run=row, group=group, kept=stored, normalised_in=normalised[0].id if normalised else "", levels=levels
    )


def find_made(session: Session, made_id: str) -> GeneratedText:
    run_id, _, _ = groups.place_of(session, made_id)
    row = runs.run_row(session, run_id)
    generated = next((each for each in _undecided_texts(session, row) if each.kept.id == made_id), None)
    if row.protocol != NAME or generated is None:
        raise BadInput("This value is no text that people decide on.")
    return generated


def _to_take(r: ReadContext, generated: GeneratedText) -> TextToTake:
    value = generated.value
    head = stored.heads(r.session, [value["figure"]]).get(value["figure"])
    is_taken = head is not None and head.last.sha256 == generated.sha256
    if is_taken and generated.levels:
        known = stored.levels_of(r.session, value["figure"], generated.sha256)
        is_taken = all(f"model:{model}" in known for model in generated.levels)
    elif not generated.has_text:
        is_taken = False
    return TextToTake(
        id=generated.kept.id,
        key=generated.kept.key,
        figure_id=value["figure"],
        state=str(value["state"]) if generated.has_text else "levels",
        by=tuple(filter(None, (value.get("by"), value.get("normalised_by"), *generated.levels))),
        words=chains.sizes(value["text"])["words"] if generated.has_text else 0,
        rounds=sum(bool(each) for each in value.get("rounds", ())),
        reasons=tuple(value.get("reasons", ())),
        flags=generated.kept.flags,
        levels=bool(generated.levels),
        is_taken=is_taken,
        obstacle="" if is_taken else obstacle_of(r, generated),
        version=generated.kept.version,
    )


def obstacle_of(r: ReadContext, generated: GeneratedText) -> str:
    """Return why a value cannot be accepted now; empty if it can."""
    value, ruling = generated.value, generated.kept.ruling
    if ruling is not None and ruling.get("left_out"):
        return LEFT_OUT
    if ruling is not None and ruling["value"] != value:
        return CHANGED
    head = stored.heads(r.session, [value["figure"]]).get(value["figure"])
    if generated.has_text:
        try:
            file = pages.paper_file(r, value["figure"])
        except EdgewiseError as error:
            return str(error)
        if file.sha256 != value["file"]:
            return OTHER_FILE
    truth_sha256 = value.get("truth")
    if truth_sha256 and truth_of(r.session, value["figure"]).sha256 != truth_sha256:
        return OTHER_TRUTH
    if not generated.has_text:
        return "" if head is not None and head.last.sha256 == value["of"] else OTHER_TEXT
    if head is not None and head.last.state == TextState.READY and head.last.sha256 != generated.sha256:
        return READY
    if not value.get("by") and (head is None or head.last.sha256 != value["of"]):
        return OTHER_TEXT
    return ""
