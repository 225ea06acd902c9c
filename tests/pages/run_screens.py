"""What tests of the screens of model runs share: triplets, a run that is begun or done, a page opened by its link."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer
from core.people import Viewer
from services.runs import endpoints, model_cards, planning
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.runs.begun import work
from tests.services.scoring_parts import act, bring_in

SIGNS = ("+", "-", "None", "+")
"""What is true of the rows of `rows`, over and over."""


def draw_runs(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from components import shell
    from pages.runs import screen as runs

    with shell.boundary():
        runs.show(viewer)


def draw_failures(viewer) -> None:  # type: ignore[no-untyped-def]
    from components import shell
    from pages.failures import screen as failures

    with shell.boundary():
        failures.show(viewer)


def draw_results(viewer) -> None:  # type: ignore[no-untyped-def]
    from components import shell
    from pages.results import screen as results

    with shell.boundary():
        results.show(viewer)


def opened(draw: Callable[..., None], viewer: Viewer, **link: str | Sequence[str]) -> AppTest:
    page = AppTest.from_function(draw, kwargs={"viewer": viewer}, default_timeout=60)
    for name, value in link.items():
        page.query_params[name] = value if isinstance(value, str) else list(value)
    return drawn(page)


def drawn(changed: Any) -> AppTest:
    """Run a page, or the page of a widget whose value was just set."""
    page: AppTest = changed.run()
    assert not page.exception, page.exception
    return page


def texts(page: AppTest) -> str:
    """Everything that is said outside of tables, as it is read."""
    shown = [
        *page.text,
        *page.markdown,
        *page.caption,
        *page.subheader,
        *page.error,
        *page.info,
        *page.warning,
        *page.success,
        *page.code,
    ]
    return re.sub(r"\\(.)", r"\1", "\n".join(str(each.value) for each in shown)).replace("\u2060", "")


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def press(page: AppTest, label: str) -> AppTest:
    return drawn(next(button for button in page.button if button.label == label).click())


def choose(page: AppTest, key: str, value: Any) -> AppTest:
    """Set a segmented control or pills."""
    (group,) = [each for each in page.button_group if each.key == key]
    return drawn(group.set_value(value))


def table(page: AppTest, place: int = 0) -> list[dict[str, str]]:
    return [dict(row) for row in page.dataframe[place].value.to_dict("records")]


# --- runs -------------------------------------------------------------------------------------------------------


def rows(number: int, **cells: Any) -> list[dict[str, Any]]:
    """Triplets that can be asked: two of a paper, one paper a year from 2001 on, signs as in SIGNS."""
    return [
        {
            "paper_id": f"p{n // 2}",
            "title": f"Paper {n // 2}",
            "publication_year": 2001 + n // 2,
            "published_venue": "American Economic Review",
            "jel_codes": "J,H" if n < 2 else "J",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": SIGNS[n % 4],
            "context": f"Setting number {n}.",
            **cells,
        }
        for n in range(number)
    ]


def triplets(viewer: Viewer, number: int = 8, **cells: Any) -> str:
    """Import rows and return their collection."""
    return bring_in(viewer, rows(number, **cells))


def models(owner: Viewer, server: RunningServer, **named: str) -> None:
    """An endpoint called lab at the loopback server, and a card for each name with the model it asks."""
    endpoints.save_endpoint(
        owner, EndpointDraft(name="lab", base_url=server.url, concurrency=8, deadline_s=10), seen=0, **act()
    )
    for name, model in named.items():
        card = ModelCardDraft(name=name, endpoint="lab", model=model, price_input=1.0, price_output=2.0)
        model_cards.save_card(owner, card, seen=0, **act())


def start(viewer: Viewer, collection: str, **wanted: Any) -> str:
    """Set up a run on task 1 and return its id; by default of one baseline."""
    given = {"title": "A run", "tasks": ("task1",), "variants": ("context",), "baselines": ("always-plus",), **wanted}
    return planning.start(viewer, RunConfig(source=SampleSource((collection,)), **given), **act()).subject_id


def done(study: Study, viewer: Viewer, collection: str, **wanted: Any) -> str:
    """The same, worked off."""
    run = start(viewer, collection, **wanted)
    work(study.store)
    return run
