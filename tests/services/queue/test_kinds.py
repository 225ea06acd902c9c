"""Every kind of work is closed to whoever has seen others' work on it, and stays with whoever claimed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import Refused
from core.people import Receipt, Role, Viewer
from services.acting import ReadContext, Writing
from services.agreement import compared
from services.failures import failures
from services.graphs import sample_tables
from services.queue.work import NoFreeClaim, WorkKind, claim, claim_next, open_subjects, resume, return_claim, skip
from services.readings import building
from services.readings import reading as text_graphs
from services.readings.work_kind import TEXT_GRAPHS
from services.study import Study
from services.texts import labelling, levels
from services.texts.work_kind import TEXTS
from services.transcription import queue, transcribing
from services.transcription import reading as transcriptions
from services.transcription.work_kind import FIGURES
from services.triplets import reading as triplets
from services.triplets.work_kind import TRIPLETS
from services.verdicts import claims
from services.verdicts import reading as sheets
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.tables import AssignmentRow, new_id
from tests.services.queue_hands import act, hand_in, stored_state
from tests.services.readings.test_building import LAKE, asked, draw
from tests.services.scoring_parts import bring_in, rows_of
from tests.services.scoring_parts import hand_in as hand_in_scores
from tests.services.scoring_parts import settle as settle_scoring
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_labelling import NAMES, make_ready
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.reviewing import drawn

pytestmark = pytest.mark.both

CLOSED = "be blind|labelled blind"
NOTHING = "No (figure|triplet|text|verdict) is free for you now"
OTHERS = "belongs? to someone else|Only its annotator may change"


@dataclass(frozen=True, kw_only=True)
class Work:
    """`lay` makes a subject that two people are wanted for, and returns what `see` needs to show others' work on it.
    `claim` and `resume` give a receipt about an assignment; `submit` is None where seeing others' work does not end
    work that has begun."""

    kind: WorkKind
    lay: Callable[[Study, SimpleNamespace, SimpleNamespace], Any]
    see: Callable[[Viewer, Any], object]
    claim: Callable[[Viewer], Receipt]
    resume: Callable[[Viewer, str], Receipt]
    give_up: Callable[[SimpleNamespace, Viewer, str, int], object]
    version: Callable[[Viewer, str], int]
    submit: Callable[[Viewer, str], object] | None = None


def _figure(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> tuple[str, str]:
    """The figure, and a transcription of it that somebody submitted."""
    queue.want(people.owner, [figure.id], 3, **act())
    work = transcribing.take(people.colleague, figure.id, **act()).subject_id
    hand_in(people.colleague, work)
    return figure.id, work


def _resume_figure(viewer: Viewer, work: str) -> Receipt:
    figure = transcriptions.transcription(viewer, work).figure.id
    return transcribing.take(viewer, figure, **act())


def _triplet(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> str:
    bring_in(people.owner, rows_of(1))
    settle_scoring(people.owner, overlap=3)
    work = claim_next(people.expert, TRIPLETS, **act()).subject_id
    hand_in_scores(people.expert, work)
    return triplets.triplet(people.expert, work).triplet_id


def _text(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> str:
    lay_pages(study, figure.sha256)
    settle_truth(study, figure.id, NAMES)
    make_ready(people, figure.id)
    return str(figure.id)


def _submit_text(viewer: Viewer, work: str) -> object:
    now = labelling.labelling(viewer, work)
    return labelling.submit(viewer, work, text_sha256=now.sha256 or "", seen=now.version, **act())


def _sample(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> str:
    asked(people, LAKE, variants=("standard",), per_sample=2)
    return sample_tables.sample_tables(people.owner)[0].id


def _submit_graph(viewer: Viewer, work: str) -> object:
    return building.submit(viewer, work, seen=text_graphs.reading(viewer, work).version, **act())


def _sheet(study: Study, people: SimpleNamespace, figure: SimpleNamespace) -> str:
    run_id = bring_case(people.owner, MILL)
    drawn(people.owner, run_id, 500)
    return run_id


KINDS = {
    "transcription": Work(
        kind=FIGURES,
        lay=_figure,
        see=lambda v, laid: transcriptions.transcription(v, laid[1]),
        claim=lambda v: claim_next(v, FIGURES, **act()),
        resume=_resume_figure,
        give_up=lambda people, v, work, seen: return_claim(people.owner, FIGURES, work, **act()),
        version=lambda v, work: transcriptions.transcription(v, work).version,
    ),
    "triplets": Work(
        kind=TRIPLETS,
        lay=_triplet,
        see=lambda v, laid: compared.compared(v, laid),
        claim=lambda v: claim_next(v, TRIPLETS, **act()),
        resume=lambda v, work: resume(v, TRIPLETS, work, **act()),
        give_up=lambda people, v, work, seen: skip(v, TRIPLETS, work, "Later", seen=seen, **act()),
        version=lambda v, work: triplets.triplet(v, work).version,
    ),
    "texts": Work(
        kind=TEXTS,
        lay=_text,
        see=lambda v, laid: levels.figure_levels(v, laid),
        claim=lambda v: claim_next(v, TEXTS, **act()),
        resume=lambda v, work: resume(v, TEXTS, work, **act()),
        give_up=lambda people, v, work, seen: skip(v, TEXTS, work, "Later", seen=seen, **act()),
        version=lambda v, work: labelling.labelling(v, work).version,
        submit=_submit_text,
    ),
    "readings": Work(
        kind=TEXT_GRAPHS,
        lay=_sample,
        see=lambda v, laid: sample_tables.export_samples(v, laid),
        claim=lambda v: claim_next(v, TEXT_GRAPHS, **act()),
        resume=lambda v, work: resume(v, TEXT_GRAPHS, work, **act()),
        give_up=lambda people, v, work, seen: skip(v, TEXT_GRAPHS, work, "Later", seen=seen, **act()),
        version=lambda v, work: text_graphs.reading(v, work).version,
        submit=_submit_graph,
    ),
    "verdicts": Work(
        kind=SHEETS,
        lay=_sheet,
        see=lambda v, laid: failures.failures(v),
        claim=lambda v: claim_next(v, SHEETS, **act()),
        resume=lambda v, work: resume(v, SHEETS, work, **act()),
        give_up=lambda people, v, work, seen: skip(v, SHEETS, work, "Later", seen=seen, **act()),
        version=lambda v, work: sheets.sheet(v, work).version,
    ),
}


def claim_listed(study: Study, kind: WorkKind, viewer: Viewer, subject_id: str) -> None:
    """Claim what was listed a moment ago, as `claim_next` does once the subject is locked."""
    with study.store.writing() as session:
        w = Writing(study, session, viewer, study.clock(), new_id())
        subject = kind.lock_subject(session, subject_id, True)
        claim(w, kind, subject, viewer.person_id)


def listed_for(study: Study, kind: WorkKind, viewer: Viewer) -> list[str]:
    with study.store.reading() as session:
        return open_subjects(ReadContext(study, session, viewer, study.clock()), kind, viewer.person_id)


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Work:
    return KINDS[str(request.param)]


@pytest.fixture
def laid(kind: Work, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> Any:
    return kind.lay(study, people, a_figure)


@pytest.fixture
def both(newcomer: Callable[..., Viewer]) -> Viewer:
    """Somebody who may do every kind of work, and may see others'."""
    return newcomer("Both", Role.RESEARCHER)


@pytest.mark.both(usually=False)
def test_whoever_saw_others_work_is_offered_and_claims_nothing(
    kind: Work, laid: Any, both: Viewer, study: Study
) -> None:
    kind.see(both, laid)
    assert listed_for(study, kind.kind, both) == []
    with pytest.raises(Refused, match=NOTHING):
        kind.claim(both)


def test_whoever_sees_others_work_between_the_list_and_the_lock_claims_nothing(
    kind: Work, laid: Any, both: Viewer, study: Study
) -> None:
    listed = listed_for(study, kind.kind, both)
    kind.see(both, laid)
    assert listed
    for subject_id in listed:
        with pytest.raises(Refused, match=CLOSED):
            claim_listed(study, kind.kind, both, subject_id)


def test_a_subject_that_filled_up_between_the_list_and_the_lock_is_not_claimed(
    kind: Work, laid: Any, both: Viewer, study: Study, newcomer: Callable[..., Viewer]
) -> None:
    subject_id = listed_for(study, kind.kind, both)[0]
    for number in range(3):
        other = newcomer(f"Another {number}", Role.RESEARCHER)
        if subject_id in listed_for(study, kind.kind, other):
            claim_listed(study, kind.kind, other, subject_id)
    assert subject_id not in listed_for(study, kind.kind, both)
    with pytest.raises(NoFreeClaim, match=r"All places of this (figure|triplet|text|sheet) are taken"):
        claim_listed(study, kind.kind, both, subject_id)


@pytest.mark.both(usually=False)
def test_whoever_had_a_subject_is_not_offered_it_again(
    kind: Work, laid: Any, both: Viewer, people: SimpleNamespace, study: Study
) -> None:
    work = kind.claim(both).subject_id
    with study.store.reading() as session:
        subject_id = session.get_one(AssignmentRow, work).subject_id
    kind.give_up(people, both, work, kind.version(both, work))
    assert subject_id not in listed_for(study, kind.kind, both)


@pytest.mark.both(usually=False)
def test_whoever_saw_others_work_after_giving_it_up_does_not_resume(
    kind: Work, laid: Any, both: Viewer, people: SimpleNamespace, study: Study
) -> None:
    work = kind.claim(both).subject_id
    kind.give_up(people, both, work, kind.version(both, work))
    kind.see(both, laid)
    with pytest.raises(Refused, match=CLOSED):
        kind.resume(both, work)
    assert stored_state(study, work) == "abandoned"


@pytest.mark.both(usually=False)
@pytest.mark.parametrize("kind", [name for name, each in KINDS.items() if each.submit], indirect=True)
def test_whoever_saw_others_work_meanwhile_submits_nothing_that_has_to_be_blind(
    kind: Work, laid: Any, both: Viewer, study: Study
) -> None:
    assert kind.submit is not None
    work = kind.claim(both).subject_id
    if kind is KINDS["readings"]:
        draw(both, work, "Rain -> Lake")
    kind.see(both, laid)
    with pytest.raises(Refused, match=CLOSED):
        kind.submit(both, work)
    assert stored_state(study, work) == "open"


# A figure is resumed by its own ID, and its claim returned by a person who assigns.
@pytest.mark.both(usually=False)
@pytest.mark.parametrize("kind", [name for name in KINDS if name != "transcription"], indirect=True)
def test_nobody_takes_up_gives_up_or_submits_anothers_claim(
    kind: Work, laid: Any, both: Viewer, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    work, other = kind.claim(both).subject_id, newcomer("Another", Role.RESEARCHER)
    seen = kind.version(both, work)
    with pytest.raises(Refused, match=OTHERS):
        kind.give_up(people, other, work, seen)
    kind.give_up(people, both, work, seen)
    with pytest.raises(Refused, match=OTHERS):
        kind.resume(other, work)
    assert kind.resume(both, work).subject_id == work


@pytest.mark.both(usually=False)
def test_a_sheet_that_somebody_chose_is_not_handed_out(study: Study, people: SimpleNamespace, both: Viewer) -> None:
    drawn(people.owner, bring_case(people.owner, MILL), 1)
    with study.store.reading() as session:
        item_id = stored.sheets(session)[0].item_id
    work = claims.choose(people.researcher, item_id, **act()).subject_id
    again = claim_next(people.researcher, SHEETS, **act())
    assert again.subject_id == work  # who chose it goes on
    skip(people.researcher, SHEETS, work, "Seen enough", seen=again.version, **act())
    with study.store.reading() as session:
        assert session.get_one(AssignmentRow, work).subject_id not in listed_for(study, SHEETS, both)


@pytest.mark.both(usually=False)
def test_nobody_claims_a_figure_before_the_training(
    untrained: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    with pytest.raises(Refused, match="Draw the practice diagram first"):
        claim_next(people.annotator, FIGURES, **act())
    assert listed_for(study, FIGURES, people.annotator) == [a_figure.id]
