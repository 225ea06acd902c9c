"""Takes the pictures of the guides: a fresh demo study on a free port, driven by Chromium. `make pictures`.

Some of them by name: `take_pictures.py graphs overlay`.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.harness import chromium, edgewise  # noqa: E402
from benchmarks.running_server import running_server  # noqa: E402
from runs.endpoint.endpoints import SCRIPTED  # noqa: E402
from services.demo.runs import ENDPOINT  # noqa: E402

PICTURES = Path(__file__).with_name("pictures")
LARGEST = 150_000  # bytes of one picture
COLOURS = (256, 128, 64, 32)
WINDOW = {"width": 1440, "height": 900}
SLOW_MS = 60_000
expect.set_options(timeout=SLOW_MS)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        edgewise(Path(home)) as url,
        chromium() as browser,
    ):
        parts = [
            front_page,
            papers,
            transcribing,
            adjudicating,
            texts,
            scoring,
            rest_of_the_study,
            importing,
            triplet_files,
            raters,
            runs(Path(home) / "demo.edgewise"),
            results,
            verdicts,
            candidates,
            questions,
            graphs,
            causal_queries,
            graph_queries,
            overlay(Path(home)),
            verdict_overlay(Path(home)),
        ]
        names = sys.argv[1:] or [part.__name__ for part in parts]
        for take in parts:
            if take.__name__ in names:
                take(browser, url)


# --- the pictures -----------------------------------------------------------------------------------------------


def front_page(browser: Browser, url: str) -> None:
    page = opened(browser, url)
    expect(page.get_by_text("Next for you")).to_be_visible()
    keep(page, "overview")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    keep(page.locator("main"), "sign-in")
    page.context.close()


def papers(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/papers")
    expect(page.get_by_text("4 papers")).to_be_visible()
    keep(page, "papers")
    page.get_by_role("button", name="Screening flow").click()
    expect(page.get_by_text("Identified: 4")).to_be_visible()
    keep(page, "flow")
    page.goto(url + "/papers")
    choose(page, "Building a shared picture")
    part(page, "Screening")
    expect(page.get_by_text("Excluded automatically", exact=False).first).to_be_visible()
    keep(page, "screen")
    page.goto(url + "/papers")
    choose(page, "Growing on one street crew")
    expect(page.get_by_text("Located: 1")).to_be_visible()
    page.get_by_role("button", name="Find figures").click()
    expect(page.get_by_text("Pages with figures", exact=True).first).to_be_visible()  # the second is the hidden label
    keep(page, "locate")
    page.goto(url + "/papers?view=sheet&which=located")
    page.get_by_role("button", name="Find all figures").click()
    expect(page.locator(".cs-card")).to_have_count(3)
    for picture in page.locator(".cs-picture img").all():
        expect(picture).to_have_js_property("complete", True)
    keep(page, "contact-sheet")
    page.context.close()


def transcribing(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/transcribe")
    page.get_by_role("button", name="Continue").first.click()
    line = page.get_by_label("Type an edge")
    expect(line).to_be_visible()
    drawing(page)
    line.fill("Waiting time -> Emer")
    line.press("Escape")
    line.fill("Referrals->Waiting list")
    line.press("Enter")
    expect(page.get_by_text("1 line to correct")).to_be_visible()
    keep(page.get_by_label("Lines to correct"), "faulty-line")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("1 line to correct")).to_be_hidden()
    page.get_by_role("button", name="All keys").first.click()
    keep(page.get_by_role("dialog"), "keys")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    keep(page.get_by_role("dialog"), "submit")
    page.keyboard.press("Escape")
    part(page, "Graph")
    expect(page.get_by_role("button", name="Rearrange")).to_be_visible()
    keep(page, "graph")
    conflict(page)
    page.context.close()


def drawing(page: Page) -> None:
    """The canvas: proposals, hints, one proposal, the sweep; nothing is saved."""
    expect(page.get_by_text("10 edges proposed", exact=False).first).to_be_visible()
    keep(page, "transcribe")
    page.get_by_role("button", name="Hints", exact=True).click()
    page.keyboard.press("a")
    keep(page, "hints")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Hints", exact=True).click()
    page.get_by_role("button", name="Review proposals").click()
    expect(page.get_by_role("button", name="Reject", exact=True)).to_be_visible()
    keep(page, "proposal")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Sweep", exact=False).first.click()
    expect(page.get_by_role("button", name="No more", exact=False)).to_be_visible()
    keep(page, "sweep")
    page.get_by_role("button", name="End sweep", exact=True).click()


def conflict(page: Page) -> None:
    """The same transcription in a second tab, and an act in each."""
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.get_by_label("Type an edge")).to_be_visible()
    second.wait_for_timeout(3000)
    type_edge(page, "Waiting time -> Complaints")
    expect(page.get_by_text("5 nodes, 5 edges", exact=False).filter(visible=True)).to_be_visible()
    type_edge(second, "Complaints -> Budget")
    expect(second.get_by_text("Another tab changed this transcription", exact=False)).to_be_visible()
    expect(second.get_by_text("1 act kept", exact=False).first).to_be_visible()
    keep(second, "conflict")


def adjudicating(browser: Browser, url: str) -> None:
    """The desk at its first name and at an arrow that only one annotator drew; only the started case is saved."""
    page = opened(browser, url + "/adjudicate")
    page.get_by_role("button", name=re.compile("adjudicat", re.IGNORECASE)).first.click()
    expect(page.locator(".rd[data-waiting='0']")).to_be_visible()
    page.mouse.move(5, 5)  # off the button, whose tooltip would be on the picture
    keep(page, "adjudicate-name")
    for _ in range(20):
        if "Name" not in page.locator(".rd-place").inner_text():
            break
        page.keyboard.press("1")
        page.wait_for_timeout(1500)
    page.locator(".rd-row", has_text="direction").click()
    page.mouse.move(5, 5)
    keep(page, "adjudicate")
    page.context.close()


def texts(browser: Browser, url: str) -> None:
    """A generated text, its removed parts and the places that name the diagram."""
    page = opened(browser, url + "/papers")
    choose(page, "Growing on one street crew")
    part(page, "Text")
    page.get_by_role("button", name="Make text").click()
    expect(page.locator(".tx-text")).to_have_attribute("data-shown", re.compile("/text/"))
    page.keyboard.press("n")
    page.mouse.move(5, 5)
    keep(page, "text")
    page.context.close()


def scoring(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/triplets")
    page.get_by_role("button", name="Score next triplet").click()
    expect(page.locator(".sd-mark.chosen").first).to_be_visible()
    for key in "332":
        page.keyboard.press(key)
    expect(page.locator(".sd[data-waiting='0'][data-given='3']")).to_be_visible()
    keep(page, "score")
    for key in "223":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator(".sd[data-state='submitted']")).to_be_visible()
    keep(page.locator(".sd-card"), "score-critics")
    page.goto(url + "/settings?show=triplets")
    expect(page.get_by_text("Triplets per year")).to_be_visible()
    keep(page, "score-queue")
    page.context.close()


SURVEY = """\
Von;Nach;Vorzeichen
Niederschlag, jährlich;Ernte;plus
Ernte;Einkommen der Höfe;+
Einkommen der Höfe;;+
Bewässerung;Ernte;vielleicht
"""


def importing(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/exchange")
    file = {"name": "survey.csv", "mimeType": "text/csv", "buffer": SURVEY.encode("cp1252")}
    page.locator("input[type=file]").first.set_input_files([file])  # type: ignore[list-item]
    page.get_by_text("Western Europe", exact=False).first.click()
    expect(page.get_by_text("needs the columns source and sink", exact=False)).to_be_visible()
    choose_in(page, "Sign", "Vorzeichen")
    page.get_by_role("button", name="Apply columns").click()
    expect(page.get_by_text("2 faulty rows", exact=False).first).to_be_visible()
    keep(page, "import")
    page.context.close()


def triplet_files(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/exchange")
    lines = (ROOT / "demo" / "triplets" / "synthetic-triplets.jsonl").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace('"sign": "-"', '"sign": "falling"')
    file = {"name": "my-triplets.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()}
    page.locator("input[type=file]").first.set_input_files([file])  # type: ignore[list-item]
    expect(page.get_by_text("1 faulty row", exact=False).first).to_be_visible()
    keep(page, "triplet-import")
    page.goto(url + "/exchange?part=triplets")
    expect(page.get_by_text("44 triplets", exact=True)).to_be_visible()
    keep(page, "triplet-list")
    page.context.close()


def raters(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/agreement?part=raters&line=3")
    page.get_by_role("combobox", name="Triplets in this cell", exact=False).fill("Lined canals")
    page.get_by_role("option").first.click()
    expect(page.get_by_text("Reasons of 3 critics")).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "raters")
    page.context.close()


def runs(store: Path) -> Callable[[Browser, str], None]:
    """A run of the demo's scripted models, answered by a slow server with one error."""

    def runs(browser: Browser, url: str) -> None:
        runs_of(browser, url, store)

    return runs


def ask_at(store: Path, address: str) -> None:
    command = [sys.executable, "edgewise.py", "endpoints", "add", ENDPOINT, address, "--store", str(store)]
    subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603


def runs_of(browser: Browser, url: str, store: Path) -> None:
    page = opened(browser, url + "/runs?show=new")
    box = page.get_by_role("combobox", name="Models", exact=True)
    for name in ("Demo copier", "Demo reader", "Demo talker"):
        box.click()
        page.get_by_role("option", name=name, exact=False).click()
        page.keyboard.press("Escape")
        still(page)
    page.get_by_text("Without context", exact=True).first.click()
    folded = page.get_by_text("Title, budget, parameters and prompts")
    folded.click()
    field = page.get_by_label("Title")
    field.fill("Small models, with and without context")
    field.press("Tab")
    folded.click()
    still(page)
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_text("requests to send", exact=False).first).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "run-new")
    with running_server() as models:
        ask_at(store, models.url)
        models.play({"latency_ms": 2500, "rules": [{"share": 0.04, "seed": 2, "times": 1, "fault": "server_error"}]})
        page.get_by_role("button", name="Start run").click()
        page.mouse.move(0, 0)
        expect(page.get_by_role("heading", name="Errors")).to_be_visible()
        page.wait_for_timeout(500)
        save(page.screenshot(animations="disabled", caret="hide"), "run-live")  # it never stops changing
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        still(page)  # what was on its way comes back before the server goes
    ask_at(store, SCRIPTED)
    page.context.close()


def candidates(browser: Browser, url: str) -> None:
    """Triplets from the demo's papers by the baselines, from a new run to the collected triplets."""
    page = opened(browser, url + "/runs?show=new&protocol=econcausal-pipeline")
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_role("button", name="Start run")).to_be_enabled()
    page.mouse.move(0, 0)
    keep(page, "extraction-new")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("button", name="Show items")).to_be_visible()
    expect(page.get_by_text("none of", exact=False).first).to_be_visible()
    still(page)
    page.get_by_role("button", name="Open candidates").click()
    expect(page.get_by_role("button", name="Open paper").first).to_be_visible()
    expect(page.get_by_text("4 candidates: 4 accepted")).to_have_count(3)  # the page redraws itself
    page.mouse.move(0, 0)
    keep(page, "extraction-papers")
    page.get_by_role("button", name="Open paper").nth(1).click()
    expect(page.get_by_role("img", name="of the paper, evidence marked").first).to_have_js_property("complete", True)
    page.mouse.move(0, 0)
    keep(page, "extraction-lane")
    page.get_by_role("button", name="All papers").click()
    part(page, "Results")
    expect(page.get_by_text("Signs of candidates")).to_be_visible()
    keep(page, "extraction-results")
    part(page, "Collect")
    expect(page.get_by_role("button", name="Collect triplets")).to_be_visible()
    keep(page, "extraction-collect")
    page.context.close()


def questions(browser: Browser, url: str) -> None:
    """Questions of the demo's abstracts by the baselines, from a new run to the question set."""
    page = opened(browser, url + "/runs?show=new&protocol=lee-pipeline")
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_role("button", name="Start run")).to_be_enabled()
    page.mouse.move(0, 0)
    keep(page, "questions-new")
    page.get_by_role("button", name="Start run").click()
    page.get_by_role("button", name="Open questions").click()
    expect(page.get_by_role("button", name="Freeze questions")).to_be_visible()
    while page.get_by_role("button", name="Freeze questions").is_disabled():
        page.wait_for_timeout(2_000)
        page.reload()
        expect(page.get_by_role("button", name="Freeze questions")).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "questions-made")
    part(page, "Entities")
    expect(page.get_by_text("6 entities of several phrases")).to_be_visible()
    keep(page, "questions-entities")
    page.get_by_role("button", name="Freeze questions").click()
    page.get_by_label("Title").fill("Invented abstracts")
    page.get_by_label("Licence").fill("CC0-1.0")
    page.get_by_role("button", name="Freeze permanently").click()
    page.get_by_role("button", name="Open set 1").click()
    page.get_by_role("button", name="New run").click()
    page.get_by_text("Open book", exact=True).click()
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_role("button", name="Start run")).to_be_enabled()
    page.mouse.move(0, 0)
    keep(page, "questions-run")
    page.context.close()


def results(browser: Browser, url: str) -> None:
    """The demo's finished runs: two models' answers side by side, and a table with a cell open."""
    page = opened(browser, url + "/failures?show=compare&which=all")
    for label, text in (("A", "Demo reader (scripted) · run 2"), ("B", "Demo talker (scripted) · run 2")):
        choose_in(page, label, text)
        still(page)
    box = page.get_by_role("combobox", name="Compare answers")
    box.click()
    page.get_by_role("option").first.click()
    expect(page.get_by_role("heading", name="Request")).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "failure")
    page.goto(url + "/results?run=2")
    expect(page.get_by_text("Items in this cell", exact=False).first).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "results")
    page.context.close()


def verdicts(browser: Browser, url: str) -> None:
    """An item of a sheet: labelled by the reviewer, and compared with the judge's labels."""
    page = opened(browser, url + "/verdicts")
    page.get_by_role("button", name="Take next sheet").click()
    expect(page.locator(".vd-graph")).to_be_visible()
    for key in ("1", "1", "1", "2", "Enter"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    page.mouse.move(0, 0)
    keep(page, "verdict-desk")
    page.context.close()


def graphs(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/graphs")
    page.get_by_role("button", name="Late farm succession").click()
    choose_in(page, "Loop", "R6")
    expect(page.locator(".line")).to_contain_text("Highlighted: R6")
    keep(page, "lab-loops")
    page.goto(url + "/graphs")
    page.get_by_role("button", name="Reservoir diagram with signs").click()
    part(page, "Comparison")
    choose_in(page, "Compare with", "Reservoir diagram, a made-up")
    page.get_by_role("button", name="Compare graphs", exact=True).click()
    expect(page.locator(".legend")).to_be_visible()
    keep(page, "lab-compare")
    page.context.close()


def causal_queries(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/graphs")
    page.get_by_role("button", name="Late farm succession").click()
    part(page, "Queries")
    choose_in(page, "Query", "Mediators between A and B")
    choose_in(page, "Variable A", "Investment in the farm")
    choose_in(page, "Variable B", "Farm profit")
    expect(page.locator(".line")).to_contain_text("Highlighted: 3 nodes, 2 edges")
    keep(page, "lab-queries")
    part(page, "Encodings")
    expect(page.get_by_text("Left out: signs, delays.")).to_be_visible()
    page.get_by_role("radio", name=re.compile("^Multi node")).click()
    expect(page.get_by_text("Clarity about the plan causes").first).to_be_visible()
    keep(page, "lab-encodings")
    page.context.close()


def graph_queries(browser: Browser, url: str) -> None:
    """Queries put to the demo's scripted models: before a run, in its tables, one answer, and one query of the lab."""
    page = opened(browser, url + "/runs?show=new&protocol=causalgraph2llm")
    for encoding in ("Single node", "Matrix"):
        page.get_by_role("button", name=encoding, exact=True).click()
        still(page)
    page.get_by_role("button", name="Start dry run").click()
    expect(page.get_by_text("This slice has", exact=False).first).to_be_visible()
    page.get_by_text("Prompts by encoding").click()
    expect(page.get_by_text("True answer:", exact=False)).to_be_visible()
    page.get_by_text("Prompts by encoding").scroll_into_view_if_needed()
    page.mouse.move(0, 0)
    keep(page, "query-prompts")
    page.goto(url + "/results?run=4")
    expect(page.get_by_text("Items in this cell", exact=False).first).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "query-results")
    page.goto(url + "/failures?model=Demo+talker+%28scripted%29&task=child&variant=graph&search=insurance&only=wrong")
    box = page.get_by_role("combobox", name="Item", exact=True)
    box.click()
    page.get_by_role("option").first.click()
    expect(page.locator(".line")).to_contain_text("Highlighted")
    page.mouse.move(0, 0)
    keep(page, "query-answer")
    page.goto(url + "/graphs")
    page.get_by_role("button", name="Late farm succession").click()
    part(page, "Queries")
    choose_in(page, "Query", "Mediators between A and B")
    still(page)
    choose_in(page, "Variable A", "Investment in the farm")
    still(page)
    choose_in(page, "Variable B", "Farm profit")
    still(page)
    page.get_by_role("button", name="Ask model").click()
    expect(page.get_by_text("Open answer")).to_be_visible()
    page.mouse.move(0, 0)
    keep(page, "lab-reply")
    page.context.close()


# One sample of ReCITE with a model's answer. It is not part of the repository, so its picture needs a local copy.
CASE = ROOT.parent / "shared" / "data" / "cld" / "recite_qinba_case.json"


def overlay(home: Path) -> Callable[[Browser, str], None]:
    def overlay(browser: Browser, url: str) -> None:
        if CASE.exists():
            overlay_of(browser, url, home / "demo.edgewise")
        else:
            print(f"overlay-qinba.png stays as it is: {CASE.name} is not here", flush=True)  # noqa: T201

    return overlay


def overlay_of(browser: Browser, url: str, store: Path) -> None:
    case = json.loads(CASE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "Ground truth.json", Path(folder) / "Answer of a model.json"]
        for file, key in zip(files, ("ground_truth", "prediction_r1"), strict=True):
            file.write_text(json.dumps(case[key]), encoding="utf-8")
        imported = subprocess.run(  # noqa: S603
            [sys.executable, "edgewise.py", "import", *map(str, files), "--store", str(store), "--json"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
    truth, prediction = (graph["id"] for graph in json.loads(imported.stdout)["graphs"])
    page = opened(browser, f"{url}/graphs?graph={truth}&with={prediction}")
    part(page, "Names")
    [(name, meant)] = case["alignment_r1"].items()
    choose_in(page, "Name in the prediction", name)
    expect(page.get_by_text(f"Similar names: {meant}")).to_be_visible()  # offered first
    page.get_by_role("button", name="Align names", exact=True).click()
    expect(page.get_by_text("0 edges, 1 node")).to_be_visible()
    part(page, "Scores")
    keep(page, "overlay-qinba")
    page.context.close()


BY_HAND = """
import json, sys
from pathlib import Path
from core.people import Role, Viewer
from core.verdicts.labels import Section
from services.acting import TERMINAL
from services.study import open_study, use_study
from store import people
from store.runs import reviewed_verdicts
from tests.services.verdicts.handmade import Case, bring_case
study = open_study(sys.argv[1], Path(sys.argv[1]).parent)
use_study(study)
with study.store.reading() as session:
    owner = people.owner(session)
me = Viewer(person_id=owner.id, name=owner.name, roles=frozenset({Role.OWNER}), session_id=TERMINAL)
said = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
pairs = [[(each["source"], each["sink"]) for each in said[key]["edges"]] for key in ("ground_truth", "prediction_r1")]
nodes = [sorted({name for pair in each for name in pair}) for each in pairs]
[(mine, meant)] = said["alignment_r1"].items()
here, there = nodes[1].index(mine) + 1, nodes[0].index(meant) + 1
case = Case(truth=pairs[0], answer=pairs[1], title="One sample of ReCITE",
            matches={(Section.NODE_PRECISION, here): [there], (Section.NODE_RECALL, there): [here]},
            text="The text of this sample is not shown here.")
run_id = bring_case(me, case)
with study.store.reading() as session:
    items = reviewed_verdicts.judge_items(session, run_id, "judge")
    found = next(each for each in items if each.facts["section"] == Section.NODE_RECALL.value)
print(json.dumps([found.item_id, there]))
study.close()
"""


def verdict_overlay(home: Path) -> Callable[[Browser, str], None]:
    """The same sample with a verdict made by hand: one node matched, the others missed or spurious."""

    def verdict_overlay(browser: Browser, url: str) -> None:
        if not CASE.exists():
            print(f"verdict-qinba.png stays as it is: {CASE.name} is not here", flush=True)  # noqa: T201
            return
        command = [sys.executable, "-c", BY_HAND, str(home / "demo.edgewise"), str(CASE)]
        printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603
        item, number = json.loads(printed.stdout.splitlines()[-1])
        page = opened(browser, f"{url}/verdicts?judged={item}&item={number}")
        page.get_by_role("button", name="Show whole verdict").click()
        expect(page.locator(".vd-legend")).to_contain_text("Truth: 1 of 5 nodes are captured.")
        keep(page.locator(".vd-graph"), "verdict-qinba")
        page.context.close()

    return verdict_overlay


def rest_of_the_study(browser: Browser, url: str) -> None:
    page = opened(browser, url + "/exchange?part=export")
    expect(page.get_by_text("submitted transcription", exact=False).first).to_be_visible()
    keep(page, "export")
    page.goto(url + "/people")
    expect(page.get_by_text("Invite person")).to_be_visible()
    keep(page, "people")
    page.context.close()


# --- small steps ------------------------------------------------------------------------------------------------


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport=WINDOW, locale="en-GB", timezone_id="Europe/Berlin").new_page()  # type: ignore[arg-type]
    page.set_default_timeout(SLOW_MS)
    page.goto(url)
    return page


def choose(page: Page, title: str) -> None:
    box = page.get_by_role("combobox")
    box.fill(title)
    page.get_by_role("option").first.click()
    expect(page.get_by_role("button", name="All papers")).to_be_visible()


def choose_in(page: Page, label: str, text: str) -> None:
    """Type into a select box and take the first."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.fill(text)
    expect(page.get_by_role("option").first).to_contain_text(text)
    box.press("Enter")


def part(page: Page, word: str) -> None:
    # A segmented control is a group of radios or of buttons, after the version of Streamlit.
    page.get_by_test_id("stMain").get_by_text(word, exact=True).first.click()


def type_edge(page: Page, text: str) -> None:
    line = page.get_by_label("Type an edge")
    line.fill(text)
    line.press("Enter")


def keep(what: Page | Locator, name: str) -> None:
    """Save a picture once nothing moves any more."""
    save(still(what), name)


def save(shot: bytes, name: str) -> None:
    """Save with the most colours that fit into `LARGEST` bytes."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    for colours in COLOURS:
        packed = io.BytesIO()
        image.quantize(colours, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
        if packed.tell() < LARGEST:
            break
    else:
        raise SystemExit(f"{name}.png is {packed.tell():,} bytes; at most {LARGEST:,} are wanted. Show less on it.")
    (PICTURES / f"{name}.png").write_bytes(packed.getvalue())
    print(f"{name}.png  {packed.tell():,} bytes", flush=True)  # noqa: T201


def still(what: Page | Locator) -> bytes:
    """Return the first picture that equals the previous one; a page draws itself in steps."""
    page = what if isinstance(what, Page) else what.page
    before = b""
    for _ in range(30):
        page.wait_for_timeout(700)
        shot = what.screenshot(animations="disabled", caret="hide")
        is_busy = page.locator("[data-testid=stSkeleton], [data-testid=stStatusWidget]").count() > 0
        if shot == before and not is_busy:
            break
        before = shot
    return shot


if __name__ == "__main__":
    main()
