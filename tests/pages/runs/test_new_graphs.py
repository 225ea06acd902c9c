"""New run, graphs from texts: the table that was imported is chosen, baselines are on, and the dry run counts."""

from __future__ import annotations

from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.study import Study
from tests.pages.run_screens import draw_runs, drawn, opened, press, texts
from tests.services.run_parts import act
from tests.services.text_parts import lay_pages, settle_truth
from tests.services.texts.test_labelling import NAMES, make_ready

ROWS = tuple(
    ReciteRow(id=number, nodes=("Rain", "Harvest"), edges=(("Rain", "Harvest"),), input_text=text)
    for number, text in enumerate(("Rain makes harvest.", "More rain.", None))
)


def samples(page: AppTest) -> list[str]:
    """Return the samples of each task and variant in the dry run."""
    (counts,) = [each.value for each in page.dataframe if "Samples" in each.value.columns]
    return list(counts["Samples"])


def test_an_imported_table_is_chosen_with_the_first_task_and_its_baselines(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    key = sample_tables.import_samples(
        people.researcher, "urmia.parquet", write_default(ROWS), with_faulty=False, **act()
    ).subject_id
    page = opened(draw_runs, people.researcher, show="new", protocol="recite", table=key)
    chosen = next(each for each in page.selectbox if each.label == "Samples from")
    assert chosen.options == ["urmia · 2 of 3 samples with a text"]
    press(page, "Start dry run")
    said = texts(page)
    assert "1 sample of 3 is left out: 2." in said
    assert samples(page) == ["2"]
    assert "Choose a release, a table" not in said
    variants = next(each for each in page.button_group if each.label == "Variants")
    drawn(variants.set_value(["standard", "names"]))
    press(page, "Start dry run")
    assert samples(page) == ["2", "2"]
    assert "The baseline hub has no answer to 2 samples" in texts(page)


def test_ready_texts_of_the_study_are_offered_without_a_release_or_a_licence(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    settle_truth(sqlite_study, a_figure.id, NAMES)
    make_ready(people, a_figure.id)
    page = opened(draw_runs, people.researcher, show="new", protocol="recite")
    chosen = next(each for each in page.selectbox if each.label == "Samples from")
    assert chosen.options == ["Texts of this study · 1 ready, also without a licence"]
    press(page, "Start dry run")
    assert samples(page) == ["1"]
