"""The card of a released dataset: contents, method and limits, in Markdown with a YAML header."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.papers.releases import TruthOrigin, count_origins
from core.words import counted

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
LICENCES = {
    "cc0-1.0",
    "cc-by-4.0",
    "cc-by-sa-4.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-4.0",
    "odbl",
    "odc-by",
    "mit",
    "apache-2.0",
}
"""Identifiers known to dataset hubs; any other licence is `other` with its name."""


def dataset_card(title: str, notes: str, manifest: Mapping[str, Any], contents: Sequence[Mapping[str, Any]]) -> str:
    """Return the README.md of a release. `contents`: the frozen figures."""
    counts = manifest["counts"]
    parts = [
        _head(title, manifest),
        f"# {_line(title)}\n",
        f"Release {manifest['number']}, frozen {manifest['created_at'][:10]} with {manifest['tool']}. "
        f"{counted(counts['figures'], 'causal diagram')} of {counted(counts['papers'], 'paper')}: "
        f"{counted(counts['nodes'], 'variable')}, {counted(counts['edges'], 'edge')}, {counts['signed_edges']:,} of "
        "them with a printed sign.\n",
        *([f"{notes}\n"] if notes else []),
        _FILES,
        _COLUMNS,
        _making(manifest, contents),
        _agreement(manifest["agreement"], contents),
        *_flagged(contents),
        _limits(manifest, contents),
        _licences(manifest, contents),
    ]
    return "\n".join(parts)


def known_licence(licence: str) -> str:
    """Return a hub's identifier for a licence's name, or `other`.

    >>> known_licence("CC BY 4.0"), known_licence("Ours")
    ('cc-by-4.0', 'other')
    """
    plain = licence.strip().lower().replace(" ", "-")
    return plain if plain in LICENCES else "other"


def licence_text(licence: str, contents: Sequence[Mapping[str, Any]]) -> str:
    """Return LICENSE: the licence of the ground truth, and that of every paper with a figure."""
    lines = [
        f"The ground truth in this release (nodes, edges and how they came about) is licensed under: {licence}",
        "",
        "The diagrams were published in the papers below, each under its own licence. Titles and abstracts are theirs.",
        "",
    ]
    if any(content["text"] for content in contents):
        lines[-2] += " So are their texts, which were shortened and changed: what gives a diagram away was taken out."
    papers = {content["paper"]["id"]: content["paper"] for content in contents}
    for paper in sorted(papers.values(), key=lambda paper: (paper["title"].casefold(), paper["id"])):
        place = paper["url"] or (f"https://doi.org/{paper['doi']}" if paper["doi"] else "no address recorded")
        lines.append(f"- {_line(paper['title'])} ({place}): {paper['licence'] or 'licence not recorded'}")
    return "\n".join(lines) + "\n"


def _head(title: str, manifest: Mapping[str, Any]) -> str:
    """Return the YAML that dataset hubs read. Texts are quoted as JSON, which is valid YAML."""
    licence, figures = known_licence(manifest["licence"]), manifest["counts"]["figures"]
    size = next((word for most, word in SIZES if figures < most), "100K<n<1M")
    lines = [
        "---",
        f"pretty_name: {json.dumps(_line(title), ensure_ascii=False)}",
        f"license: {licence}",
        *([f"license_name: {json.dumps(manifest['licence'], ensure_ascii=False)}"] if licence == "other" else []),
        "task_categories:",
        "- graph-ml",
        "- text-generation",
        "tags:",
        "- causal-graphs",
        "- causal-loop-diagrams",
        "- ground-truth",
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: test",
        "    path: default.parquet",
        "  default: true",
        "---",
    ]
    return "\n".join(lines) + "\n"


_FILES = """## Files

- `default.parquet`: one row per figure, in the columns below. Lists are nested columns.
- `ground-truth.jsonl`: everything that was frozen, one figure per line: signs, delays, flags, which of the two
  transcriptions contains each element, and the hash of the line's content.
- `edges.csv`: one row per edge, with sign and delay.
- `manifest.json`: counts, hashes (SHA-256 of canonical JSON), agreement, and what changed since the previous release.
- `LICENSE.txt`: the licence, and the licence of every paper.
"""

_COLUMNS = """## Columns of `default.parquet`

| column | type | what it holds |
| --- | --- | --- |
| id | text | the diagram's id; it stays the same from release to release |
| title, source, url, publication_date, abstract, domains | text; domains a list | the paper, as recorded when frozen |
| num_nodes, num_edges | whole number | variables and ordered pairs |
| nodes | list of text | names as printed in the diagram, isolated ones too |
| edges | list of {source, target} | ordered pairs; signs are in the other two files |
| explicitness | number | share of nodes that the text names or implies; null where not labelled |
| node_explicitness | list of whole number | 1 named, 2 implied, 3 absent, in the order of `nodes`; null as above |
| input_text | text | the paper's text in Markdown, without the diagram; null where it cannot be handed on |
"""


def _making(manifest: Mapping[str, Any], contents: Sequence[Mapping[str, Any]]) -> str:
    origins = count_origins(contents)
    twice, single, imported = (origins.get(origin, 0) for origin in TruthOrigin)
    version = manifest["guidelines_version"]
    lines = ["## How it was made", ""]
    if twice:
        lines.append(
            f"{_were(twice)} transcribed by two people who did not see each other's work; a third person ruled "
            "on every difference. What both drew alike is kept as drawn."
        )
    if single:
        reviewed = sum(bool(content["provenance"].get("reviewed")) for content in contents)
        lines.append(
            f"{_were(single)} transcribed by one person and not adjudicated; a reviewer accepted {reviewed} of them."
        )
    if imported:
        lines.append(f"{_were(imported)} imported as ground truth and not adjudicated here.")
    if single or imported:
        lines.append(
            "`provenance.made_by` in `ground-truth.jsonl` says which is which, and so does `origin` of each item in "
            "`manifest.json`."
        )
    lines.append(
        f"Names are copied as printed. Annotators followed version {version} of the study's guidelines."
        if version
        else "Names are copied as printed. The study had no written guidelines."
    )
    return "\n".join(lines) + "\n"


def _were(number: int) -> str:
    return f"{counted(number, 'diagram')} {'was' if number == 1 else 'were'}"


def _agreement(agreement: Mapping[str, Any] | None, contents: Sequence[Mapping[str, Any]]) -> str:
    lines = ["## Agreement", ""]
    origins = count_origins(contents)
    uncovered = [
        f"{origins[origin]} {words}"
        for origin, words in ((TruthOrigin.SINGLE, "transcribed once"), (TruthOrigin.IMPORTED, "imported"))
        if origin in origins
    ]
    if agreement is None:
        lines.append("Not known: no diagram of this release was transcribed twice and adjudicated.")
        if uncovered:
            lines[-1] = f"{lines[-1][:-1]} ({', '.join(uncovered)})."
        return "\n".join(lines) + "\n"
    lines += [
        f"Between the two transcriptions of {counted(agreement['figures'], 'diagram')}, before adjudication; counts "
        f"pooled over diagrams, first against second, names by {agreement['names']}.",
        "",
        "| | TP | FP | FN | precision | recall | F1 | Cohen's κ |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for what in ("nodes", "edges"):
        row = agreement[what]
        values = [row.get(key) for key in ("precision", "recall", "f1", "kappa")]
        numbers = ["–" if value is None else f"{value:.3f}" for value in values]
        lines.append(f"| {what} | {row['tp']} | {row['fp']} | {row['fn']} | {' | '.join(numbers)} |")
    if uncovered:
        lines += ["", f"It does not cover the other diagrams ({', '.join(uncovered)})."]
    return "\n".join(lines) + "\n"


def _flagged(contents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the section on diagrams that people flagged as bad samples; none without any."""
    flagged = [content for content in contents if content.get("flags")]
    if not flagged:
        return []
    reasons = Counter(reason for content in flagged for reason in content["flags"])
    listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
    lines = [
        "## Flagged samples",
        "",
        f"People flagged {len(flagged):,} of {len(contents):,} diagrams as bad samples for models ({listed}); one can "
        "have several reasons. Each has `flags` in `ground-truth.jsonl`.",
        "",
        "| | diagrams | variables | edges | with a sign |",
        "| --- | --- | --- | --- | --- |",
    ]
    for words, some in (
        ("all", contents),
        ("without flagged ones", [each for each in contents if not each.get("flags")]),
    ):
        nodes, edges = (sum(len(content[part]) for content in some) for part in ("nodes", "edges"))
        signed = sum(edge["sign"] is not None for content in some for edge in content["edges"])
        lines.append(f"| {words} | {len(some):,} | {nodes:,} | {edges:,} | {signed:,} |")
    return ["\n".join(lines) + "\n"]


def _limits(manifest: Mapping[str, Any], contents: Sequence[Mapping[str, Any]]) -> str:
    left_out = manifest["left_out"]
    counts = manifest["counts"]
    lines = [
        "## Known limits",
        "",
        "- The ground truth says what the diagram shows, not what is true of the world.",
        f"- {counts['edges'] - counts['signed_edges']:,} edges have no printed sign: it is unknown, not positive.",
        *_missing(manifest),
        *_accepted(contents),
    ]
    if left_out:
        total = sum(left_out.values())
        reasons = "; ".join(f"{count}: {reason}" for reason, count in sorted(left_out.items()))
        lines.append(f"- {counted(total, 'located diagram')} {'is' if total == 1 else 'are'} not in it ({reasons}).")
    return "\n".join(lines) + "\n"


def _missing(manifest: Mapping[str, Any]) -> list[str]:
    """Return the numbers of diagrams with a text and with levels, and the reasons for the others."""
    if not (manifest["counts"]["texts"] or manifest["counts"]["labelled"]):
        return ["- Explicitness and the papers' texts are not part of this release."]
    lines, figures = list[str](), manifest["counts"]["figures"]
    for what, key, words in (("text", "texts", "the text of their paper"), ("levels", "labelled", "labelled nodes")):
        why = "; ".join(f"{n}: {reason}" for reason, n in sorted(manifest["without"][what].items()))
        lines.append(
            f"- {manifest['counts'][key]} of {figures} diagrams come with {words}{f' (without: {why})' if why else ''}."
        )
    return lines


def _accepted(contents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence on sections of texts with too many lost or invented words that people accepted."""
    by_text = [accepted for content in contents if (accepted := (content["text"] or {}).get("accepted"))]
    sections = [section for accepted in by_text for section in accepted]
    if not sections:
        return []
    lost, invented = (sum(section[what] for section in sections) for what in ("lost", "invented"))
    reasons = Counter(section["reason"] for section in sections)
    listed = "; ".join(f"{count}: {_line(reason)}" for reason, count in sorted(reasons.items()))
    were = "was" if len(sections) == 1 else "were"
    return [
        f"- {counted(len(sections), 'section')} of {counted(len(by_text), 'text')} {were} "
        f"accepted by a person although {lost:,} words are missing and {invented:,} are not in the paper ({listed})."
    ]


def _licences(manifest: Mapping[str, Any], contents: Sequence[Mapping[str, Any]]) -> str:
    papers = {content["paper"]["id"]: content["paper"]["licence"] or "not recorded" for content in contents}
    counted = ", ".join(f"{_line(licence)} ({count})" for licence, count in sorted(Counter(papers.values()).items()))
    return (
        f"## Licence\n\nThe ground truth: {_line(manifest['licence'])}. The papers' own licences: {counted}; each "
        "is in `LICENSE.txt`.\n"
    )


def _line(text: str) -> str:
    return " ".join(text.split())
