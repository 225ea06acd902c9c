"""From papers to a table without a key: three PDFs, their figures settled, texts made of them and frozen in a release,
whose graphs the baselines look for. Scores are worked out a second time from plain sets."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from core.papers.pages import Box
from core.papers.papers import PaperReference, Screening
from core.runs.states import RunState
from services.papers import figures, importing, papers
from services.releases import releasing
from services.runs import planning
from services.study import Study
from services.texts import making, mark_ready, reading
from tests.everything import EVERYTHING
from tests.services.run_parts import ROOT, act, finished, start
from tests.services.runs.narratives import BASELINES, wanted
from tests.services.runs.test_recite import f1_of, folded, rows, said_by, table
from tests.services.text_parts import settle_truth

DEMO = ROOT / "demo"
PAPERS = 3 if EVERYTHING else 1


@pytest.mark.both(usually=False)
def test_three_papers_become_texts_and_their_graphs_are_looked_for_by_baselines(
    study: Study, people: SimpleNamespace
) -> None:
    owner, truths = people.owner, dict[str, set[tuple[str, str]]]()
    for entry in json.loads((DEMO / "papers.json").read_text(encoding="utf-8"))[:PAPERS]:
        paper = importing.import_file(owner, entry["file"], (DEMO / entry["file"]).read_bytes(), **act()).paper_id
        reference = PaperReference(title=entry["title"], licence=entry["licence"])
        version = papers.describe(owner, paper, reference, seen=papers.paper(owner, paper).version, **act()).version
        papers.screen(owner, paper, Screening.INCLUDED, (), "", seen=version, **act())
        place = entry["figure"]
        figure = figures.locate(
            owner, paper, place["page"], Box(*place["box"]), label=place["label"], caption=place["caption"], **act()
        ).subject_id
        pairs = [(edge["source"], edge["sink"]) for edge in entry["graph"]["edges"]]
        truths[entry["title"]] = set(pairs)
        settle_truth(study, figure, "; ".join(f"{source} -> {sink}" for source, sink in pairs))
        making.make(owner, figure, **act())
        text = reading.view(owner, figure)
        assert text is not None
        mark_ready.ready(owner, figure, seen=text.version, **act())
    releasing.freeze(owner, "Three papers", "", "CC0-1.0", seen=releasing.preview(owner).seen, **act())

    config = wanted("", baselines=BASELINES, options={"release": 1})
    plan = planning.plan(owner, config)
    assert (plan.faults, plan.samples, plan.requests) == ((), 2 * PAPERS, 0)
    run_id = start(owner, config)
    assert finished(study, owner, run_id).state is RunState.DONE
    scores: dict[tuple[str, str], list[float]] = {}
    for sample, item in rows(study, run_id):
        is_fit = item.model == "random" or (item.model == "cue phrases") == (sample.variant == "standard")
        assert item.status == ("answered" if is_fit else "excluded"), item.fault
        if is_fit:
            truth, said = folded({(a, b) for a, b in sample.truth["edges"]}), folded(said_by(item))
            assert truth in [folded(each) for each in truths.values()]
            expected = f1_of(truth, said)
            assert item.score == pytest.approx(expected, abs=1e-12)
            scores.setdefault((item.model, sample.variant), []).append(float(expected or 0))
    told = table(owner, run_id, "graphs", "F1 of edges")
    for (model, variant), values in scores.items():
        cell = told.cells[model, "standard (exact names)" if variant == "standard" else "names given"]
        assert (cell.n_scored, len(values)) == (PAPERS, PAPERS)
        assert cell.estimate.value == pytest.approx(sum(values) / PAPERS, abs=1e-12)
    assert max(sum(values) for values in scores.values()) > 0
