"""What a run of models made becomes a figure's text with its rounds, guards and levels, one or all of them, once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Conflict, Refused
from core.runs.states import RunState
from core.texts.sections import BlockKind
from core.texts.states import TextState
from core.texts.views import TextView
from services.runs import planning
from services.runs import reading as run_reading
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import ruling
from services.study import Study
from services.texts import accept_generated, generated_texts, making, mark_ready, pages, reading
from services.texts.generated_texts import TextToTake
from store.papers import texts as paper_texts
from store.tables import new_id
from tests.services.run_parts import act, finished, set_up, start
from tests.services.text_parts import PAPER, block, lay_pages, settle_truth
from tests.shared_fixture import laid_once

ALL = ("markdown", "normalise", "explicitness")
LEAK = "Figure 1 shows that Rain is linked to Lake by an arrow."
LEAKY = (
    (*PAPER[0][:4], block(LEAK, 1, y=480), *PAPER[0][4:]),
    *PAPER[1:],
)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def figure(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:

    def make() -> SimpleNamespace:
        lay_pages(study, a_figure.sha256, LEAKY)
        settle_truth(study, a_figure.id)
        return a_figure

    return laid_once(request, study, make, people, a_figure)


def config(models: Sequence[str], tasks: Sequence[str] = ALL, **options: Any) -> RunConfig:
    return RunConfig(
        title="Texts",
        protocol="recite-texts",
        source=SampleSource(),
        tasks=tuple(tasks),
        variants=("standard",),
        models=tuple(models),
        options=options,
    )


def ran(study: Study, people: SimpleNamespace, server: RunningServer, wanted: RunConfig, **server_plays: Any) -> str:
    server.play(server_plays)
    set_up(people.owner, server, wanted.models)
    run_id = start(people.researcher, wanted)
    assert finished(study, people.researcher, run_id).state is RunState.WAITING
    return run_id


def laid(people: SimpleNamespace, run_id: str) -> TextToTake:
    (one,) = generated_texts.texts_of_run(people.researcher, run_id)
    return one


def taken(people: SimpleNamespace, one: TextToTake) -> TextView:
    accept_generated.take(people.researcher, one.id, seen=one.version, **act())
    view = reading.view(people.researcher, one.figure_id)
    assert view is not None
    return view


@pytest.mark.both(usually=False)
def test_a_text_is_taken_with_its_rounds_its_guards_and_its_levels_and_the_run_ends(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    run_id = ran(study, people, server, config(["texts:faithful"]))
    one = laid(people, run_id)
    assert (one.state, one.rounds, one.reasons, one.levels, one.is_taken) == ("draft", 1, (), True, False)
    assert one.passes and one.obstacle == ""
    view = taken(people, one)
    assert [each.label for each in view.stages] == ["Raw", "Markdown", "Round 1", "Round 2"]
    assert view.stages[1].producer == "texts:faithful, run 1"
    assert [each.was for each in view.stages[2].changes] == [LEAK] and not view.stages[3].changes
    assert (view.state, view.unmet_requirements) == (TextState.DRAFT, ())
    assert view.leaks is not None and view.leaks.passes
    made = reading.content(people.researcher, view.last.sha256)
    assert LEAK not in made and "(Berg, 2001)" not in made and "Rain fills the lake" in made
    assert view.kept.left == {BlockKind.AUTHORS: 4, BlockKind.FIGURE_TEXT: 3}, (
        "the script knows no layout: “Ann Berg, Town University” and the names are still there"
    )
    with study.store.reading() as session:
        (levels,) = paper_texts.levels_of(session, figure.id, view.last.sha256).items()
    # All three names are in the text.
    assert levels == ("model:texts:faithful", {"Lake": 1, "Rain": 1, "Town": 1})
    assert laid(people, run_id).is_taken
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    mark_ready.ready(people.researcher, figure.id, seen=view.version, **act())


def test_a_refused_text_is_taken_alone_as_a_refused_one_and_never_with_all(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    run_id = ran(study, people, server, config(["texts:invents"]))
    one = laid(people, run_id)
    assert (one.state, one.passes) == ("refused", False)
    assert "words are not in the paper" in one.reasons[0]
    found = accept_generated.take_all(people.researcher, run_id, act_id=new_id())
    assert (found.taken, [why for _, why in found.refused]) == ((), [" ".join(one.reasons)])
    assert reading.view(people.researcher, figure.id) is None
    assert taken(people, one).state is TextState.REFUSED


def test_rounds_without_end_are_taken_unfinished(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    run_id = ran(study, people, server, config(["texts:endless"], ["markdown", "normalise"]))
    view = taken(people, laid(people, run_id))
    assert (view.state, len(view.stages)) == (TextState.UNFINISHED, 2 + 6)


def test_all_are_taken_at_one_press_and_the_press_again_takes_nothing_twice(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    run_id = ran(study, people, server, config(["texts:faithful"], ["markdown"]))
    pressed = new_id()
    first = accept_generated.take_all(people.researcher, run_id, act_id=pressed)
    assert len(first.taken) == 1 and first.refused == ()
    again = accept_generated.take_all(people.researcher, run_id, act_id=pressed)
    assert (again.taken, again.refused) == ((), ())
    view = reading.view(people.researcher, figure.id)
    assert view is not None and len(view.stages) == 2


def test_the_papers_own_markdown_is_normalised_and_the_rounds_are_added_to_it(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    making.make(people.researcher, figure.id, **act())
    run_id = ran(study, people, server, config(["texts:faithful"], ["normalise", "explicitness"]))
    view = taken(people, laid(people, run_id))
    assert [each.label for each in view.stages] == ["Raw", "Markdown", "Round 1", "Round 2"]
    assert view.stages[1].producer == f"pymupdf4llm {pages.PRODUCER_VERSION}"
    assert LEAK not in reading.content(people.researcher, view.last.sha256)


def test_levels_alone_are_taken_beside_the_text_they_are_of(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    making.make(people.researcher, figure.id, **act())
    run_id = ran(study, people, server, config(["texts:faithful"], ["explicitness"]))
    one = laid(people, run_id)
    assert (one.state, one.levels) == ("levels", True)
    view = taken(people, one)
    assert len(view.stages) == 2
    with study.store.reading() as session:
        assert set(paper_texts.levels_of(session, figure.id, view.last.sha256)) == {"model:texts:faithful"}


def test_what_does_not_fit_any_more_or_was_decided_otherwise_is_refused(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, server: RunningServer
) -> None:
    run_id = ran(study, people, server, config(["texts:faithful"], ["markdown", "normalise"]))
    one = laid(people, run_id)
    with pytest.raises(Conflict):
        accept_generated.take(people.researcher, one.id, seen=one.version + 1, **act())
    ruling.rule(people.researcher, one.id, None, "no", seen=one.version, is_left_out=True, **act())
    with pytest.raises(Refused, match="left out by a decision"):
        accept_generated.take(people.researcher, one.id, seen=one.version + 1, **act())
    other = start(people.researcher, config(["texts:faithful"], ["markdown", "normalise"]))
    finished(study, people.researcher, other)
    with study.store.writing() as session:
        session.execute(text("UPDATE assignment SET state = 'open' WHERE kind = 'adjudication'"))
    assert laid(people, other).obstacle == generated_texts.OTHER_TRUTH
    with pytest.raises(Refused, match="The ground truth changed after this text was normalised"):
        accept_generated.take(people.researcher, laid(people, other).id, seen=1, **act())


def test_a_paper_whose_pages_nobody_read_is_named_in_the_plan(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, ["texts:faithful"])
    (fault,) = planning.plan(people.researcher, config(["texts:faithful"], ["markdown"])).faults
    assert fault.startswith("The pages of 1 paper have not been read yet") and "“Grain and people”" in fault
    plan_of_nobody = config(["texts:faithful"], papers="nobody")
    (unknown,) = planning.plan(people.researcher, plan_of_nobody).faults
    assert "“nobody”" in unknown
    with pytest.raises(BadInput, match="“nobody”"):
        start(people.researcher, plan_of_nobody)
    assert run_reading.runs(people.researcher) == ()
