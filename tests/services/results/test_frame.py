"""The whole frame of the demo's runs: documented columns, and every table from its file as from the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from core.analysis import analyse
from core.analysis.frame import COLUMNS, GROUPS
from core.analysis.slices import Slice
from core.analysis.tables import as_json
from core.scoring.interval import Resampling
from exchange.result_frame import FrameForm, read_frame
from protocols import PROTOCOLS
from services.acting import terminal_viewer
from services.results import files
from services.results.frame import frame, names_to_slice_by
from services.runs.reading import find_run
from services.study import Study, open_study, use_study
from store.tables.runs import RunRow
from tests.everything import EVERYTHING, usual
from tests.one_demo import copied

ME = terminal_viewer()
SCORED = ("econcausal", "lee", "recite", "causalgraph2llm")
HOW = Resampling(1, 20)


@pytest.fixture(scope="module")
def demo(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    home = tmp_path_factory.mktemp("demo")
    study = open_study(str(copied(made_demo, home)), home)
    use_study(study)
    yield study
    use_study(None)
    study.close()


def runs_of(study: Study) -> list[tuple[int, str]]:
    with study.store.reading() as session:
        return [(row.number, row.protocol) for row in session.exec(select(RunRow)) if row.protocol in SCORED]


def test_every_column_is_documented_and_every_documented_group_occurs(demo: Study) -> None:
    names = set[str]()
    with demo.store.reading() as session:
        for number, _protocol in runs_of(demo):
            names |= set(frame(session, [find_run(session, str(number))], is_whole=True).columns)
    assert {name for name in names if "." not in name} == COLUMNS.keys()
    assert {f"{name.partition('.')[0]}." for name in names if "." in name} == GROUPS.keys()


@pytest.mark.parametrize("form", usual(list(FrameForm), FrameForm.CSV))
def test_every_table_from_a_file_is_the_table_from_the_store(demo: Study, form: FrameForm) -> None:
    for number, protocol in runs_of(demo):
        of = PROTOCOLS[protocol]
        exported, many = files.export_items(ME, [str(number)], form)
        with demo.store.reading() as session:
            stored = frame(session, [find_run(session, str(number))], is_whole=True)
        read = read_frame(exported.content, exported.name)
        assert len(read) == len(stored) == many
        ready, again = (analyse.prepared(each, of.tables, of.variant_titles, Slice()) for each in (stored, read))
        presets = list(of.tables.presets.values())
        for preset in presets if EVERYTHING else presets[::4]:
            stored_tables, read_tables = (analyse.tables(each, preset, Slice(), HOW) for each in (ready, again))
            for one, other in zip(map(as_json, stored_tables), map(as_json, read_tables), strict=True):
                for cell, other_cell in zip(one.pop("cells"), other.pop("cells"), strict=True):
                    assert cell == {
                        name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
                        for name, value in other_cell.items()
                    }, (number, preset.key)
                assert one == other


def test_use_is_summed_over_the_requests_of_an_item_and_cards_are_those_of_the_run(demo: Study) -> None:
    with demo.store.reading() as session:
        row = find_run(session, "1")
        found = frame(session, [row], is_whole=True).set_index("model")
    card = row.settings["models"]["Demo reader (scripted)"]
    asked = found.loc["Demo reader (scripted)"]
    assert asked["cost_usd"].gt(0).all() and asked["tokens_out"].gt(0).all()
    assert set(asked["family"]) == {card["family"]} and set(asked["open_weight"]) == {card["is_open_weight"]}
    baseline = found.loc["majority"]
    assert set(baseline["kind"]) == {"baseline"} and baseline["cost_usd"].fillna(0).eq(0).all()


def test_variants_of_a_question_have_one_pair(demo: Study) -> None:
    with demo.store.reading() as session:
        found = frame(session, [find_run(session, "1")], is_whole=True)
    by_pair = found.groupby("pair", observed=True)["variant"].nunique()
    assert found["variant"].nunique() == 2 and by_pair.eq(2).all()
    assert found.groupby("sample", observed=True)["variant"].nunique().eq(1).all()


def test_a_run_of_judges_is_sliced_by_the_facts_of_the_judged_samples_that_have_a_value(demo: Study) -> None:
    with demo.store.reading() as session:
        judges = find_run(session, "6")
        names = names_to_slice_by(session, [judges])
        columns = set(frame(session, [judges], is_whole=True).columns)
    assert {"fact.characters", "fact.density", "count.cycles"} <= set(names)
    assert "fact.explicitness" not in names and "fact.domain" not in names, "the demo's samples have none"
    assert set(names) <= columns
