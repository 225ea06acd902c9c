"""Text that would be code, a link, a picture or markup anywhere else, in every field of a study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.running_server import RunningServer
from tests.runs.begun import finished, worker

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
PAYLOADS = {
    "script": "</script><script>window.__ran=1</script>",
    "image": "<img src=x onerror=window.__ran=2>",
    "drawing": "<svg onload=window.__ran=3>",
    "frame": "<iframe srcdoc='<script>parent.__ran=4</script>'>",
    "style": "<style>@import url(http://evil.example/a.css)</style>",
    "picture": "![x](http://evil.example/b.png)",
    "link": "[a](javascript:window.__ran=5)",
    "maths": r"$\href{javascript:window.__ran=6}{x}$",
    "directive": ":material/home: :red[x]",
    "href": "href __proto__",
}
JOINED = " ".join(PAYLOADS.values())
CRITERIA = ("variable_extraction", "direction", "sign", "causality", "main_claim", "context_appropriateness")
DOI = "href__proto__"
RELATIONS = [
    {"X": f"{JOINED} {more}".strip(), "d": "increase", "Y": text}
    for more, text in zip(("", "of distant municipalities", "in quarterly harvests"), PAYLOADS.values(), strict=False)
]
"""What a model finds in an abstract. At 0.98 the first is one with both others, which are less alike: a chain."""
SHORT = [text for text in PAYLOADS.values() if len(text) <= 60]


FILL = """
import csv, io
from core.papers.pages import Box
from core.papers.papers import PaperReference
from core.people import Viewer
from services.queue.work import claim_next
from services.triplets.work_kind import TRIPLETS
from services.graphs import importing
from services.papers import figures, importing as paper_importing, papers
from services.releases import releasing
from services.runs import endpoints, model_cards
from services.transcription import guidelines, model_reader, practice as training, reading, transcribing
from services.triplets import importing as triplet_importing, scoring, settings as scoring_settings
from services.acting import TERMINAL
from services.adjudication.rounds import begin
from store.tables import PersonRow
payloads, joined, short = given["payloads"], given["joined"], given["short"]

def person(name, *roles):
    kept = people.add_person(terminal, name, roles, None, is_demo=True, act_id=new_act())
    viewer = Viewer(person_id=kept.subject_id, name=name, roles=frozenset(roles), session_id=TERMINAL)
    training.waive(terminal, viewer.person_id, act_id=new_act())
    return viewer

def pasted(names):
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    return chr(10).join(f"{a} -> {b}" for a, b in zip(quoted, quoted[1:] + quoted[:1]))

owner = person("The owner", Role.OWNER)
with study.store.writing() as session:
    row = session.get(PersonRow, owner.person_id)
    row.password_hash = passwords.hash_password(given["password"])
    session.add(row)
hands = [person(f"Hand{n} {text}", Role.ANNOTATOR) for n, text in enumerate(short)]
reviewer = person("Rev href __proto__", Role.REVIEWER)
guidelines.save_guidelines(owner, chr(10).join(payloads), seen=0, act_id=new_act())
for hand in (owner, *hands):
    guidelines.acknowledge(hand, 1, act_id=new_act())
for text in payloads:
    paper_importing.add_reference(owner, PaperReference(title=text, source=text, abstract=text), act_id=new_act())
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(owner, payloads[1] + ".pdf", pdf, act_id=new_act()).paper_id
reference = PaperReference(title=joined, authors=(joined,), source=joined, abstract=joined, licence=joined)
papers.describe(owner, paper, reference, seen=papers.paper(owner, paper).version, act_id=new_act())

# Prose, in which nothing is proposed; as read already: to read its letters from the pixels takes four seconds.
from core.transcription.proposals import FigureProposals
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_VERSION
from services.transcription.figure_proposals import part_of
from store.documents import keep_derived
nothing = FigureProposals(names=(), edges=(), origin="vector").as_json()

def locate(top):
    box = Box(90, top, 540, top + 170)
    with study.store.writing() as session:
        keep_derived(session, papers.paper(owner, paper).sha256, PROPOSALS_PRODUCER, str(PROPOSALS_VERSION),
                     part_of(1, box), nothing, study.clock())
    return figures.locate(owner, paper, 1, box, label=joined, place=joined, caption=joined, act_id=new_act()).subject_id

def draw(viewer, figure, names, note=""):
    work = transcribing.take(viewer, figure, act_id=new_act()).subject_id
    transcribing.add_lines(viewer, work, pasted(names), pasted=True, seen=1, act_id=new_act())
    edge = reading.transcription(viewer, work).record.ordered_edges()[0]
    transcribing.edit_edge(viewer, work, edge.id, "note", note or joined, seen=2, act_id=new_act())
    return work

def handed_in(viewer, figure, names):
    work = draw(viewer, figure, names)
    transcribing.submit(viewer, work, seen=3, act_id=new_act())
    return work

from core.papers.detected_figures import PageFigures
from core.papers.pages import FigureRegion
from documents.reader import FIGURES_PRODUCER, PRODUCER_VERSION
found = PageFigures(1, 595, 842, (FigureRegion(Box(90, 700, 540, 800), "vector", joined, joined),))
with study.store.writing() as session:
    keep_derived(session, papers.paper(owner, paper).sha256, FIGURES_PRODUCER, str(PRODUCER_VERSION), "page 1",
                 found.as_json(), study.clock())

twice, once, mine, thrice, wrong = locate(420), locate(120), locate(220), locate(320), locate(520)
handed_in(hands[0], twice, payloads)
handed_in(hands[1], twice, payloads[::-1])
case = begin(reviewer, twice, act_id=new_act()).subject_id
submitted = handed_in(hands[2], once, payloads)
own = draw(owner, mine, payloads)
for hand, names in ((hands[3], payloads), (hands[4], payloads[::-1])):
    handed_in(hand, thrice, names)
faulty = draw(owner, wrong, payloads)
transcribing.add_lines(owner, faulty, "Alone -> Alone\\nno arrow ->", pasted=True, seen=3, act_id=new_act())

table = io.StringIO()
csv.writer(table).writerows([("source", "sink"), *zip(payloads, payloads[1:] + payloads[:1])])
files = [(name + ".csv", table.getvalue().encode()) for name in ("one", "two")]
files = [(payloads[1] + name, content) for name, content in files]
importing.import_graphs(owner, files, with_faulty=False, act_id=new_act())
graphs = importing.imported_graphs(owner)

score = {key: {"score": 2, "reason": joined} for key in given["criteria"]}
rows = [{"paper_id": 1, "title": joined, "author": [joined], "published_venue": joined, "publication_year": 2001,
         "treatment": joined, "outcome": joined, "sign": "+", "context": joined, "evidence": joined, "jel_codes": "J",
         "critics": {text: score for text in short}}]
content = "".join(json.dumps(each) + chr(10) for each in rows).encode()
collection = triplet_importing.import_triplets(owner, payloads[1], content, with_faulty=False, title=joined[:200],
                                               act_id=new_act()).subject_id
sheet = claim_next(owner, TRIPLETS, act_id=new_act()).subject_id
scoring.comment(owner, sheet, joined, seen=1, act_id=new_act())

endpoint = endpoints.EndpointDraft(name="lab", base_url=given["url"], concurrency=2)
endpoints.save_endpoint(owner, endpoint, seen=0, act_id=new_act())
card = model_cards.save_card(owner, model_cards.ModelCardDraft(name=payloads[1], endpoint="lab", model="odd",
    provider=payloads[2], takes_images=True, tokens_per_image=900,
                             notes=joined), seen=0, act_id=new_act()).subject_id
model_reader.save_settings(owner, [payloads[1]], agreed=True, seen=0, act_id=new_act())
from services.runs import planning as run_planning
from services.runs.settings import RunConfig, SampleSource
wanted = RunConfig(title=joined[:200], source=SampleSource((collection,)), tasks=("task1",),
    variants=("context",), models=(payloads[1],))
run = run_planning.start(owner, wanted, act_id=new_act()).subject_id
wanted = RunConfig(title="Two baselines", source=SampleSource((collection,)), tasks=("task1",), variants=("context",),
                   baselines=("always-plus", "majority"))
baselines = run_planning.start(owner, wanted, act_id=new_act()).subject_id

from services.protocols.econcausal_pipeline.pipeline_papers import make_ready
from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file
make_ready(owner, paper)
key = payloads[1]
selection = {"context_selected": [joined], "id_method_selected": []}
steps = [{"paper_id": key, "treatment": joined, "outcome": joined, "sign": sign, "supporting_evidence": [joined],
          "global_context": "As a whole.", "global_identification_method": ["RCT"], "selection": selection,
          "per_model_scores": {text: dict.fromkeys(given["criteria"], 3) for text in short[:3]},
          "per_model_reasons": {text: dict.fromkeys(given["criteria"], joined) for text in short[:3]}}
         for sign in ("+", None)]
step_file = read_step_file("step4.jsonl", "".join(json.dumps(each) + chr(10) for each in steps).encode())
wanted = RunConfig(title="From a file", source=SampleSource(), tasks=("extract", "metadata", "local", "critics"),
                   variants=("standard",), protocol="econcausal-pipeline",
                   options={"step_files": f"step4:{step_file.id}", "pipeline_papers": paper})
run_planning.start(owner, wanted, {step_file.id: step_file}, act_id=new_act())

from tests.services.release_parts import lay_truth
from store.tables import FigureRow
with study.store.writing() as session:
    figure = FigureRow(paper_id=paper, page=1, x0=1, y0=1, x1=99, y1=99, label=joined, created_by="terminal",
                       created_at=study.clock())
    session.add(figure)
lay_truth(study, figure.id, "Rain -> Harvest +; Harvest -> Price")
from services.texts import making
from tests.services.text_parts import block, lay_pages
known = papers.paper(owner, paper)
lay_pages(study, known.sha256, [[block(text, n) for text in payloads] for n in range(1, known.page_count + 1)])
making.make(owner, figure.id, act_id=new_act())
releasing.freeze(owner, joined[:200], joined, payloads[1], seen=releasing.preview(owner).seen, act_id=new_act())
from core.graphs.queries import QueryKind, Query
from services.graphs import lab
from services.protocols.causalgraph2llm import one_query
query = one_query.QueryToAsk(graph=graphs[0].id, title=joined, query=Query(kind=QueryKind.CHILD, of=payloads[0]),
                             model=payloads[1], encodings=("json", "single"))
asked = one_query.start(owner, query, act_id=new_act()).subject_id
from services.triplets import corpora
row = {"title": joined, "abstract": joined, "year": 2001, "journal": "Econometrica", "doi": "10.1000/" + given["doi"]}
corpora.import_corpus(owner, payloads[1], json.dumps(row).encode(), with_faulty=False, title=joined[:200],
                      act_id=new_act())
of_abstracts = {}
for name, decide in (("made", "no"), ("chains", "yes")):
    wanted = RunConfig(title=joined[:200], protocol="lee-pipeline", source=SampleSource(), tasks=("extract", "easy"),
                       variants=("standard",), roles={"extractor": (payloads[1],), "small": ("coin-1", "coin-2")},
                       options={"similarity": 0.98, "decide_chains": decide})
    of_abstracts[name] = run_planning.start(owner, wanted, act_id=new_act()).subject_id
from services.verdicts import claims
from core.invited import Invited
from store.runs import reviewed_verdicts
from tests.services.verdicts.handmade import Case, bring_case
from tests.services.verdicts.reviewing import compare, drawn, label, take
a, b, c, d = short[:4]
case_of = Case(truth=[(a, b), (a, c), (b, d)], answer=[(a, b), (c, d)], text=joined, title=joined[:200],
               reasoning=joined + " Edge 1: " + joined)
judged = bring_case(owner, case_of, ["fine_grained_" + payloads[1], "llm_judge_" + payloads[2]])
drawn(owner, judged, 3)
labelled = take(owner)
for each in labelled.items:
    compare(owner, label(owner, labelled, each.number), each.number)
with study.store.reading() as session:
    item = next(each.item_id for each in reviewed_verdicts.judge_items(session, judged, "judge")
                if each.facts["section"] == "edge_recall")
verdict = claims.choose(owner, item, act_id=new_act()).subject_id
names = {node.name: key for key, node in lab.open_graph(owner, graphs[0].id).record.nodes.items()}
of_lab = of_abstracts | {"verdict": verdict, "asked": asked, "node": names[payloads[0]]}
print(json.dumps(of_lab | {"owner": owner.person_id, "paper": paper,
                  "own": own, "submitted": submitted, "case": case, "sheet": sheet, "run": run,
                  "graph": graphs[0].id, "other": graphs[1].id, "collection": collection, "card": card, "number": 1,
                  "faulty": faulty, "ready": thrice, "baselines": baselines, "text": figure.id,
                  "token": invitations.invite(owner, [Invited("", (Role.ANNOTATOR,))], act_id=new_act())[0].token}))
"""
WHEN_ANSWERED = """
from sqlalchemy import text
from services.acting import TERMINAL
from services.extraction import freezing
from core.people import Viewer
owner = Viewer(person_id=given["owner"], name="The owner", roles=frozenset([Role.OWNER]), session_id=TERMINAL)
plan = freezing.plan(owner, given["run"])
freezing.freeze(owner, given["run"], given["joined"][:200], given["joined"][:100], seen=plan.seen, act_id=new_act())
from services.extraction import collecting_relations
collecting_relations.collect(owner, given["run"], given["joined"][:200], given["joined"][:100], act_id=new_act())
first = text("SELECT id FROM run_item WHERE run_id = :run ORDER BY id LIMIT 1")
with study.store.reading() as session:
    print(json.dumps({name: session.execute(first, {"run": run}).scalar_one() for name, run in given["items"].items()}))
"""


def filled(server: Any, models: RunningServer) -> dict[str, Any]:
    """A study of hostile text, one run of it answered in hostile text; the ids that links need."""
    named = "<Answer>[" + ", ".join(f'"{name}"' for name in [*PAYLOADS.values(), JOINED]) + "]</Answer>"
    models.play(
        {
            "rules": [
                {"model": "odd", "matches": "The graph:", "answer": named},
                {"model": "odd", "matches": "List every causal relation", "answer": json.dumps(RELATIONS)},
                {"model": "odd", "answer": JOINED},
            ]
        }
    )
    told = server.seed(
        FILL,
        payloads=list(PAYLOADS.values()),
        joined=JOINED,
        short=SHORT,
        pdf=str(DEMO),
        password=server.password,
        url=models.url,
        criteria=CRITERIA,
        doi=DOI,
    )
    ids: dict[str, Any] = json.loads(told.splitlines()[-1])
    finished(worker(str(server.store), "--once"))
    items = {"item": ids["run"], "reply": ids["asked"]}
    told = server.seed(WHEN_ANSWERED, run=ids["made"], owner=ids["owner"], joined=JOINED, items=items)
    return {**ids, "pipeline": 3, "lane": quote(PAYLOADS["image"]), **json.loads(told.splitlines()[-1])}
