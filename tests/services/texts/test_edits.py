"""Changes of a text: rejected, restored, made by hand, in rounds; each carried through what rests on it, and undone."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict, Missing, Refused
from core.texts.states import MOST_ROUNDS, TextState
from core.texts.views import TextView
from services.study import Study
from services.texts import edits, making, mark_ready, reading
from store.tables import AssignmentRow, GraphRow, new_id
from tests.services.acts import VersionedAct
from tests.services.release_parts import lay_truth
from tests.services.text_parts import TRUTH, lay_pages, settle_truth
from tests.shared_fixture import laid_once


class Text:
    """A figure's text and what a researcher does to it."""

    def __init__(self, people: SimpleNamespace, figure_id: str) -> None:
        self.viewer, self.id = people.researcher, figure_id

    @property
    def view(self) -> TextView:
        found = reading.view(self.viewer, self.id)
        assert found is not None
        return found

    def content(self, stage: int = -1) -> str:
        return reading.content(self.viewer, self.view.stages[stage].sha256)

    def whole(self, stage: int) -> str:
        return reading.content(self.viewer, self.view.stages[stage].before_sha256)

    def state(self) -> TextState:
        return self.view.state

    def is_stale(self) -> bool:
        return self.view.staleness is not None

    @property
    def now(self) -> VersionedAct:
        return {"seen": self.view.version, "act_id": new_id()}

    def number(self, kind: str, stage: int = 1) -> int:
        return next(each.number for each in self.view.stages[stage].changes if each.kind == kind)

    def reject(self, number: int, stage: int = 1) -> None:
        view = self.view
        edits.reject(self.viewer, self.id, view.stages[stage].text_id, number, seen=view.version, act_id=new_id())

    def restore(self, number: int, stage: int = 1) -> None:
        view = self.view
        edits.restore(self.viewer, self.id, view.stages[stage].text_id, number, seen=view.version, act_id=new_id())

    def replace(self, was: str, replacement: str) -> None:
        view = self.view
        start = reading.content(self.viewer, view.last.sha256).index(was)
        edits.replace(
            self.viewer,
            self.id,
            view.last.text_id,
            start,
            start + len(was),
            replacement,
            was=was,
            seen=view.version,
            act_id=new_id(),
        )

    def round(self, *entries: tuple[str, str, str], producer: str = edits.BY_LIST) -> None:
        listed = [dict(zip(("start", "end", "replacement"), each, strict=True)) for each in entries]
        edits.add_round(self.viewer, self.id, {"normalizations": listed}, producer=producer, **self.now)

    def undo(self) -> None:
        edits.undo(self.viewer, self.id, **self.now)

    def redo(self) -> None:
        edits.redo(self.viewer, self.id, **self.now)

    def ready(self) -> None:
        mark_ready.ready(self.viewer, self.id, **self.now)

    def holds_together(self) -> bool:
        """Whether every change names the words that stand before it, and each stage begins where the last ended."""
        view = self.view
        for place, stage in enumerate(view.stages[1:], 1):
            whole = self.whole(place)
            assert all(whole[each.start : each.end] == each.was for each in stage.changes)
            if place > 1:
                assert stage.before_sha256 == view.stages[place - 1].sha256
        return True


@pytest.fixture
def text(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest) -> Text:

    def make() -> Text:
        lay_pages(study, a_figure.sha256)
        settle_truth(study, a_figure.id)
        making.make(people.researcher, a_figure.id, act_id=new_id())
        return Text(people, a_figure.id)

    return laid_once(request, study, make, people, a_figure)


def test_a_rejected_removal_stands_again_and_goes_again(text: Text) -> None:
    before = text.content()
    number = text.number("running head")
    text.reject(number)
    assert "The pipe carries\n\n1 what" not in text.content()
    assert "\n\n1\n\n" in text.whole(1)
    assert text.content().count("1") == 1
    text.restore(number)
    assert text.content() == before
    with pytest.raises(Refused, match="stands already"):
        text.restore(number)
    assert text.holds_together()


def test_halves_of_a_sentence_stay_apart_when_what_was_between_stands_again(text: Text) -> None:
    assert "The pipe carries what the town needs." in text.content()
    text.reject(text.number("caption"))
    assert "causal loop diagram.\n\nwhat the town needs." in text.content()
    text.restore(text.number("caption"))
    text.reject(text.number("figure text"))
    assert "The pipe carries\n\nRain Lake Town\n\nwhat the town needs." in text.content()
    assert text.holds_together()


@pytest.mark.both(usually=False)
def test_a_rejection_is_carried_through_later_rounds(text: Text) -> None:
    text.round(("carry buckets", "carry buckets", "walk"))
    text.replace("people of the town", "townspeople")
    assert [each.label for each in text.view.stages] == ["Raw", "Markdown", "Round 1", "Round 2"]
    text.reject(text.number("citation"))
    assert "(Berg, 2001)" in text.content()
    assert "the townspeople must walk from the river" in text.content()
    assert text.holds_together()
    text.reject(1, stage=2)
    assert "the townspeople must carry buckets from the river" in text.content()
    assert text.holds_together()


def test_words_that_a_later_change_replaced_must_be_freed_first(text: Text) -> None:
    text.replace("carry buckets", "walk daily")
    text.replace("walk daily from", "walk from")
    assert [each.label for each in text.view.stages][2:] == ["Round 1", "Round 2"]
    with pytest.raises(Refused, match="Round 2, change 1 replaces words of this place"):
        text.reject(1, stage=2)
    text.reject(1, stage=3)
    text.reject(1, stage=2)
    assert "must carry buckets from the river" in text.content()
    assert text.holds_together()
    text.restore(1, stage=3)
    assert text.holds_together()


@pytest.mark.both(usually=False)
def test_undo_and_redo_of_rulings_and_of_a_replaced_stretch(text: Text) -> None:
    first = text.content()
    text.replace("carry buckets", "walk")
    second = text.content()
    text.reject(text.number("citation"))
    third = text.content()
    text.undo()
    assert text.content() == second
    text.undo()
    assert text.content() == first
    assert not text.view.can_undo
    with pytest.raises(Refused, match="nothing to undo"):
        text.undo()
    text.redo()
    text.redo()
    assert text.content() == third
    assert not text.view.can_redo
    text.undo()
    text.reject(text.number("caption"))
    assert not text.view.can_redo


def test_a_list_with_a_fault_changes_nothing_and_says_where(text: Text) -> None:
    before = text.view.version
    with pytest.raises(BadInput) as caught:
        text.round(("carry buckets", "carry buckets", "walk"), ("the moon", "the sun", ""))
    assert str(caught.value) == "Round 1, entry 2: the start “the moon” does not appear in the text."
    assert text.view.version == before
    with pytest.raises(BadInput, match="at most 20 %"):
        text.round(("In summer", "houses.", ""))


def test_words_of_nowhere_are_flagged(text: Text) -> None:
    text.round(("carry buckets", "carry buckets", "obey feedback loop R2"))
    (change,) = text.view.last.changes
    assert change.flagged == ("obey", "feedback", "loop", "r2")
    assert text.view.last.taken_out == pytest.approx(2 / text.view.stages[1].words, abs=1e-6)


def test_rounds_without_end_leave_a_text_unfinished_until_a_person_ends_them(text: Text) -> None:
    for number in range(1, MOST_ROUNDS + 1):
        text.round((f"{'very ' * (number - 1)}far away", "away", f"{'very ' * number}far away"), producer="step:x/1")
    assert text.state() is TextState.UNFINISHED
    with pytest.raises(Refused, match="End the rounds first"):
        text.ready()
    edits.end_rounds(text.viewer, text.id, **text.now)
    assert text.state() is TextState.DRAFT


def test_nothing_is_normalised_against_an_open_adjudication(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_pages(study, a_figure.sha256)
    lay_truth(study, a_figure.id, TRUTH, state="open")
    making.make(people.researcher, a_figure.id, act_id=new_id())
    text = Text(people, a_figure.id)
    attempts: list[Callable[[], None]] = [
        lambda: text.round(("far away", "away", "far")),
        lambda: text.replace("far away", "far"),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="never normalised against a graph that may still change"):
            attempt()
    assert len(text.view.stages) == 2


def test_another_version_or_text_is_refused(text: Text) -> None:
    stage = text.view.stages[1].text_id
    with pytest.raises(Conflict):
        edits.reject(text.viewer, text.id, stage, 1, seen=99, act_id=new_id())
    with pytest.raises(Missing, match="has no change 99"):
        text.reject(99)
    with pytest.raises(BadInput, match="has other words there"):
        edits.replace(text.viewer, text.id, stage, 0, 3, "x", was="moon", **text.now)
    making.make(text.viewer, text.id, again=True, act_id=new_id())
    with pytest.raises(Missing, match="made again since"):
        edits.reject(text.viewer, text.id, stage, 1, **text.now)


@pytest.mark.both
def test_a_repeat_is_harmless(text: Text) -> None:
    stage, act_id, seen = text.view.stages[1].text_id, new_id(), text.view.version
    first = edits.reject(text.viewer, text.id, stage, 1, seen=seen, act_id=act_id)
    again = edits.reject(text.viewer, text.id, stage, 1, seen=seen, act_id=act_id)
    assert (first.version, again.version, again.is_repeat) == (seen + 1, seen + 1, True)


# --- ready and stale ---------------------------------------------------------------------------------------------


def adjudicate_again(study: Study, figure_id: str, lines: str) -> None:
    """Archive the ground truth and lay another one down, as a further round does."""
    with study.store.writing() as session:
        from sqlmodel import select

        for row in session.exec(select(GraphRow).where(GraphRow.figure_id == figure_id)):
            row.archived_at = study.clock()
            session.add(row)
        for work in session.exec(select(AssignmentRow).where(AssignmentRow.subject_id == figure_id)):
            session.delete(work)
    lay_truth(study, figure_id, lines)


def test_ready_needs_the_guards_and_a_truth_and_no_model(text: Text) -> None:
    text.ready()
    assert text.state() is TextState.READY
    assert text.view.is_ready
    with pytest.raises(Refused, match="ready already"):
        text.ready()
    text.replace("carry buckets", "walk")
    assert text.state() is TextState.DRAFT


def test_a_structural_leak_refuses_a_text(text: Text) -> None:
    text.replace("carry buckets", "obey Rain → Lake and walk")
    assert text.view.state is TextState.REFUSED
    with pytest.raises(Refused, match="an arrow between two names"):
        text.ready()
    text.undo()
    text.ready()


@pytest.mark.both(usually=False)
def test_a_new_truth_makes_a_text_stale_until_somebody_confirms(study: Study, text: Text) -> None:
    text.ready()
    adjudicate_again(study, text.id, f"{TRUTH}; Rain -> Town +; Lake -> Rain -")
    view = text.view
    assert view.staleness is not None
    assert view.staleness.in_words == "The ground truth changed after this text was normalised: 2 more edges."
    assert (view.state, view.is_ready) == (TextState.READY, False)
    assert [line.is_stale for line in reading.lines(text.viewer)] == [True]
    mark_ready.confirm(text.viewer, text.id, **text.now)
    assert text.view.is_ready
    with pytest.raises(Refused, match="the one this text was made against"):
        mark_ready.confirm(text.viewer, text.id, **text.now)


def test_the_same_truth_drawn_anew_makes_nothing_stale(study: Study, text: Text) -> None:
    text.ready()
    adjudicate_again(study, text.id, "Town -> Lake -; Rain -> Lake +; Lake -> Town +")
    assert text.view.is_ready


def test_normalising_again_ends_staleness(study: Study, text: Text) -> None:
    text.ready()
    adjudicate_again(study, text.id, f"{TRUTH}; Rain -> Town +")
    text.replace("the river", "a river")
    assert text.is_stale(), "a stretch marked by hand is no look at the new graph"
    text.round(("far away", "away", "far"))
    assert not text.is_stale()
    text.ready()
    mark_ready.undo(text.viewer, text.id, **text.now)
    assert text.state() is TextState.DRAFT
