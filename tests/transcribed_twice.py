"""A study in which people transcribed figures twice and blind, made through the services alone.

`python -m tests.transcribed_twice STORE` fills the demo study at a place with more of them, to look at screens.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from core.people import Viewer
from services.study import open_study, use_study
from services.transcription import practice, reading, transcribing
from store.tables import new_id

FIRST = "Rain ->+ Harvest; Debt\nHarvest ->+ Income\nIncome ->- Debt\nDebt ->- Income\nIncome ->+ Wells\nWells ->+ Rain"
SECOND = "Rain ->+ harvest; Debt\nharvest ->+ Income\nIncome ->+ Debt\nWells ->+ Income\nDebt ->- Income\nRain ->+ Snow"
"""Against the first: a typo, another sign, a turned arrow, one missing and one too many with a variable of its own."""


def transcribe(viewer: Viewer, figure_id: str, lines: str, *, delays: Sequence[int] = (), hand_in: bool = True) -> str:
    """Take a figure, draw it and hand it in; returns the graph's id. `delays`: places of edges with a delay mark."""
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=True, seen=1, act_id=new_id())
    drawn = reading.transcription(viewer, work)
    for place in delays:
        edge = drawn.record.ordered_edges()[place]
        seen = reading.transcription(viewer, work).version
        transcribing.edit_edge(viewer, work, edge.id, "delay", True, seen=seen, act_id=new_id())
    if hand_in:
        seen = reading.transcription(viewer, work).version
        transcribing.submit(viewer, work, seen=seen, act_id=new_id())
    return work


def drawing(seed: int, nodes: int, edges: int, slips: int) -> tuple[str, str]:
    """Lines of a made-up diagram, and of a second transcription of it with about so many slips."""
    chance = random.Random(seed)
    names = [f"Variable {number}" for number in range(nodes)]
    pairs = {(a, b) for a, b in (chance.sample(names, 2) for _ in range(edges * 2))}
    first = [(a, b, chance.choice("+-")) for a, b in sorted(pairs)[:edges]]
    second = list(first)
    for _ in range(slips):
        place = chance.randrange(len(second))
        source, sink, sign = second[place]
        second[place] = chance.choice([(sink, source, sign), (source, sink, "-" if sign == "+" else "+")])
    if slips > 1:
        second.pop()
    return _lines(first), _lines(dict.fromkeys(second))


def _lines(edges: object) -> str:
    return "\n".join(f'"{source}" ->{sign} "{sink}"' for source, sink, sign in edges)  # type: ignore[attr-defined]


def main(place: str, figures: int = 12) -> None:
    from core.people import Role
    from services.acting import TERMINAL, terminal_viewer
    from services.people.people import list_people
    from tests.conftest import add_figure

    study = open_study(place, Path(place).parent)
    use_study(study)
    annotators = [
        Viewer(person_id=row.id, name=row.name, roles=frozenset(row.roles), session_id=TERMINAL)
        for row in list_people(terminal_viewer())
        if row.is_demo and Role.ANNOTATOR in row.roles
    ]
    drawn_by = [viewer for viewer in annotators if not practice.due(viewer).is_anything]
    for number in range(figures):
        figure = add_figure(study, f"Made-up paper {number + 1}")
        lines = drawing(number, 6 + 2 * number, 8 + 2 * number, number % 4)
        people = random.Random(number).sample(drawn_by, 2)
        for viewer, text in zip(people, lines, strict=True):
            transcribe(viewer, figure.id, text)
    study.close()


if __name__ == "__main__":
    main(sys.argv[1])
