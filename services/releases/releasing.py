"""Releases: numbered, frozen versions of the study's ground truth; what the next one would hold, and how two differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import BadInput, Conflict, Refused, StoreTrouble
from core.papers.releases import (
    FORMAT,
    VERSION,
    ReleaseDiff,
    compare_releases,
    faults_of,
    hash_of,
    release_hash,
)
from core.people import May, Receipt, Viewer
from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary
from core.version import PROGRAM_VERSION
from core.words import quoted
from services.acting import Reading, Writing, consulting, perform
from services.files import ExportedFile
from services.releases.content import LeftOutFigure, ReleaseCandidate, candidate, reasons
from services.releases.files import ReleasedFiles, ReleaseForm, file_facts, release_file
from services.releases.texts import left_out_reasons
from services.transcription import guidelines
from store import people
from store import releases as stored
from store.tables import ReleaseItemRow, ReleaseRow

LONGEST_TITLE, LONGEST_NOTES = 200, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLine:
    """One row of the list of releases."""

    number: int
    title: str
    licence: str
    created_at: datetime
    sha256: str
    figures: int
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePreview:
    """What freezing would make: number, counts, what is left out and why, and the diff to the last release. `texts` and
    `labelled`: figures with their text and with levels of their nodes.

    `seen` is what `freeze` asks for: it stands for exactly this content.
    """

    number: int
    seen: str
    figures: int
    papers: int
    nodes: int
    edges: int
    texts: int
    labelled: int
    left_out: tuple[LeftOutFigure, ...]
    diff: ReleaseDiff
    agreement: Mapping[str, Any] | None

    @property
    def is_unchanged(self) -> bool:
        """Whether it would hold just what the last release holds."""
        return self.number > 1 and self.diff.is_empty


def preview(viewer: Viewer) -> ReleasePreview:
    """What would be frozen now, for those who may release."""
    with consulting(viewer, May.RELEASE) as r:
        last, found, diff = _next(r)
    counts = _counts(found)
    return ReleasePreview(
        number=(last.number if last else 0) + 1,
        seen=_seen(last, found),
        figures=counts["figures"],
        papers=counts["papers"],
        nodes=counts["nodes"],
        edges=counts["edges"],
        texts=counts["texts"],
        labelled=counts["labelled"],
        left_out=found.left_out,
        diff=diff,
        agreement=found.agreement,
    )


def freeze(
    viewer: Viewer,
    title: str,
    notes: str,
    licence: str,
    *,
    seen: str,
    even_if_unchanged: bool = False,
    act_id: str,
) -> Receipt:
    """Freeze the ground truth as the next release. `seen`: what the preview said.

    Raises Conflict if the ground truth or the releases are no longer what the preview showed, Refused if there is
    nothing to freeze or nothing changed since the last release (unless asked for), BadInput without a licence, for
    a text that is too long, or for one that names a person of the study: a release cannot be rewritten.
    """
    words = _checked(title, notes, licence)

    def act(w: Writing) -> Receipt:
        last, found, diff = _next(w, for_update=True)
        if _seen(last, found) != seen:
            number = last.number if last else 0
            raise Conflict(
                "The ground truth has changed since this preview. Check the new preview.", seen=number, found=number
            )
        if not found.contents:
            raise Refused("No ground truth to freeze: no adjudication is finished.")
        if last is not None and diff.is_empty and not even_if_unchanged:
            raise Refused(f"Nothing has changed since release {last.number}.")
        _refuse_names(w, words, found)
        manifest = _manifest(w, last, found, diff, words["licence"])
        row = ReleaseRow(
            number=manifest["number"],
            manifest=manifest,
            sha256=hash_of(manifest),
            created_by=w.viewer.person_id,
            created_at=w.now,
            **words,
        )
        stored.insert(w.session, row, _items(row, found))
        payload = {"number": row.number, "sha256": row.sha256, "figures": len(found.contents)}
        return w.record("release.freeze", "release", row.id, version=row.number, payload=payload)

    return perform(viewer, May.RELEASE, act_id, act)


def releases(viewer: Viewer) -> tuple[ReleaseLine, ...]:
    """All releases, newest first."""
    with consulting(viewer, May.EXPORT) as r:
        return tuple(_line(row) for row in stored.releases(r.session))


def release(viewer: Viewer, number: int) -> ReleasedFiles:
    """One release with its contents, and every place where they are not what their hashes say.

    Raises Missing if there is no release of this number.
    """
    with consulting(viewer, May.EXPORT) as r:
        return _released(r, number)


def difference(viewer: Viewer, before: int, after: int) -> ReleaseDiff:
    """What leads from one release to another; 0 is the empty one before the first."""
    with consulting(viewer, May.EXPORT) as r:
        old, new = (_released(r, number).contents if number else {} for number in (before, after))
    return compare_releases(old, new)


def export(viewer: Viewer, number: int, form: ReleaseForm = ReleaseForm.ZIP) -> ExportedFile:
    """A release as a file; the same release always gives the same bytes.

    Raises StoreTrouble if its content is not what was frozen: such a release is not handed out.
    """
    with consulting(viewer, May.EXPORT) as r:
        found = _released(r, number)
        study_name = r.study.name
        for figure_id in found.contents:
            r.look_at(figure_id)
    if found.faults:
        raise StoreTrouble(
            f"Release {number} differs from what was frozen: {found.faults[0]} Restore it from a backup."
        )
    return release_file(found, study_name, form)


def file_of(viewer: Viewer, number: int, form: ReleaseForm) -> tuple[str, str]:
    """(name, media type) of a release in one form, without writing it."""
    with consulting(viewer, May.EXPORT) as r:
        return file_facts(number, r.study.name, form)


# --- below: reading ---------------------------------------------------------------------------------------------


def _line(row: ReleaseRow) -> ReleaseLine:
    counts = row.manifest.get("counts", {})
    return ReleaseLine(
        number=row.number,
        title=row.title,
        licence=row.licence,
        created_at=row.created_at,
        sha256=row.sha256,
        figures=int(counts.get("figures", 0)),
        nodes=int(counts.get("nodes", 0)),
        edges=int(counts.get("edges", 0)),
    )


def _released(r: Reading, number: int) -> ReleasedFiles:
    row = stored.release(r.session, number)
    contents = stored.contents(r.session, row.id)
    faults = faults_of(row.manifest, row.sha256, contents)
    return ReleasedFiles(
        number=row.number,
        title=row.title,
        notes=row.notes,
        licence=row.licence,
        created_at=row.created_at,
        sha256=row.sha256,
        manifest=row.manifest,
        contents=contents,
        faults=faults,
    )


def _next(r: Reading, *, for_update: bool = False) -> tuple[ReleaseRow | None, ReleaseCandidate, ReleaseDiff]:
    last = stored.last_release(r.session)
    found = candidate(r, for_update=for_update)
    return last, found, compare_releases(stored.contents(r.session, last.id) if last else {}, found.contents)


def _seen(last: ReleaseRow | None, found: ReleaseCandidate) -> str:
    return hash_of([last.sha256 if last else "", found.hashes])


def _counts(found: ReleaseCandidate) -> dict[str, int]:
    contents = found.contents.values()
    return {
        "figures": len(found.contents),
        "papers": len({content["paper"]["id"] for content in contents}),
        "nodes": sum(len(content["nodes"]) for content in contents),
        "edges": sum(len(content["edges"]) for content in contents),
        "signed_edges": sum(edge["sign"] is not None for content in contents for edge in content["edges"]),
        "texts": sum(content["text"] is not None for content in contents),
        "labelled": sum(content["levels"] is not None for content in contents),
    }


# --- below: freezing --------------------------------------------------------------------------------------------


def _checked(title: str, notes: str, licence: str) -> dict[str, str]:
    words = {"title": " ".join(title.split()), "notes": notes.strip(), "licence": " ".join(licence.split())}
    if not words["licence"]:
        raise BadInput("A licence is needed, such as CC-BY-4.0.")
    for field, longest in (("title", LONGEST_TITLE), ("notes", LONGEST_NOTES), ("licence", LONGEST_TITLE)):
        if len(words[field]) > longest:
            raise BadInput(f"The {field} has {len(words[field]):,} characters; at most {longest:,} are allowed.")
    return words


def _refuse_names(w: Writing, words: Mapping[str, str], found: ReleaseCandidate) -> None:
    """A frozen text cannot be rewritten when identities are destroyed, so no name goes in."""
    named = [row.name for row in people.all_people(w.session) if not is_ordinary(row.name)]
    names = Pseudonyms(NamedPerson(name, name) for name in named)
    texts = dict(words) | {
        f"{what} of the figure {content['figure']['label'] or figure_id}": content["figure"][what]
        for figure_id, content in found.contents.items()
        for what in ("label", "place")
    }
    for where, text in texts.items():
        for name in names.found(text):
            raise BadInput(
                f"The {where} names {quoted(name)}, who takes part in this study. A release contains no names of "
                "people: describe the work instead, or remove the name."
            )


def _items(row: ReleaseRow, found: ReleaseCandidate) -> list[ReleaseItemRow]:
    hashes = found.hashes
    return [
        ReleaseItemRow(
            release_id=row.id,
            figure_id=figure_id,
            paper_id=content["paper"]["id"],
            graph_id=content["provenance"]["graph"],
            content=content,
            sha256=hashes[figure_id],
        )
        for figure_id, content in sorted(found.contents.items())
    ]


def _manifest(
    w: Writing, last: ReleaseRow | None, found: ReleaseCandidate, diff: ReleaseDiff, licence: str
) -> dict[str, Any]:
    hashes = found.hashes
    return {
        "format": f"{FORMAT} release",
        "version": VERSION,
        "number": (last.number if last else 0) + 1,
        "created_at": w.now.isoformat(timespec="seconds"),
        "licence": licence,
        "tool": f"Edgewise {PROGRAM_VERSION}",
        "guidelines_version": guidelines.newest_number(w.session),
        "counts": _counts(found),
        "agreement": found.agreement,
        "left_out": reasons(found.left_out),
        "without": left_out_reasons(found.contents.values()),
        "items": [
            {
                "figure": figure_id,
                "paper": content["paper"]["id"],
                "graph": content["provenance"]["graph"],
                "nodes": len(content["nodes"]),
                "edges": len(content["edges"]),
                "sha256": hashes[figure_id],
            }
            for figure_id, content in sorted(found.contents.items())
        ],
        "content_sha256": release_hash(hashes),
        "since": {"release": last.number if last else None, "sha256": last.sha256 if last else None, **diff.as_json()},
    }
