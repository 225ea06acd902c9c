"""A release of the study as a source: one sample per figure, with its graph and frozen text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.graphs.sample import GraphSample, graph_parts, in_order
from core.papers.releases import hash_of
from core.words import counted
from protocols.recite.samples import NOT_READY, SourceSample
from protocols.recite.tasks import OF_RELEASE
from protocols.step_values import Value
from services.acting import ReadContext
from services.protocols.recite.table import TableOption, offered_tables
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store import releases as stored


@dataclass(frozen=True, slots=True)
class ReleaseOption:
    """A release, as a source."""

    number: int
    title: str
    figures: int
    texts: int  # figures with a text


def _options(r: ReadContext) -> tuple[ReleaseOption | TableOption, ...]:
    """Return every release, newest first, then the tables of samples."""
    figures = stored.count_items(r.session)
    releases = (
        ReleaseOption(row.number, row.title, figures.get(row.id, 0), row.manifest.get("counts", {}).get("texts", 0))
        for row in stored.releases(r.session)
    )
    return (*releases, *offered_tables(r))


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every figure of the chosen release, by title; nothing without a choice (a `Source`). Raises Missing without
    such a release, BadInput if none of its figures has a text."""
    number = config.options.get(OF_RELEASE.name)
    if not number:
        return SourceRead(())
    row = stored.release(r.session, int(number))
    contents = stored.contents(r.session, row.id)
    ordered = sorted(contents.items(), key=lambda each: (each[1]["paper"]["title"].casefold(), each[0]))
    if not any(content.get("text") for _figure, content in ordered):
        raise BadInput(
            f"Release {row.number} holds no text of its {counted(len(ordered), 'figure')}. Make texts ready, then "
            "freeze another release."
        )
    values = tuple(
        Value(key=figure, value=_sample(figure, content, row.number), hash=hash_of(content))
        for figure, content in ordered
    )
    return SourceRead(values, {f"release {row.number}": row.sha256}, SourceSample.as_json)


def _sample(figure: str, content: Mapping[str, Any], number: int) -> SourceSample:
    paper, text = content["paper"], content.get("text")
    nodes, edges, repeats = graph_parts(
        (node["name"] for node in content["nodes"]),
        ((edge["source"], edge["sink"]) for edge in content["edges"]),
    )
    levels = (content.get("levels") or {}).get("nodes") or {}
    sample = GraphSample(
        id=figure,
        origin=f"release {number}",
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
        subject=("figure", figure),
    )
    if text is None:
        why = (content.get("left_out") or {}).get("text") or NOT_READY
        return SourceSample(sample, trouble=why)
    return SourceSample(sample, text["content"])


SOURCE = Source(words="releases", offered=_options, read=_read)
