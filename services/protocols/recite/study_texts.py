"""The ready texts of the study as a source: no release is needed, and no licence to redistribute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.graphs.sample import GraphSample, graph_parts, in_order
from core.papers.releases import hash_of, origin_of
from core.texts.states import TextState
from protocols.recite.samples import NOT_READY, SourceSample
from protocols.recite.tasks import OF_TEXTS
from protocols.step_values import Value
from services.acting import ReadContext
from services.releases.content import contents_for_runs
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.papers import texts as stored

ORIGIN = "texts of this study"


@dataclass(frozen=True, slots=True)
class StudyTexts:
    """The texts that people made ready; the run leaves out those that are stale by now."""

    ready: int


def offered_texts(r: ReadContext) -> StudyTexts:
    return StudyTexts(sum(each.state == TextState.READY for each in stored.last_stages(r.session).values()))


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every figure with finished ground truth, by title; nothing without a choice (a `Source`). Raises BadInput
    if none has a ready text."""
    if not config.options.get(OF_TEXTS.name):
        return SourceRead(())
    contents = contents_for_runs(r)
    ordered = sorted(contents.items(), key=lambda each: (each[1]["paper"]["title"].casefold(), each[0]))
    if not any(content["text"] for _figure, content in ordered):
        raise BadInput(
            "No figure of this study has finished ground truth and a ready text. Make texts ready under Papers."
        )
    values = tuple(
        Value(key=figure, value=sample_of(figure, content, ORIGIN), hash=hash_of(content))
        for figure, content in ordered
    )
    return SourceRead(values, {ORIGIN: hash_of([each.hash for each in values])}, SourceSample.as_json)


def sample_of(figure: str, content: Mapping[str, Any], origin: str) -> SourceSample:
    """Return a figure as a sample. `content`: as a release freezes it; `origin`: that release, or the study."""
    paper, text = content["paper"], content.get("text")
    nodes, edges, repeats = graph_parts(
        (node["name"] for node in content["nodes"]),
        ((edge["source"], edge["sink"]) for edge in content["edges"]),
    )
    levels = (content.get("levels") or {}).get("nodes") or {}
    sample = GraphSample(
        id=figure,
        origin=origin,
        nodes=nodes,
        edges=edges,
        text=text["sha256"] if text else "",
        characters=text["characters"] if text else 0,
        repeats=repeats,
        title=paper["title"],
        source=paper["source"],
        url=paper["url"] or (f"https://doi.org/{paper['doi']}" if paper["doi"] else ""),
        domains=tuple(paper["domains"]),
        levels=in_order(levels, nodes),
        abstract=paper["abstract"],
        publication_date=paper["publication_date"],
        licence=paper["licence"],
        truth_origin=origin_of(content).value,
        subject=("figure", figure),
    )
    if text is None:
        why = (content.get("left_out") or {}).get("text") or NOT_READY
        return SourceSample(sample, trouble=why)
    return SourceSample(sample, text["content"])


SOURCE = Source(words=ORIGIN, read=_read)
