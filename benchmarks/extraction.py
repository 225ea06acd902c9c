"""Triplets from papers: consensus and evidence compared with plain loops, a page of 40 candidates with an empty page.

Consensus of 2,595 papers x 3 extractions x 6 triplets with vectors of 1,536 numbers; peer: a loop over all pairs with
numpy, on every 20th paper; both must find the same groups. Evidence: 200 paragraphs in 20 papers of 24 pages, a half of
them word for word, the others hyphenated or absent; peer: difflib's longest match on the same words, which finds no
hyphenated one whole. The page is opened in Chromium; peer: Streamlit's own page without Edgewise's code (goal: at most
twice its time).
"""

from __future__ import annotations

import difflib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import ROOT, WORK_STUDY, chromium, edgewise, plain_streamlit, quantiles, row
from benchmarks.memory import highest_mb
from benchmarks.text_desk import opened_ms
from core.triplets.consensus import ECONCAUSAL, Extracted, consensus
from core.triplets.passages import Match, PrintedWords
from protocols.econcausal_pipeline.papers import words_of

PAPERS, RUNS, EACH, NUMBERS, EVERY = 2_595, 3, 6, 1_536, 20
TEXTS, PAGES, WORDS, PARAGRAPHS = 20, 24, 450, 10
CANDIDATES, OPENED = 40, 7
Runs = list[list[Extracted]]
Result = TypeVar("Result")
SEED = """
from services.protocols.econcausal_pipeline.pipeline_papers import make_ready
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file
make_ready(me)
file = read_step_file("step4.jsonl", Path(sys.argv[3]).read_bytes())
wanted = RunConfig(title="A lane", source=SampleSource(), tasks=("extract", "metadata", "local", "critics"),
                   variants=("standard",), protocol="econcausal-pipeline", options={"step_files": f"step4:{file.id}"})
run_id = planning.start(me, wanted, {file.id: file}, act_id=new_id()).subject_id
from store.tables.runs import RunRow
with study.store.reading() as session:
    print(session.get(RunRow, run_id).number)
study.close()
"""


def measure() -> None:
    _consensus()
    _evidence()
    _lane()


# --- consensus ---------------------------------------------------------------------------------------------------


def _consensus() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as alone:
        edgewise, plain, before, after = alone.apply(_all_papers)
    print(f"{PAPERS:,} papers x {RUNS} extractions x {EACH} triplets, {NUMBERS:,} numbers a vector")
    print(row("consensus of a paper, a loop over pairs", plain))
    print(row("consensus of a paper, ours", edgewise, quantiles(plain)[0], "the loop"))
    print(f"{'all papers, ours':46} {sum(edgewise) / 1000:.1f} s; highest resident size {before:.0f} → {after:.0f} MB")


def _all_papers() -> tuple[list[float], list[float], float, float]:
    edgewise, plain, before = [], [], highest_mb()
    for number in range(PAPERS):
        runs = _extractions(number)
        consensus_groups, took = timed(partial(consensus, runs, ECONCAUSAL))
        edgewise.append(took)
        if number % EVERY == 0:
            groups, took = timed(partial(_by_pairs, runs))
            plain.append(took)
            own = {frozenset(((m.run - 1) * EACH + m.item - 1) for m in each.members) for each in consensus_groups.kept}
            assert own == {each for each in groups if len({at // EACH for at in each}) >= ECONCAUSAL.threshold}
    return edgewise, plain, before, highest_mb()


def _extractions(number: int) -> Runs:
    """Return a paper's triplets, each slightly different in each run; some are in one run alone."""
    rng = np.random.default_rng(number)
    ideas = rng.normal(size=(EACH, 2, NUMBERS))

    def vector(idea: int, part: int) -> list[float]:
        wording = 0.3 if rng.random() < 0.8 else 3.0
        return list((ideas[idea, part] + wording * rng.normal(size=NUMBERS)).tolist())

    return [
        [Extracted(f"t{n}", f"o{n}", rng.choice(["+", "-"]), vector(n, 0), vector(n, 1)) for n in range(EACH)]
        for _ in range(RUNS)
    ]


def _by_pairs(runs: Runs) -> set[frozenset[int]]:
    triplets = [each for run in runs for each in run]
    group = list(range(len(triplets)))
    for a, one in enumerate(triplets):
        for b in range(a + 1, len(triplets)):
            other = triplets[b]
            pairs = (
                (one.treatment_vector, other.treatment_vector),
                (one.outcome_vector, other.outcome_vector),
            )
            if all(_cosine(x, y) >= ECONCAUSAL.similarity for x, y in pairs):
                group = [group[a] if each == group[b] else each for each in group]
    return {frozenset(at for at, each in enumerate(group) if each == name) for name in set(group)}


def _cosine(x: Sequence[float], y: Sequence[float]) -> float:
    a, b = np.array(x), np.array(y)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


# --- evidence ----------------------------------------------------------------------------------------------------


def _printed_words(pages: Sequence[str]) -> PrintedWords:
    return PrintedWords(words_of(pages))


def _evidence() -> None:
    rng, edgewise, plain, wrong = random.Random(28), [], [], 0
    for _paper in range(TEXTS):
        pages, paragraphs = _paper_text(rng)
        words, prepared = timed(partial(_printed_words, pages))
        flat = " ".join(pages).split()
        for text, match in paragraphs:
            passage, took = timed(partial(words.find, text))
            edgewise.append(took + prepared / PARAGRAPHS)
            wrong += passage.match is not match
            other = text.split()
            plain.append(timed(partial(_longest, flat, other))[1])
    print(
        f"{len(edgewise)} paragraphs in {TEXTS} papers of {PAGES * WORDS:,} words; {wrong} found otherwise than planted"
    )
    print(row("a paragraph, difflib's longest match", plain))
    print(row("a paragraph with pages and boxes, ours", edgewise, quantiles(plain)[0], "difflib"))


def _longest(a: Sequence[str], b: Sequence[str]) -> int:
    return difflib.SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size


def _paper_text(rng: random.Random) -> tuple[list[str], list[tuple[str, Match]]]:
    known = [f"{a}{b}{c}" for a in "bdfghklmnprstvw" for b in "aeiou" for c in "dklmnrstvw"]
    weights = [1 / (place + 1) for place in range(len(known))]
    pages = [" ".join(rng.choices(known, weights, k=WORDS)) for _ in range(PAGES)]
    texts = []
    for number in range(PARAGRAPHS):
        words = rng.choice(pages).split()
        start = rng.randrange(WORDS - 80)
        passage = words[start : start + 80]
        if number % 2 == 0:
            texts.append((" ".join(passage), Match.VERBATIM))
        elif number % 4 == 1:
            passage[40] = f"{passage[40][:1]}-{passage[40][1:]}"
            texts.append((" ".join(passage), Match.TYPOGRAPHY))
        else:
            passage[40] = "elsewhere"
            texts.append((" ".join(passage), Match.NOT_FOUND))
    return pages, texts


# --- a lane ------------------------------------------------------------------------------------------------------


def _lane() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store, script, file = home / "bench.edgewise", home / "empty.py", home / "step4.jsonl"
        script.write_text(EMPTY_PAGE)
        file.write_text("".join(f"{json.dumps(each)}\n" for each in _candidates()))
        command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home), str(file)]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        number = process.stdout.splitlines()[-1]
        worker = [sys.executable, "-m", "runs", "--once"]
        subprocess.run(
            worker, cwd=ROOT, env={**os.environ, "EDGEWISE_STORE": str(store)}, capture_output=True, check=True
        )
        with plain_streamlit(script) as empty_url, edgewise(home, store) as url, chromium() as browser:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            plain, bare, ours = list[float](), list[float](), list[float]()
            for again in range(OPENED + 1):
                times = (
                    opened_ms(page, empty_url, "[data-testid=stText]"),
                    opened_ms(page, f"{url}/people?part=account", "input"),
                    opened_ms(page, f"{url}/triplets?run={number}&paper=reservoir", "img[alt*='evidence marked']"),
                )
                if again:  # the first of each fetches scripts
                    for column, took in zip((plain, bare, ours), times, strict=True):
                        column.append(took)
    base = quantiles(plain)[0]
    print(row("empty Streamlit page, opened", plain))
    print(row("Account, opened", bare, base, "the empty page"))
    print(row(f"lane of {CANDIDATES} candidates, opened", ours, base, "the empty page (goal 2)"))


def _candidates() -> list[dict[str, object]]:
    scores = {name: dict.fromkeys(_CRITERIA, 3) for name in ("a", "b", "c")}
    return [
        {
            "paper_id": "reservoir",
            "treatment": f"rule {number}",
            "outcome": "shortages",
            "sign": "+",
            "supporting_evidence": ["Water released to farms raises farm income."],
            "global_context": "A reservoir that farms and a town share.",
            "global_identification_method": ["IV"],
            "selection": {"context_selected": [f"Farms of valley {number}."], "id_method_selected": []},
            "per_model_scores": scores,
            "per_model_reasons": {name: dict.fromkeys(_CRITERIA, "As the text says.") for name in scores},
        }
        for number in range(1, CANDIDATES + 1)
    ]


_CRITERIA = ("variable_extraction", "direction", "sign", "causality", "main_claim", "context_appropriateness")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    began = time.process_time()
    result = work()
    return result, (time.process_time() - began) * 1000
