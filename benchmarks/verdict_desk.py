"""A verdict about 205 edges on its desk: opened, compared with an empty Streamlit page, and answering a choice.

Goals: opened within 2.5 times the time of the empty page; a choice of a label answered within 100 ms. Both graphs have
205 edges of 70 nodes, of which each has ten that the other has not; the sheet has 12 edges, the text a sentence each.
The empty page is Streamlit's own without Edgewise's code.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import ROOT, WORK_STUDY, chromium, edgewise, key_ms, plain_streamlit, quantiles, row
from benchmarks.text_desk import opened_ms

EDGES, NODES, APART = 205, 70, 10
OPENED, PRESSED = 9, 40
SEED = """
from core.verdicts.labels import Section
from core.verdicts.review import DrawnBy
from services.queue.work import claim_next, skip
from services.verdicts.work_kind import SHEETS
from services.verdicts import acts, claims, reading, samples
from tests.services.verdicts.handmade import Case, bring_case
edges, nodes, apart = json.loads(sys.argv[3])
def graph(other):
    names = [f"Quantity {n} of the basin" for n in range(nodes - apart)]
    names += [f"{other} {n} in the basin" for n in range(apart)]
    return [(names[n % nodes], names[(n % nodes + 1 + n // nodes) % nodes]) for n in range(edges)]
truth, answer = graph("Amount"), graph("Measure")
same = [n for n in range(edges) if truth[n] == answer[n]]
matches = {(section, n + 1): [n + 1] for n in same for section in (Section.EDGE_PRECISION, Section.EDGE_RECALL)}
case = Case(truth=truth, answer=answer, matches=matches,
            text=" ".join(f"{a} raises {b} in spring." for a, b in truth), reasoning="So it is. " * 10_000)
samples.draw(me, bring_case(me, case), DrawnBy.RANDOM, 2 * edges + 4 * nodes, 1, act_id=new_id())
while True:
    view = reading.sheet(me, claim_next(me, SHEETS, act_id=new_id()).subject_id)
    if len(view.graphs.truth.edges) == edges and view.section is Section.EDGE_RECALL and len(view.items) == 12:
        break
    skip(me, SHEETS, view.assignment_id, "another section", seen=view.version, act_id=new_id())
print(json.dumps(view.assignment_id))
study.close()
"""


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store, script = home / "bench.edgewise", home / "empty.py"
        script.write_text(EMPTY_PAGE)
        sheet = seeded(store, home)
        with plain_streamlit(script) as empty_url, edgewise(home, store) as url, chromium() as browser:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            plain, desk = list[float](), list[float]()
            for number in range(OPENED + 1):
                times = (
                    opened_ms(page, empty_url, "[data-testid=stText]"),
                    opened_ms(page, f"{url}/verdicts?sheet={sheet}", ".vd .figure[data-edges]"),
                )
                if number:  # the first of each fetches scripts
                    for column, took in zip((plain, desk), times, strict=True):
                        column.append(took)
            page.wait_for_timeout(1_000)
            keys = {key: [key_ms(page, ".vd-labels", key) for _ in range(PRESSED)] for key in ("1", "n", "g", "v")}
    base = quantiles(plain)[0]
    print(row("empty Streamlit page, opened", plain))
    print(row(f"sheet of a verdict about {EDGES} edges, opened", desk, base, "the empty page (goal 2.5)"))
    for key, answered in keys.items():
        print(row(f"key {key} answered (goal 100 ms)", answered))


def seeded(store: Path, home: Path) -> str:
    command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home), json.dumps([EDGES, NODES, APART])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return str(json.loads(done.stdout.splitlines()[-1]))
