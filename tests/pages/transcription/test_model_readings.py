"""A model reads a figure while its annotator has it open."""

from __future__ import annotations

from types import SimpleNamespace

from components.desk.tab import tab_key
from services.study import Study
from services.transcription import transcribing
from store.tables import new_id
from tests.pages.screen import draw_alone, texts
from tests.pages.transcription.test_canvas import button, draw
from tests.pages.transcription.test_canvas import lines as do
from tests.services.transcription.test_model_reader import RunningServer, play_unsaid, program, run
from tests.services.transcription.test_model_reader import named as named
from tests.services.transcription.test_model_reader import server as server
from tests.services.transcription.test_model_reader import world as world


def test_what_a_model_reads_meanwhile_is_offered_after_the_next_act(
    sqlite_study: Study, people: SimpleNamespace, named: SimpleNamespace, server: RunningServer
) -> None:
    found = program(sqlite_study, named.figure)
    work = transcribing.take(people.annotator, named.figure, act_id=new_id()).subject_id
    do(people.annotator, work, "A -> B")
    page = draw_alone(draw, people.annotator, transcription=work)
    play_unsaid(server, found)
    run(sqlite_study, people.researcher, "right")
    do(people.annotator, work, "B -> C")
    page.run()
    held = page.session_state[tab_key("transcription", work)]
    assert len(held.offered.reading.edges) == len(found.edges) + 3  # without a look at what waits
    button(page, "Submit").click().run()
    assert not page.exception
    assert f"{len(found.edges) + 3} proposals are neither accepted nor rejected" in texts(page)
