"""Who sees which import, in studies made by lot, against the rules asked of the bare rows one by one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from core.people import Viewer
from services.study import Study
from tests.everything import usual
from tests.services import import_worlds

pytestmark = pytest.mark.both(usually=False)


@pytest.mark.parametrize("seed", usual(range(12), *range(1, 12)))
def test_everybody_sees_the_imports_that_the_rules_leave_them(
    seed: int, study: Study, many_figures: Callable[[int], list[str]], newcomer: Callable[..., Viewer]
) -> None:
    lots, figures = Random(seed), many_figures(3)
    world = import_worlds.make(lots, figures, newcomer)
    assert import_worlds.compare(study, world, figures)[0]
