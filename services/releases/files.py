"""A release as files: a zip for publication, or one of its parts. The same release yields the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.papers.releases import canonical
from exchange.archive import write_archive
from exchange.dataset_card import dataset_card, licence_text
from exchange.edge_table import table_bytes
from exchange.recite import ReciteRow, without_controls, write_default
from services.files import ExportedFile

EDGE_COLUMNS = ("id", "title", "figure", "source", "sink", "sign", "delay", "flag", "origin")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedFiles:
    """A release with its contents."""

    number: int
    title: str
    notes: str
    licence: str
    created_at: datetime
    sha256: str
    manifest: Mapping[str, Any]
    contents: Mapping[str, Mapping[str, Any]]  # by figure
    faults: tuple[str, ...]  # places where contents differ from their hashes

    @property
    def name(self) -> str:
        return self.title or f"Ground truth, release {self.number}"


class ReleaseForm(StrEnum):
    """Forms in which a release is exported."""

    ZIP = "zip"
    PARQUET = "parquet"
    JSONL = "jsonl"
    CSV = "csv"
    MANIFEST = "manifest"


def release_file(release: ReleasedFiles, study_name: str, form: ReleaseForm) -> ExportedFile:
    """Export a release; `study_name` becomes part of the file name."""
    name, media_type = file_facts(release.number, study_name, form)
    return ExportedFile(name, media_type, _FORMS[form][2](release))


def file_facts(number: int, study_name: str, form: ReleaseForm) -> tuple[str, str]:
    stem = re.sub(r"[^a-z0-9]+", "-", f"{study_name} ground truth release {number}".lower()).strip("-")
    suffix, media_type, _ = _FORMS[form]
    return f"{stem}{suffix}", media_type


def samples_of(release: ReleasedFiles) -> tuple[ReciteRow, ...]:
    """Return the rows of the default table, by title. Unknown values stay empty. A control character, which texts of
    earlier versions may have, becomes U+FFFD."""
    return tuple(without_controls(_sample(content)) for content in _ordered(release))


def _sample(content: Mapping[str, Any]) -> ReciteRow:
    paper = content["paper"]
    edges = tuple(dict.fromkeys((edge["source"], edge["sink"]) for edge in content["edges"]))
    nodes = tuple(node["name"] for node in content["nodes"])
    text, levels = content["text"], content["levels"]
    url = paper["url"] or (f"https://doi.org/{paper['doi']}" if paper["doi"] else None)
    return ReciteRow(
        id=content["figure"]["id"],
        title=paper["title"],
        source=paper["source"] or None,
        url=url,
        domains=tuple(paper["domains"]),
        num_nodes=len(nodes),
        num_edges=len(edges),
        nodes=nodes,
        edges=edges,
        explicitness=levels["explicitness"] if levels else None,
        node_explicitness=tuple(levels["nodes"][node] for node in nodes) if levels else None,
        input_text=text["content"] if text else None,
        abstract=paper["abstract"] or None,
        publication_date=paper["publication_date"] or None,
    )


def _ordered(release: ReleasedFiles) -> list[Mapping[str, Any]]:
    contents = release.contents.values()
    return sorted(contents, key=lambda each: (each["paper"]["title"].casefold(), each["figure"]["id"]))


def _manifest(release: ReleasedFiles) -> bytes:
    whole = {"title": release.title, "sha256": release.sha256, "manifest": release.manifest}
    return (json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _jsonl(release: ReleasedFiles) -> bytes:
    hashes = {item["figure"]: item["sha256"] for item in release.manifest["items"]}
    lines = [
        canonical({"sha256": hashes[content["figure"]["id"]], "content": content}) + b"\n"
        for content in _ordered(release)
    ]
    return b"".join(lines)


def _parquet(release: ReleasedFiles) -> bytes:
    return write_default(samples_of(release))


def _csv(release: ReleasedFiles) -> bytes:
    rows = (
        [
            content["figure"]["id"],
            content["paper"]["title"],
            content["figure"]["label"],
            edge["source"],
            edge["sink"],
            edge["sign"] or "",
            "yes" if edge["delay"] else "",
            edge["flag"] or "",
            edge["origin"],
        ]
        for content in _ordered(release)
        for edge in content["edges"]
    )
    return table_bytes(EDGE_COLUMNS, rows, safe=False)


def _zip(release: ReleasedFiles) -> bytes:
    contents = _ordered(release)
    return write_archive(
        [
            ("README.md", dataset_card(release.name, release.notes, release.manifest, contents).encode()),
            ("LICENSE.txt", licence_text(release.licence, contents).encode()),
            ("default.parquet", _parquet(release)),
            ("edges.csv", _csv(release)),
            ("ground-truth.jsonl", _jsonl(release)),
            ("manifest.json", _manifest(release)),
        ]
    )


_FORMS: Mapping[ReleaseForm, tuple[str, str, Callable[[ReleasedFiles], bytes]]] = {
    ReleaseForm.ZIP: (".zip", "application/zip", _zip),
    ReleaseForm.PARQUET: ("-default.parquet", "application/vnd.apache.parquet", _parquet),
    ReleaseForm.JSONL: (".jsonl", "application/jsonl", _jsonl),
    ReleaseForm.CSV: ("-edges.csv", "text/csv", _csv),
    ReleaseForm.MANIFEST: ("-manifest.json", "application/json", _manifest),
}
