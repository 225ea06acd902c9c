"""Tables are those of the runs' own protocol, grouped by whatever labels it has; runs of two share no table."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from core.analysis.groupings import by_label
from core.analysis.metrics import ACCURACY
from core.analysis.presets import MODELS, Part, Preset, ProtocolTables
from core.errors import BadInput, Missing
from protocols import PROTOCOLS
from services.results import results
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.services.run_parts import start, work_here
from tests.services.scoring_parts import bring_in

pytestmark = pytest.mark.both

COLOUR = by_label("colour", "Colour", "no colour")


def colours(facts: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    last = int(str(facts["treatment"])[-1])
    return {"colour": ("red", "blue")[: last % 3]}


TOY = ProtocolTables(
    presets={
        "colour": Preset(
            key="colour", title="By colour", told="Accuracy by colour.", parts=(Part((ACCURACY,), MODELS, rows=COLOUR),)
        )
    },
    told="accuracy by colour",
    labels_of=colours,
    cluster_of=lambda facts: None,
)


@pytest.fixture
def runs(study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Two finished runs of one baseline over nine triplets; the second follows a protocol of the test."""
    rows = [{"treatment": f"Cause {n}", "outcome": "It", "sign": "+-"[n % 2], "context": "Here."} for n in range(9)]
    source = SampleSource((bring_in(people.researcher, rows),))
    wanted = RunConfig(title="One", source=source, tasks=("task1",), variants=("context",), baselines=("always-plus",))
    first, second = (start(people.researcher, wanted) for _ in range(2))
    work_here(study)
    toy: Any = SimpleNamespace(name="toy", short_title="Toy", tasks=(), tables=TOY, variant_titles={})
    monkeypatch.setitem(PROTOCOLS, "toy", toy)
    with study.store.writing() as session:
        session.execute(text("UPDATE run SET protocol = 'toy' WHERE id = :run"), {"run": second})
    return SimpleNamespace(first=first, second=second, viewer=people.reviewer)


@pytest.mark.both(usually=False)
def test_runs_of_two_protocols_are_in_no_table_together(runs: SimpleNamespace) -> None:
    told = r"Run 1 follows EconCausal, run 2 Toy, but a table needs one protocol\."
    for look in (
        lambda: results.results(runs.viewer, [runs.first, runs.second], "main"),
        lambda: results.slices(runs.viewer, [runs.first, runs.second], "main"),
        lambda: results.reliability(runs.viewer, [runs.first, runs.second]),
        lambda: results.presets_of(runs.viewer, [runs.first, runs.second]),
    ):
        with pytest.raises(BadInput, match=told):
            look()


def test_a_run_has_the_tables_of_its_own_protocol_by_whatever_labels_it_gives(runs: SimpleNamespace) -> None:
    assert [each.key for each in results.presets_of(runs.viewer, [runs.first])][:3] == ["main", "sign", "classes"]
    assert [each.title for each in results.presets_of(runs.viewer, [runs.second])] == ["By colour"]
    assert results.told().endswith("; accuracy by colour")
    assert {"main", "colour"} <= {each.key for each in results.presets()}
    with pytest.raises(BadInput, match="Unknown table “main”; choose from colour"):
        results.results(runs.viewer, [runs.second], "main")
    with pytest.raises(BadInput, match="Unknown table “colour”; choose from main"):
        results.results(runs.viewer, [runs.first], "colour")
    (table,) = results.results(runs.viewer, [runs.second], "colour")
    assert (table.row_title, table.row_labels) == ("Colour", ("blue", "red", "no colour"))
    cells = {label: table.cells[label, "always-plus"] for label in table.row_labels}
    assert {label: cell.n_total for label, cell in cells.items()} == {"blue": 3, "red": 6, "no colour": 3}
    # Even causes are positive: of 2, 5, 8 two; of 1, 2, 4, 5, 7, 8 three; of 0, 3, 6 two.
    assert [cell.estimate.value for cell in cells.values()] == [2 / 3, 1 / 2, 2 / 3]


@pytest.mark.both(usually=False)
def test_accuracy_is_the_share_of_answers_that_were_scored_as_right(runs: SimpleNamespace, study: Study) -> None:
    """Whatever the labels say: another protocol may hold an answer against the truth in another way."""

    def accuracy() -> float | None:
        return results.results(runs.viewer, [runs.second], "colour")[0].cells["red", "always-plus"].estimate.value

    assert accuracy() == 1 / 2
    with study.store.writing() as session:
        session.execute(text("UPDATE run_item SET is_right = true"))
        session.execute(text("UPDATE run SET version = version + 1"))
    assert accuracy() == 1
    with study.store.writing() as session:
        session.execute(text("UPDATE run SET protocol = 'later'"))
    with pytest.raises(Missing, match="follows the protocol “later”; this Edgewise knows causalgraph2llm, econcausal"):
        results.results(runs.viewer, [runs.first], "main")
