"""Settings: each section's form saves, does not overwrite what others saved, and is drawn for those who may only."""

from __future__ import annotations

from types import SimpleNamespace

from core.papers.releases import SingleTruths
from core.triplets.forms import Rubric
from services.graphs import blind_settings
from services.people import study_name
from services.queue import settings as queue_settings
from services.queue.settings import QueueSettings
from services.releases import settings as release_settings
from services.study import Study
from services.transcription import proposal_settings
from services.transcription.post_submission import settings as late_settings
from services.transcription.proposal_settings import ProposalSettings
from services.triplets import settings
from store.tables import new_id
from tests.pages.screen import button, open_settings, press, texts
from tests.services.scoring_parts import bring_in, rows_of, settle


def test_the_owner_names_the_study_and_researchers_do_not(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = open_settings(people.owner, "study")
    (field,) = page.text_input
    assert field.value == sqlite_study.name
    field.set_value("  Farms \n and rain ")
    press(page, "Save name")
    assert sqlite_study.title == "Farms and rain" == study_name.study_name(people.owner).name
    page = open_settings(people.researcher, "study")
    assert not page.text_input
    assert page.get("button_group")[0].proto.options[0].content == "Figures"


def test_the_rules_are_kept_and_not_over_someone_elses(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = open_settings(people.owner, "figures")
    page.slider[0].set_value(40)
    press(page, "Keep these settings")
    assert queue_settings.settings(people.owner) == QueueSettings(2, 0.4, 1, 72, 1)
    queue_settings.save_settings(people.researcher, QueueSettings(3), seen=1, act_id=new_id())
    page.slider[0].set_value(60)
    button(page, "Save settings").click()
    page.run()
    assert "changed these settings" in texts(page)
    assert queue_settings.settings(people.owner).overlap == 3


def test_the_owner_alone_lets_single_transcriptions_be_ground_truth(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = open_settings(people.owner, "figures")
    (choice,) = page.radio
    assert choice.value == "never"
    choice.set_value("reviewed")
    press(page, "Save choice")
    assert release_settings.settings(people.owner).single is SingleTruths.REVIEWED
    assert not open_settings(people.researcher, "figures").radio


def test_the_owner_alone_says_whether_annotators_see_imports_that_belong_to_no_figure(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    words = "Show annotators imported graphs that belong to no figure"
    page = open_settings(people.owner, "figures")
    (box,) = [each for each in page.checkbox if each.label == words]
    assert box.value is False
    box.check()
    [each for each in page.button if each.label == "Save setting"][-1].click()
    page.run()
    assert not page.exception and blind_settings.settings(people.owner).shows_imports
    assert [each.value for each in page.checkbox if each.label == words] == [True]
    assert words not in [each.label for each in open_settings(people.researcher, "figures").checkbox]


def test_the_owner_sets_the_share_without_and_sees_it_kept(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = open_settings(people.owner, "proposals")
    page.slider[0].set_value(25)
    page.number_input[0].set_value(7)
    page.checkbox[0].check()
    press(page, "Save settings")
    stored = proposal_settings.settings(people.owner)
    assert (stored.on, stored.share_without, stored.seed, stored.for_second) == (True, 0.25, 7, True)
    assert "Saved 12:00:00" in texts(page)


def test_proposal_settings_changed_by_someone_else_are_not_overwritten(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = open_settings(people.owner, "proposals")
    proposal_settings.save_settings(people.owner, ProposalSettings(on=False), seen=0, act_id=new_id())
    page.slider[0].set_value(25)
    press(page, "Save settings")
    assert "changed these settings" in texts(page)
    assert proposal_settings.settings(people.owner).on is False


def test_the_owner_switches_it_under_proposals(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = open_settings(people.owner, "proposals")
    toggle = next(each for each in page.toggle if each.label == "Show the program's reading after submitting")
    assert toggle.value
    toggle.set_value(False)
    press(page, "Save setting")
    assert not late_settings.settings(people.owner).on


def test_the_sample_is_seen_year_by_year_before_it_is_saved(people: SimpleNamespace, sqlite_study: Study) -> None:
    rows = rows_of(6)
    for row in rows[:4]:
        row["publication_year"] = 1990
    key = bring_in(people.owner, rows)
    page = open_settings(people.owner, "triplets")
    assert "6 of 6 triplets, 2 raters each: 12 scorings" in texts(page)
    by_label = {each.label: each for each in page.number_input}
    by_label["Triplets per year"].set_value(2)
    by_label["Raters per triplet"].set_value(3)
    page.multiselect[0].set_value([key])
    page.run()
    assert "4 of 6 triplets, 3 raters each: 12 scorings" in texts(page)
    assert page.dataframe[0].value["Drawn"].tolist() == ["2", "1", "1"]
    assert settings.settings(people.owner).version == 0
    button(page, "Save settings").click().run()
    assert not page.exception, page.exception
    stored = settings.settings(people.owner)
    assert (stored.per_year, stored.overlap, stored.collections, stored.rubric) == (2, 3, (key,), Rubric.ECONCAUSAL)
    assert "Saved 12:00:00" in texts(page)


def test_triplet_settings_changed_meanwhile_are_not_overwritten(sqlite_study: Study, people: SimpleNamespace) -> None:
    page = open_settings(people.owner, "triplets")
    settle(people.researcher, overlap=5)
    button(page, "Save settings").click().run()
    assert "Someone has changed these settings since you opened them." in texts(page)
    assert settings.settings(people.owner).overlap == 5
