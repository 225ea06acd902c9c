"""Submitted scores, by pseudonym, with the critics' decisions: the input of rater agreement.

A triplet that the viewer is scoring is left out and so remains blind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.triplets.criteria import Criterion
from core.triplets.forms import Rubric
from core.triplets.record import CriticScore
from core.triplets.rubric import Boundary, FilterRule, RubricDecision, decide
from core.words import counted
from services.acting import ReadContext
from services.pseudonyms import pseudonyms
from services.triplets import claims
from services.triplets.claims import open_to_viewer
from store import queue
from store.assignments import HANDED_IN, SCORED_KINDS
from store.graphs import exposures
from store.triplets import lists, scores, triplets
from store.triplets.scores import SubmittedScores


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Scores that one expert gave a triplet, in the order of the form's criteria."""

    triplet_id: str
    paper: str
    expert: str
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CriticSheet:
    """The critics' decision on a triplet, with the exact mean of each criterion."""

    triplet_id: str
    critics: int
    means: tuple[Fraction, ...]  # empty if incomplete
    passes_filter: bool
    is_complete: bool  # False while a critic lacks one of the six scores
    is_on_boundary: bool


@dataclass(frozen=True, slots=True)
class Material:
    """Sheets in the order of submission, and the critics of the same triplets."""

    sheets: tuple[ScoreSheet, ...]
    critics: tuple[CriticSheet, ...]
    left_out: int  # triplets that the viewer is scoring
    collections: tuple[str, ...] = ()  # titles
    not_blind: tuple[str, ...] = ()  # experts of sheets submitted after they exported the critics' scores


def not_yet_seen(r: ReadContext, triplet_ids: Iterable[str]) -> set[str]:
    """Return the triplets that the viewer has neither scored nor seen scored. Lists name them without scores."""
    if not r.works_blind("triplet"):
        return set()
    own_work = queue.work_of(r.session, SCORED_KINDS, r.viewer.person_id)
    done = {row.subject_id for row in own_work if row.state in HANDED_IN}
    return set(triplet_ids) - done - scores.seen_by(r.session, r.viewer.person_id)


def still_blind(r: ReadContext, triplet_ids: Iterable[str]) -> set[str]:
    """Return the triplets that the viewer may still score. No cell that reveals scores names them."""
    if not r.works_blind("triplet"):
        return set()
    return claims.may_come_up(r, r.viewer.person_id, triplet_ids)


def material_of(r: ReadContext, rubric: Rubric, boundary: Boundary) -> Material:
    """Return everything submitted on a form. The number of queries is constant."""
    called, blind = pseudonyms(r), open_to_viewer(r)
    every = scores.submitted_scores(r.session, rubric.value)
    listed = [each for each in every if each.triplet_id not in blind]
    scores_by_sheet = scores.scores_of(r.session, [each.assignment_id for each in listed])
    keys = [each.key for each in rubric.criteria]
    sheets = tuple(
        ScoreSheet(
            each.triplet_id,
            each.paper,
            called.get(each.person_id, "?"),
            tuple(scores_by_sheet[each.assignment_id][key] for key in keys),
        )
        for each in listed
    )
    ids = [sheet.triplet_id for sheet in sheets]
    critics = _critics(r, ids, boundary) if rubric is Rubric.ECONCAUSAL else ()
    scored = {line.collection for line in lists.lines_of(r.session, ids).values()}
    titles = [about["title"] for key, about, _version in triplets.collections(r.session) if key in scored]
    return Material(
        sheets=sheets,
        critics=critics,
        left_out=len({each.triplet_id for each in every} & blind),
        collections=tuple(sorted(titles)),
        not_blind=_exposed_experts(r, listed, called),
    )


def words_of_collections(titles: Sequence[str]) -> str:
    """Name the collections that a number pools; empty for a single one."""
    return f"{counted(len(titles), 'collection')} pooled: {', '.join(titles)}" if len(titles) > 1 else ""


def _exposed_experts(r: ReadContext, listed: Sequence[SubmittedScores], called: Mapping[str, str]) -> tuple[str, ...]:
    """Return the experts (pseudonyms) of sheets submitted after an export of their collection's critics' scores."""
    exports = exposures.first_exposures(r.session, "collection")
    lines = lists.lines_of(r.session, [each.triplet_id for each in listed]) if exports else {}
    early = {
        each.assignment_id: (each.person_id, exports[each.person_id, lines[each.triplet_id].collection].seq)
        for each in listed
        if exports and (each.person_id, lines[each.triplet_id].collection) in exports
    }
    submits = exposures.last_submits(r.session, early, ("scoring.submit",)) if early else {}
    return tuple(called.get(who, "?") for key, (who, seq) in early.items() if seq < submits.get(key, seq + 1))


def _critics(r: ReadContext, triplet_ids: list[str], boundary: Boundary) -> tuple[CriticSheet, ...]:
    lines = lists.lines_of(r.session, triplet_ids)
    configured = triplets.critics_of(r.session, {line.collection for line in lines.values()})
    scores_by_triplet = triplets.critic_scores(r.session, lines)
    return tuple(
        critic_sheet(triplet_id, scores_by_triplet.get(triplet_id, ()), configured[line.collection], boundary)
        for triplet_id, line in lines.items()
        if configured.get(line.collection)
    )


def critic_sheet(
    triplet_id: str, critic_scores: tuple[CriticScore, ...], configured: list[str], boundary: Boundary
) -> CriticSheet:
    """Return the decision of the configured critics, by `core.triplets.rubric`, in exact arithmetic."""
    decision = critics_decide(critic_scores, configured, boundary)
    if decision.retained is None:
        return CriticSheet(triplet_id, len(configured), (), False, False, False)
    means = tuple(mean for mean in (decision.means[key] for key in Criterion) if mean is not None)
    return CriticSheet(triplet_id, len(configured), means, decision.retained, True, decision.is_on_boundary)


def critics_decide(critic_scores: tuple[CriticScore, ...], configured: list[str], boundary: Boundary) -> RubricDecision:
    """Decide a triplet from its critics' scores; undecided while a configured critic lacks a score."""
    by_critic: dict[str, dict[str, int | None]] = defaultdict(dict)
    for score in critic_scores:
        by_critic[score.critic][score.criterion] = score.score
    return decide(
        {critic: by_critic.get(critic) for critic in configured}, FilterRule(boundary, critics=max(1, len(configured)))
    )
