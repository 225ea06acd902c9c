"""A text is made page by page, kept with what was taken out, and guarded; and what cannot be made says why."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import BadInput, Missing, Refused
from core.texts.sections import BlockKind
from core.texts.states import Stage, TextState
from core.texts.views import TextView, TruthState
from services.study import Study
from services.texts import guards, making, pages, reading
from services.texts.settings import TextSettings, save_settings
from store.tables import FileRow, new_id
from tests.conftest import Clock
from tests.services.text_parts import PAPER, block, lay_pages, settle_truth


@pytest.fixture
def figure(study: Study, a_figure: SimpleNamespace) -> SimpleNamespace:
    lay_pages(study, a_figure.sha256)
    return a_figure


def made(people: SimpleNamespace, figure: SimpleNamespace) -> TextView:
    making.make(people.researcher, figure.id, act_id=new_id())
    view = reading.view(people.researcher, figure.id)
    assert view is not None
    return view


@pytest.mark.both(usually=False)
def test_a_text_is_made_with_every_removal_kept(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    assert reading.view(people.researcher, figure.id) is None
    view = made(people, figure)
    assert [(each.label, each.stage) for each in view.stages] == [("Raw", Stage.RAW), ("Markdown", Stage.MARKDOWN)]
    kinds = [each.kind for each in view.last.changes]
    assert kinds == ["authors", "citation", "running head", "figure text", "caption", "reference", "reference"]
    assert [each.page for each in view.last.changes] == [1, 1, 1, 2, 2, 3, 3]
    text = reading.content(people.researcher, view.last.sha256)
    assert "The pipe carries what the town needs." in text
    assert "This was measured before." in text
    assert "Berg" not in text
    whole = reading.content(people.researcher, view.last.before_sha256)
    for change in view.last.changes:
        assert whole[change.start : change.end] == change.was
    assert "Ann Berg, Town University" in whole
    raw = reading.content(people.researcher, view.stages[0].sha256)
    assert "1\n\nRain Lake Town" in raw  # a page ends as a block does
    assert (view.pages, view.unseen, view.truth, view.leaks) == (3, 5, TruthState.NONE, None)
    assert view.in_words.startswith(f"3 pages, {view.last.words:,} words, none lost; leaks unknown")


def test_guards_are_asked_against_a_finished_truth(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    settle_truth(study, figure.id)
    view = made(people, figure)
    assert (view.truth, view.state) == (TruthState.FINISHED, TextState.DRAFT)
    assert view.leaks is not None
    assert view.leaks.passes
    assert view.unmet_requirements == ()
    assert sum(each.lost for each in view.kept.pages) == 0


def test_an_open_adjudication_leaves_leaks_unknown(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    from tests.services.release_parts import lay_truth

    lay_truth(study, figure.id, "Rain -> Lake", state="open")
    view = made(people, figure)
    assert (view.truth, view.leaks) == (TruthState.OPEN, None)
    assert "finish the adjudication first" in " ".join(view.unmet_requirements)


def test_a_picture_and_a_scan_are_refused_in_one_sentence(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    for values in ({"has_text": False}, {"media_type": "image/png"}):
        with study.store.writing() as session:
            row = session.get(FileRow, figure.sha256)
            assert row is not None
            row.has_text = True
            for name, value in values.items():
                setattr(row, name, value)
            session.add(row)
        with pytest.raises(BadInput) as caught:
            making.make(people.researcher, figure.id, act_id=new_id())
        assert str(caught.value) == pages.NO_TEXT


@pytest.mark.both(usually=False)
def test_it_is_made_once_of_a_file_unless_it_is_asked_for_again(
    people: SimpleNamespace, figure: SimpleNamespace, clock: Clock
) -> None:
    act_id = new_id()
    first = making.make(people.researcher, figure.id, act_id=act_id)
    assert making.make(people.researcher, figure.id, again=True, act_id=act_id).is_repeat
    with pytest.raises(Refused, match="If you make it again"):
        making.make(people.researcher, figure.id, act_id=new_id())
    before = reading.view(people.researcher, figure.id)
    clock.advance(hours=-1)  # set back: the text that is made last is shown all the same
    making.make(people.researcher, figure.id, again=True, act_id=new_id())
    after = reading.view(people.researcher, figure.id)
    assert before is not None
    assert after is not None
    assert first.subject_id == figure.id
    assert before.last.text_id != after.last.text_id
    assert before.last.sha256 == after.last.sha256


def test_a_models_markdown_passes_the_same_guards(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    view = made(people, figure)
    text = reading.content(people.researcher, view.last.sha256)
    invented = text.replace("## Introduction", "## Introduction\n\nNobody ever wrote this sentence about the moon.")
    making.keep_markdown(people.researcher, figure.id, invented, "step:item/1", again=True, act_id=new_id())
    found = reading.view(people.researcher, figure.id)
    assert found is not None
    assert found.last.producer == "step:item/1"
    assert found.state is TextState.REFUSED
    assert "8 of" in found.unmet_requirements[0]
    assert "are not in the paper" in found.unmet_requirements[0]


def test_thresholds_are_the_studys(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    view = made(people, figure)
    text = reading.content(people.researcher, view.last.sha256)
    shorter = text.replace("In summer the level of the water falls, and", "And")
    making.keep_markdown(people.researcher, figure.id, shorter, "model", again=True, act_id=new_id())
    found = reading.view(people.researcher, figure.id)
    assert found is not None
    assert found.state is TextState.REFUSED
    assert found.kept.reasons[0].endswith("5 % may be).")
    wanted = TextSettings(lost_share=0.5)
    save_settings(people.researcher, wanted, seen=0, act_id=new_id())
    found = reading.view(people.researcher, figure.id)
    assert found is not None
    assert found.state is TextState.DRAFT
    with pytest.raises(BadInput, match="must lie between 0 and 1"):
        save_settings(people.researcher, TextSettings(lost_share=1.5), seen=1, act_id=new_id())


def test_texts_are_handed_out_by_hash_only(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    made(people, figure)
    with pytest.raises(BadInput, match="64 hexadecimal digits"):
        reading.content(people.researcher, "../secret")
    with pytest.raises(Missing, match="it has changed"):
        reading.content(people.researcher, "0" * 64)


def test_captions_and_pictures_are_kinds_of_their_own(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    view = made(people, figure)
    by_kind = {each.kind: each.was.strip() for each in view.last.changes}
    assert by_kind[BlockKind.CAPTION].startswith("Figure 1.")
    assert by_kind[BlockKind.FIGURE_TEXT] == "Rain Lake Town"


@pytest.mark.both(usually=False)
def test_a_text_is_checked_against_the_pages_it_was_made_of_until_it_is_made_again(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_truth(study, figure.id)
    before = made(people, figure)
    monkeypatch.setattr(pages, "PRODUCER_VERSION", "next")
    monkeypatch.setattr(guards, "PRODUCER_VERSION", "next")  # what the guards said is worked out anew
    with study.store.reading() as session:
        assert pages.is_read(session, figure.sha256, 3) and not pages.is_read(session, figure.sha256, 4)
    after = reading.view(people.researcher, figure.id)
    assert after is not None and (after.kept, after.leaks) == (before.kept, before.leaks)
    assert sum(each.words for each in after.kept.sections) > 60
    lay_pages(study, figure.sha256, [[*PAPER[0], block("A line that only the newer reading sees.", 1)], *PAPER[1:]])
    making.make(people.researcher, figure.id, again=True, act_id=new_id())
    again = reading.view(people.researcher, figure.id)
    assert again is not None and again.stages[1].producer == "pymupdf4llm next"
    assert "only the newer reading sees" in reading.content(people.researcher, again.last.sha256)
    assert sum(each.lost + each.invented for each in again.kept.sections) == 0
