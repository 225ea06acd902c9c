"""Two transcriptions of the demo's diagram of waiting lists that differ in every way two can, for tests of the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.drawing import locate

DEMO = Path(__file__).resolve().parents[2] / "demo" / "waiting-lists.pdf"
BOX = (84, 84, 511, 384)
FIRST = """\
"Referrals from general practice" ->+ "Patients waiting"
"Patients waiting" ->+ "Waiting time"
"Waiting time" ->- "Referrals from general practice"
"Treatments per week" ->- "Patients waiting"
"Treatments per week" ->- "Waiting time"
"Patients waiting" ->+ "Staff workload"
"Staff workload" ->+ "Overtime worked"
"Overtime worked" ->+ "Treatments per week"
"Staff workload" ->- "Experienced staff"
"Experienced staff" ->+ "Treatments per week"
"Waiting time" ->+ "Emergency admissions"
"Emergency admissions" ->- "Beds free for planned care"
"Beds free for planned care" ->+ "Treatments per week"
"Staff on sick leave" ->- "Treatments per week"
"""
SECOND = """\
"Referals from general practice" ->+ "Patients waiting"
"Patients waiting" ->+ "Waiting time"
"Waiting time" ->- "Referals from general practice"
"Treatments per week" ->- "Patients waiting"
"Patients waiting" ->+ "Staff workload"
"Staff workload" ->- "Overtime worked"
"Overtime worked" ->+ "Treatments per week"
"Staff workload" ->- "Experienced staff"
"Experienced staff" ->+ "Treatments per week"
"Emergency admissions" ->+ "Waiting time"
"Emergency admissions" ->- "Beds free"
"Beds free" ->+ "Treatments per week"
"Experienced staff" ->- "Staff on leave abroad"
"""
"""Names: a typo (Referals), a shorter one (Beds free), and one that is another variable than A's (Staff on leave
abroad). Arrows: one that only A drew and one that each drew with a variable of their own, one turned round, one with
another sign, and one whose delay mark only A has."""

DRAW = """
from core.people import Viewer
from services.transcription import reading, transcribing
from services.acting import TERMINAL
ids = {person.name: Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id=TERMINAL)
       for person in people.list_people(terminal)}
for figure, name, lines in ((figure, *drawn) for figure in given["figures"] for drawn in given["drawn"]):
    me = ids[name]
    work = transcribing.take(me, figure, act_id=new_act()).subject_id
    transcribing.add_lines(me, work, lines, pasted=True, seen=1, act_id=new_act())
    found = reading.transcription(me, work)
    version = found.version
    for edge in found.record.ordered_edges():
        ends = [found.record.nodes[key].name for key in (edge.source_id, edge.sink_id)]
        if name == given["slow"][0] and ends == given["slow"][1:]:
            version = transcribing.edit_edge(me, work, edge.id, "delay", True, seen=version, act_id=new_act()).version
    transcribing.submit(me, work, seen=version, act_id=new_act())
"""
SLOW = ("annotator", "Staff workload", "Experienced staff")


def two_drawn(server: Any, *labels: str) -> dict[str, str]:
    """Put a figure of each label into a server's study and have it transcribed by two people; figures by label."""
    figures = locate(server, [(label, DEMO, 2, BOX) for label in labels])
    drawn = [("annotator", FIRST), ("annotator2", SECOND)]
    server.seed(DRAW, figures=list(figures.values()), drawn=drawn, slow=SLOW)
    return figures


def on_desk(page: Page, left: int | None = None) -> None:
    """Wait until the desk has the store's answer for everything, and so many questions wait."""
    wanted = ".rd[data-waiting='0']" + (f"[data-left='{left}']" if left is not None else "")
    expect(page.locator(wanted)).to_be_visible(timeout=30_000)
