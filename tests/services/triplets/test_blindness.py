"""Who sees whose scores: nobody before they hand in; critics after it, if the study says so; reviewers by pseudonym."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import EdgewiseError, Missing, Refused
from core.papers.papers import PaperReference
from core.people import Role, Viewer
from core.triplets.forms import Rubric
from core.triplets.passages import Match, joined
from exchange.triplet_rows import TripletForm
from services import overview
from services.agreement import compared, rater_files, rater_lists, raters, validation
from services.papers import figures, importing, papers
from services.queue.work import resume, skip, waiting
from services.triplets import exporting, lists, reading, scoring
from services.triplets.evidence import NO_FILE, NO_PAPER, NOT_THERE
from services.triplets.work_kind import TRIPLETS
from tests.services.import_parts import looks
from tests.services.scoring_parts import act, bring_in, critics, give, hand_in, rows_of, settle, six, take, version
from tests.shared_fixture import laid_once

CRITIC, COMMENT = "The critics' secret", "The colleague's secret"
DEMO = Path(__file__).resolve().parents[3] / "demo"


@pytest.fixture
def place(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer], request: pytest.FixtureRequest
) -> SimpleNamespace:
    """Two triplets with critics' scores; a colleague, an expert too, has begun the first and commented on it."""

    def make() -> SimpleNamespace:
        bring_in(people.owner, rows_of(2, critics=critics(1, 1, 1, 1, 1, 1, reason=CRITIC), score_sum=6))
        colleague = newcomer("The other expert", Role.EXPERT)
        work = take(colleague)
        give(colleague, work, six(2, 1, 2, 1, 2, 1))
        scoring.comment(colleague, work, COMMENT, seen=version(colleague, work), **act())
        triplet = reading.triplet(colleague, work).triplet_id
        return SimpleNamespace(colleague=colleague, work=work, triplet=triplet)

    return laid_once(request, study, make, people)


READS: dict[str, Callable[[Viewer, SimpleNamespace], Any]] = {
    "the colleague's sheet": lambda v, p: reading.triplet(v, p.work),
    "own list": lambda v, _: scoring.my_scores(v),
    "queue": lambda v, _: waiting(v, TRIPLETS),
    "lists": lambda v, _: lists.triplets_of(v),
    "collections": lambda v, _: lists.collections(v),
    "overview": lambda v, _: overview.overview(v),
    "agreement": lambda v, _: raters.scoring_agreement(v),
    "validation": lambda v, _: validation.validation_agreement(v),
    "compared": lambda v, p: compared.compared(v, p.triplet),
    "scores": lambda v, _: exporting.export_scores(v, Rubric.ECONCAUSAL, TripletForm.JSONL),
}


def told(viewer: Viewer, place: SimpleNamespace) -> str:
    """Everything that every reading function gives back, or says when it refuses."""
    found = []
    for name, read in READS.items():
        try:
            found.append(f"{name}: {read(viewer, place)!r}")
        except EdgewiseError as error:
            found.append(f"{name}: {error}")
    return "\n".join(found)


@pytest.mark.parametrize("role", list(Role))
def test_nobody_sees_a_colleagues_scores_before_they_are_handed_in(
    role: Role, people: SimpleNamespace, place: SimpleNamespace
) -> None:
    seen = told(getattr(people, role.value), place)
    assert COMMENT not in seen
    if role in (Role.EXPERT, Role.ANNOTATOR):
        assert CRITIC not in seen and place.colleague.person_id not in seen and place.colleague.name not in seen


@pytest.mark.parametrize("role", list(Role))
def test_only_those_who_review_see_them_afterwards_and_by_pseudonym(
    role: Role, people: SimpleNamespace, place: SimpleNamespace
) -> None:
    scoring.submit(place.colleague, place.work, seen=version(place.colleague, place.work), **act())
    seen = told(getattr(people, role.value), place)
    is_shown = role in (Role.REVIEWER, Role.RESEARCHER, Role.OWNER)
    assert (COMMENT in seen) is is_shown
    assert (CRITIC in seen) is is_shown
    # That somebody scored a triplet, and who, is on the overview of those who review; never what.
    assert "scored a triplet" in seen or not is_shown
    by_name = [line for line in seen.splitlines() if place.colleague.name in line or place.colleague.person_id in line]
    assert all(line.startswith("overview:") for line in by_name)


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.OWNER])
def test_whoever_scores_a_triplet_sees_nothing_of_it_until_they_hand_in(
    role: Role, people: SimpleNamespace, place: SimpleNamespace
) -> None:
    viewer = getattr(people, role.value)
    mine = take(viewer)
    scoring.submit(place.colleague, place.work, seen=version(place.colleague, place.work), **act())
    assert reading.triplet(viewer, mine).triplet_id == place.triplet
    seen = told(viewer, place)
    assert COMMENT not in seen and CRITIC not in seen
    assert raters.scoring_agreement(viewer).left_out == 1
    with pytest.raises(Refused, match="scoring this triplet"):
        compared.compared(viewer, place.triplet)
    hand_in(viewer, mine)
    assert COMMENT in told(viewer, place)
    assert raters.scoring_agreement(viewer).twice == 1


@pytest.mark.parametrize("shows", [True, False])
def test_critics_are_shown_after_handing_in_if_the_study_says_so(
    shows: bool, people: SimpleNamespace, place: SimpleNamespace
) -> None:
    settle(people.owner, shows_critics=shows)
    mine = take(people.expert)
    before = reading.triplet(people.expert, mine)
    assert before.critics == () and CRITIC not in repr(before)
    hand_in(people.expert, mine)
    after = reading.triplet(people.expert, mine)
    assert COMMENT not in repr(after)
    assert (CRITIC in repr(after), len(after.critics)) == (shows, 3 if shows else 0)
    assert bool(after.critics_note) is not shows
    if shows:
        assert after.critics[0].critic == "critic 0" and set(after.critics[0].scores.values()) == {1}


@pytest.mark.both
def test_whoever_saw_what_others_scored_is_not_asked_to_score_it_nor_may_resume_it(
    people: SimpleNamespace, place: SimpleNamespace
) -> None:
    scoring.submit(place.colleague, place.work, seen=version(place.colleague, place.work), **act())
    skipped = take(people.owner)
    skip(people.owner, TRIPLETS, skipped, "Later", seen=1, **act())
    for viewer in (people.owner, people.researcher, people.reviewer):
        compared.compared(viewer, place.triplet)
        compared.compared(viewer, place.triplet)
    with pytest.raises(Refused, match="not be blind"):
        resume(people.owner, TRIPLETS, skipped, **act())
    for viewer in (people.owner, people.researcher):
        assert reading.triplet(viewer, take(viewer)).treatment == "Cause 1"
    assert reading.triplet(people.expert, take(people.expert)).triplet_id == place.triplet


# --- ways to critics' scores before handing in -------------------------------------------------------------------


@pytest.fixture
def copied(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer], request: pytest.FixtureRequest
) -> SimpleNamespace:
    """A triplet in two files, scored by critics in both; a colleague has handed theirs in. `both` is an expert who
    reviews too."""

    def make() -> SimpleNamespace:
        rows = rows_of(1, critics=critics(1, 1, 1, 1, 1, 1, reason=CRITIC), context="One field")
        first = bring_in(people.owner, rows, "first.jsonl")
        copy = bring_in(people.owner, [*rows, *rows_of(2)], "copy.jsonl")
        settle(people.owner, collections=(first,), overlap=3)
        colleague = newcomer("The other expert", Role.EXPERT)
        work = take(colleague)
        hand_in(colleague, work, six(2, 2, 3, 3, 2, 3))
        return SimpleNamespace(
            first=first,
            copy=copy,
            triplet=reading.triplet(colleague, work).triplet_id,
            twin=lists.triplets_of(people.owner, copy).lines[0].id,
            both=newcomer("Both", Role.EXPERT, Role.REVIEWER),
        )

    return laid_once(request, study, make, people)


def exported(viewer: Viewer, collection: str) -> str:
    return exporting.export_triplets(viewer, collection, TripletForm.JSONL).content.decode()


@pytest.mark.both(usually=False)
def test_the_copy_of_a_triplet_in_another_file_stays_blind_too(copied: SimpleNamespace) -> None:
    mine = take(copied.both)
    with pytest.raises(Refused, match="scoring this triplet"):
        compared.compared(copied.both, copied.twin)
    hand_in(copied.both, mine)
    assert CRITIC in repr(compared.compared(copied.both, copied.twin))


def test_a_skipped_triplet_of_whose_copy_one_saw_the_scores_is_not_resumed(copied: SimpleNamespace) -> None:
    mine = take(copied.both)
    skip(copied.both, TRIPLETS, mine, "Later", seen=1, **act())
    compared.compared(copied.both, copied.twin)
    with pytest.raises(Refused, match="not be blind"):
        resume(copied.both, TRIPLETS, mine, **act())


@pytest.mark.both(usually=False)
def test_a_file_of_triplets_leaves_out_those_that_one_is_scoring(
    copied: SimpleNamespace, people: SimpleNamespace
) -> None:
    mine = take(copied.both)
    for collection, others in ((copied.first, 0), (copied.copy, 2)):
        assert exporting.count_withheld(copied.both, collection) == 1
        content = exported(copied.both, collection)
        assert CRITIC not in content and content.count("\n") == others
    assert CRITIC in exported(people.reviewer, copied.first)  # who never scores
    hand_in(copied.both, mine)
    assert CRITIC in exported(copied.both, copied.first)
    assert exporting.count_withheld(copied.both, copied.first) == 0


def test_a_file_without_critics_leaves_nothing_out_and_notes_nothing(study: Any, people: SimpleNamespace) -> None:
    collection = bring_in(people.owner, rows_of(2))
    take(people.owner)
    assert exported(people.owner, collection).count("\n") == 2
    assert looks(study) == []


@pytest.mark.both(usually=False)
def test_who_took_critics_scores_away_is_marked_and_may_go_on(
    study: Any, copied: SimpleNamespace, people: SimpleNamespace
) -> None:
    before = raters.scoring_agreement(people.reviewer)
    for _twice in range(2):
        exported(copied.both, copied.first)
    assert looks(study) == [("collection.look", copied.first, copied.both.person_id)]
    hand_in(copied.both, take(copied.both))
    after = raters.scoring_agreement(people.reviewer)
    assert (before.not_blind, after.not_blind) == ((), ("A8",))
    assert (after.triplets, after.twice) == (1, 1)  # counted like the others
    assert rater_files.format_exposures(after).startswith(
        "1 score sheet is not fully blind, but counted like the others"
    )
    assert rater_files.format_exposures(after).endswith("exported the file with critics' scores: A8 (1).")


def test_a_file_taken_after_handing_in_marks_nothing(copied: SimpleNamespace, people: SimpleNamespace) -> None:
    hand_in(copied.both, take(copied.both))
    exported(copied.both, copied.first)
    assert raters.scoring_agreement(people.reviewer).not_blind == ()


@pytest.mark.parametrize("way", ["file", "scores"])
def test_what_one_skipped_is_not_resumed_after_its_scores_were_taken_away(way: str, copied: SimpleNamespace) -> None:
    mine = take(copied.both)
    skip(copied.both, TRIPLETS, mine, "Later", seen=1, **act())
    if way == "file":
        assert CRITIC in exported(copied.both, copied.first)
    else:
        exporting.export_scores(copied.both, Rubric.ECONCAUSAL, TripletForm.CSV)
    with pytest.raises(Refused, match="not be blind"):
        resume(copied.both, TRIPLETS, mine, **act())


@pytest.mark.both(usually=False)
def test_what_one_skipped_is_named_behind_a_number_without_its_scores(
    copied: SimpleNamespace, people: SimpleNamespace
) -> None:
    mine = take(copied.both)
    skip(copied.both, TRIPLETS, mine, "Later", seen=1, **act())
    (line,) = rater_lists.scored_triplets(copied.both, [copied.triplet], Rubric.ECONCAUSAL)
    assert (line.is_blind, line.experts, line.means, line.passes_filter) == (True, (), (), None)
    (told,) = rater_lists.scored_triplets(people.reviewer, [copied.triplet], Rubric.ECONCAUSAL)
    assert told.experts and told.means
    resume(copied.both, TRIPLETS, mine, **act())  # nothing was seen


def test_no_cell_of_verdicts_names_a_triplet_that_one_may_still_score(
    copied: SimpleNamespace, people: SimpleNamespace
) -> None:
    """Critics drop it and the expert keeps it: its cell would tell both."""
    told, blind = (raters.scoring_agreement(viewer) for viewer in (people.reviewer, copied.both))
    assert told.critic_verdicts.table[False, True] == (copied.triplet,)
    assert copied.triplet not in repr(blind.critic_verdicts.table)
    assert blind.critic_verdicts.counts == told.critic_verdicts.counts
    assert sum(blind.critic_verdicts.counts.values()) == 1
    hand_in(copied.both, take(copied.both))
    assert copied.triplet in repr(raters.scoring_agreement(copied.both).critic_verdicts.table)


def test_once_nobody_is_wanted_for_a_triplet_its_cell_names_it_and_opening_it_is_noted(
    study: Any, copied: SimpleNamespace, people: SimpleNamespace
) -> None:
    def named() -> bool:
        return copied.triplet in repr(raters.scoring_agreement(copied.both).critic_verdicts.table)

    assert not named()
    settle(people.owner, collections=(copied.first,), overlap=1)
    assert named()
    settle(people.owner, collections=(copied.copy,), overlap=1)  # now its copy waits for somebody
    assert not named()
    settle(people.owner, collections=(copied.first,), overlap=1)
    (line,) = rater_lists.scored_triplets(copied.both, [copied.triplet], Rubric.ECONCAUSAL)
    assert line.is_blind and looks(study) == []
    compared.compared(copied.both, copied.triplet)
    assert looks(study) == [("triplet.look", copied.triplet, copied.both.person_id)]


def test_what_stays_blind_is_listed_last_and_in_no_order_of_its_scores(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    bring_in(people.owner, rows_of(4, critics=critics(3, 3, 3, 3, 3, 3)))
    settle(people.owner, overlap=3)
    colleague, both = newcomer("The other expert", Role.EXPERT), newcomer("Both", Role.EXPERT, Role.REVIEWER)
    for value in (3, 1, 2, 0):
        hand_in(colleague, take(colleague), six(*[value] * 6))
    hand_in(both, take(both), six(3, 3, 3, 3, 3, 3))
    ids = raters.scoring_agreement(both).overall_error.triplet_ids  # the largest difference first
    listed = rater_lists.scored_triplets(both, ids, Rubric.ECONCAUSAL)
    assert [each.is_blind for each in listed] == [False, True, True, True]
    blind = [each.triplet.id for each in listed[1:]]
    assert blind == sorted(blind) != [each for each in ids if each in blind]


def test_no_combined_score_names_a_triplet_that_one_may_still_score(
    study: Any, people: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    bring_in(people.owner, rows_of(1))
    settle(people.owner, rubric=Rubric.VALIDATION, overlap=3)
    for number in (1, 2):
        expert = newcomer(f"Expert {number}", Role.EXPERT)
        hand_in(expert, take(expert), {"entities": 2, "direction": 1, "causal": 1})
    told, blind = (validation.validation_agreement(viewer) for viewer in (people.reviewer, people.owner))
    assert (told.counts, blind.counts) == (told.counts, told.counts)
    assert len(told.combined[8]) == told.counts[8] == 1 and blind.combined[8] == ()


@pytest.mark.both(usually=False)
def test_nobody_but_its_expert_changes_a_sheet(people: SimpleNamespace, place: SimpleNamespace) -> None:
    changes: list[Callable[[Viewer], object]] = [
        lambda v: scoring.score(v, place.work, "sign", 3, seen=8, **act()),
        lambda v: scoring.comment(v, place.work, "Mine", seen=8, **act()),
        lambda v: skip(v, TRIPLETS, place.work, "Mine", seen=8, **act()),
        lambda v: scoring.submit(v, place.work, seen=8, **act()),
        lambda v: resume(v, TRIPLETS, place.work, **act()),
    ]
    for viewer in (people.owner, people.researcher, people.expert):
        for change in changes:
            with pytest.raises(Refused, match="someone else"):
                change(viewer)
    with pytest.raises(Missing):
        reading.triplet(people.owner, "no such sheet")


@pytest.mark.both(usually=False)
def test_scores_are_taken_out_by_pseudonym_and_only_what_was_handed_in(
    people: SimpleNamespace, place: SimpleNamespace
) -> None:
    def out() -> str:
        export = exporting.export_scores(people.reviewer, Rubric.ECONCAUSAL, TripletForm.CSV)
        return export.content.decode()

    assert out().count("\n") == 1
    scoring.submit(place.colleague, place.work, seen=version(place.colleague, place.work), **act())
    lines = out().splitlines()
    assert len(lines) == 7 and place.colleague.name not in out()
    assert ",reject," in lines[1] and ",variable_extraction,2," in lines[1]


# --- evidence ----------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_evidence_is_found_in_the_paper_that_the_study_holds(study: Any, people: SimpleNamespace) -> None:
    content = (DEMO / "broadband.pdf").read_bytes()
    paper_id = importing.import_file(people.owner, "broadband.pdf", content, **act()).paper_id
    title = papers.paper(people.owner, paper_id).reference.title
    words = figures.page(people.owner, paper_id, 1).words
    quoted = "\n  ".join(word.printed for word in words[4:24])
    bring_in(people.owner, rows_of(1, title=title, evidence=[quoted, "The moon is made of green cheese."]))
    view = reading.triplet(people.expert, take(people.expert))
    assert view.paper.paper_id == paper_id and view.evidence_note == ""
    there, not_there = view.evidence
    assert (there.match, there.flag) == (Match.VERBATIM, "")
    (passage,) = there.passages
    assert passage.page == 1 and passage.boxes
    assert joined(words)[passage.start : passage.end] == " ".join(quoted.split())
    assert (not_there.match, not_there.flag, not_there.passages) == (Match.NOT_FOUND, NOT_THERE, ())


@pytest.mark.both(usually=False)
def test_without_the_paper_or_its_file_evidence_is_shown_and_said_not_to_be_looked_up(
    study: Any, people: SimpleNamespace
) -> None:
    importing.add_reference(people.owner, PaperReference(title="A paper without any file"), **act())
    rows = rows_of(2, evidence=["Wages fell."])
    rows[1]["title"] = "A paper without any file"
    bring_in(people.owner, rows)
    for note in (NO_PAPER, NO_FILE):
        work = take(people.expert)
        view = reading.triplet(people.expert, work)
        assert view.evidence_note == note
        assert [(each.text, each.match) for each in view.evidence] == [("Wages fell.", None)]
        hand_in(people.expert, work)
