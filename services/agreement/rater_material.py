"""What agreement of scores is computed from: everything that was handed in, by pseudonym, with the critics' decisions.

A triplet that the viewer is scoring at this moment is left out, and so stays blind to them.
"""

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
from services.acting import Reading
from services.pseudonyms import pseudonyms
from services.triplets import claims
from services.triplets.claims import open_to_viewer
from store import queue
from store.assignments import HANDED_IN, SCORED_KINDS
from store.graphs import looks
from store.triplets import lists, scores, triplets
from store.triplets.scores import SubmittedScores


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """One expert's scores of one triplet, in the order of the form's criteria."""

    triplet_id: str
    paper: str
    expert: str
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CriticSheet:
    """What all critics of a triplet's collection make of it: the mean of each criterion, exact, and keep or drop.
    `is_complete` is False, and there are no means, while one of them has not given all six scores."""

    triplet_id: str
    critics: int
    means: tuple[Fraction, ...]
    is_kept: bool
    is_complete: bool
    is_on_boundary: bool


@dataclass(frozen=True, slots=True)
class Material:
    """`sheets` in the order in which they were handed in; `critics` of the same triplets, where there are any.
    `left_out`: triplets that the viewer is scoring. `collections`: titles of those that the scored triplets are of.
    `not_blind`: the expert of each sheet that was handed in after its expert had taken critics' scores of its
    collection away, in the same order."""

    sheets: tuple[ScoreSheet, ...]
    critics: tuple[CriticSheet, ...]
    left_out: int
    collections: tuple[str, ...] = ()
    not_blind: tuple[str, ...] = ()


def not_yet_seen(r: Reading, triplet_ids: Iterable[str]) -> set[str]:
    """Those of the triplets of which a viewer who scores has neither handed scores in nor seen others'. Lists name
    them, and nothing that was scored."""
    if not r.works_blind("triplet"):
        return set()
    mine = queue.work_of(r.session, SCORED_KINDS, r.viewer.person_id)
    done = {row.subject_id for row in mine if row.state in HANDED_IN}
    return set(triplet_ids) - done - scores.seen_by(r.session, r.viewer.person_id)


def still_blind(r: Reading, triplet_ids: Iterable[str]) -> set[str]:
    """Those of the triplets that the viewer may still be asked to score, or go on with: no cell that tells what others
    scored names them."""
    if not r.works_blind("triplet"):
        return set()
    return claims.may_come_up(r, r.viewer.person_id, triplet_ids)


def material_of(r: Reading, rubric: Rubric, boundary: Boundary) -> Material:
    """Everything handed in on a form, inside a caller's session; the same few queries however much it is."""
    called, blind = pseudonyms(r), open_to_viewer(r)
    every = scores.handed_in(r.session, rubric.value)
    listed = [each for each in every if each.triplet_id not in blind]
    given = scores.scores_of(r.session, [each.assignment_id for each in listed])
    keys = [each.key for each in rubric.criteria]
    sheets = tuple(
        ScoreSheet(
            each.triplet_id,
            each.paper,
            called.get(each.person_id, "?"),
            tuple(given[each.assignment_id][key] for key in keys),
        )
        for each in listed
    )
    critics = _critics(r, [sheet.triplet_id for sheet in sheets], boundary) if rubric is Rubric.ECONCAUSAL else ()
    return Material(
        sheets=sheets,
        critics=critics,
        left_out=len({each.triplet_id for each in every} & blind),
        collections=_collections(r, [sheet.triplet_id for sheet in sheets]),
        not_blind=_not_blind(r, listed, called),
    )


def _collections(r: Reading, triplet_ids: list[str]) -> tuple[str, ...]:
    scored = {line.collection for line in lists.lines_of(r.session, triplet_ids).values()}
    return tuple(sorted(about["title"] for key, about, _version in triplets.collections(r.session) if key in scored))


def words_of_collections(titles: Sequence[str]) -> str:
    """Name the collections that a number pools; empty for one alone."""
    return f"{counted(len(titles), 'collection')} pooled: {', '.join(titles)}" if len(titles) > 1 else ""


def _not_blind(r: Reading, listed: Sequence[SubmittedScores], called: Mapping[str, str]) -> tuple[str, ...]:
    """The experts of those sheets, by pseudonym, that followed a look at the file of their collection."""
    taken = looks.first_looks(r.session, "collection")
    lines = lists.lines_of(r.session, [each.triplet_id for each in listed]) if taken else {}
    early = {
        each.assignment_id: (each.person_id, taken[each.person_id, lines[each.triplet_id].collection].seq)
        for each in listed
        if taken and (each.person_id, lines[each.triplet_id].collection) in taken
    }
    submits = looks.last_submits(r.session, early, ("scoring.submit",)) if early else {}
    return tuple(called.get(who, "?") for key, (who, seq) in early.items() if seq < submits.get(key, seq + 1))


def _critics(r: Reading, triplet_ids: list[str], boundary: Boundary) -> tuple[CriticSheet, ...]:
    lines = lists.lines_of(r.session, triplet_ids)
    configured = triplets.critics_of(r.session, {line.collection for line in lines.values()})
    given = triplets.critic_scores(r.session, lines)
    return tuple(
        critic_sheet(triplet_id, given.get(triplet_id, ()), configured[line.collection], boundary)
        for triplet_id, line in lines.items()
        if configured.get(line.collection)
    )


def critic_sheet(
    triplet_id: str, said: tuple[CriticScore, ...], configured: list[str], boundary: Boundary
) -> CriticSheet:
    """What the configured critics decide of a triplet, by the rule of `core.triplets.rubric`, in whole numbers."""
    decision = critics_decide(said, configured, boundary)
    if decision.retained is None:
        return CriticSheet(triplet_id, len(configured), (), False, False, False)
    means = tuple(mean for mean in (decision.means[key] for key in Criterion) if mean is not None)
    return CriticSheet(triplet_id, len(configured), means, decision.retained, True, decision.is_on_boundary)


def critics_decide(said: tuple[CriticScore, ...], configured: list[str], boundary: Boundary) -> RubricDecision:
    """The critics' verdict on a triplet; undecided while one of the configured ones has not given all six scores."""
    by_critic: dict[str, dict[str, int | None]] = defaultdict(dict)
    for score in said:
        by_critic[score.critic][score.criterion] = score.score
    return decide(
        {critic: by_critic.get(critic) for critic in configured}, FilterRule(boundary, critics=max(1, len(configured)))
    )
