"""Who sees which imported graph, in many studies made by lot: nobody one of a figure that they are to draw blind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from core.people import Role, Viewer
from services.study import Study, open_study, use_study
from tests.conftest import Clock, joined
from tests.services import import_worlds
from tests.services.conftest import located
from tests.soak.table import scaled

WORLDS = scaled(150, least=10)
FIGURES = 3


@pytest.mark.proof("T7", "imports in randomly made studies: every person's list, searches and links", gate="0 shown")
def test_nobody_sees_an_import_of_a_figure_that_they_are_to_draw_blind(
    migrated_sqlite: Path, tmp_path: Path, clock: Clock, record_property: Callable[[str, object], None]
) -> None:
    pairs = hidden = 0
    for seed in range(1_000, 1_000 + WORLDS):
        path = Path(shutil.copyfile(migrated_sqlite, tmp_path / f"{seed}.edgewise"))
        study = open_study(str(path), tmp_path / "home", clock=clock)
        use_study(study)
        try:
            figures = located(study, FIGURES)
            world = import_worlds.make(Random(seed), figures, joining(study))
            found = import_worlds.compare(study, world, figures)
        finally:
            use_study(None)
            study.close()
        pairs, hidden = pairs + found[0], hidden + found[1]
    assert hidden
    record_property("repetitions", WORLDS)
    record_property("figure", f"{pairs:,} pairs of a person and an import, {hidden:,} hidden; 0 shown, 0 missing")


def joining(study: Study) -> Callable[..., Viewer]:
    def join(name: str, *roles: Role) -> Viewer:
        with study.store.writing() as session:
            return joined(session, study.clock(), name, roles, True)

    return join
