"""Releases: numbered, frozen versions of the ground truth; the preview of the next one, and differences between two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import BadInput, Conflict, Refused, StoreUnavailable
from core.papers.releases import (
    FORMAT,
    VERSION,
    ReleaseDiff,
    compare_releases,
    count_origins,
    faults_of,
    hash_of,
    origin_of,
    release_hash,
)
from core.people import Permission, Receipt, Viewer
from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary
from core.version import PROGRAM_VERSION
from core.words import quoted
from services.acting import ReadContext, Writing, consulting, perform
from services.files import ExportedFile
from services.releases.content import LeftOutFigure, ReleaseCandidate, candidate, reasons
from services.releases.files import ReleasedFiles, ReleaseForm, file_facts, release_file
from services.releases.texts import left_out_reasons, private_sentences
from services.transcription import guidelines
from store import people
from store import releases as stored
from store.tables import ReleaseItemRow, ReleaseRow

LONGEST_TITLE, LONGEST_NOTES = 200, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLine:
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
    """The release that `freeze` would create."""

    number: int
    seen: str  # hash of this content; `freeze` requires it
    figures: int
    papers: int
    nodes: int
    edges: int
    texts: int  # figures with a text
    labelled: int  # figures with levels of their nodes
    origins: Mapping[str, int]  # origin of the ground truth → figures
    private: tuple[str, ...]  # sentences on texts that a licence keeps in the study
    left_out: tuple[LeftOutFigure, ...]
    diff: ReleaseDiff  # to the last release
    agreement: Mapping[str, Any] | None

    @property
    def is_unchanged(self) -> bool:
        """The content equals that of the last release."""
        return self.number > 1 and self.diff.is_empty


def preview(viewer: Viewer) -> ReleasePreview:
    with consulting(viewer, Permission.RELEASE) as r:
        last, next_release, diff = _next_release(r)
    counts = _counts(next_release)
    return ReleasePreview(
        number=(last.number if last else 0) + 1,
        seen=_preview_hash(last, next_release),
        figures=counts["figures"],
        papers=counts["papers"],
        nodes=counts["nodes"],
        edges=counts["edges"],
        texts=counts["texts"],
        labelled=counts["labelled"],
        origins=_origins(next_release),
        private=tuple(private_sentences((last.number if last else 0) + 1, next_release.contents.values())),
        left_out=next_release.left_out,
        diff=diff,
        agreement=next_release.agreement,
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
    """Freeze the ground truth as the next release. `seen` comes from the preview. Raises Conflict if the ground truth
    or the releases changed since the preview, Refused if there is nothing to freeze or (without `even_if_unchanged`)
    nothing changed since the last release. Raises BadInput without a licence, for too long a text, and for one that
    names a person of the study: a release cannot be changed."""
    words = _check_words(title, notes, licence)

    def act(w: Writing) -> Receipt:
        last, next_release, diff = _next_release(w, for_update=True)
        if _preview_hash(last, next_release) != seen:
            number = last.number if last else 0
            raise Conflict(
                "The ground truth has changed since this preview. Check the new preview.", seen=number, found=number
            )
        if not next_release.contents:
            raise Refused(
                "No ground truth to freeze: no adjudication is finished, no graph is imported as ground truth, and no "
                "single transcription counts as one."
            )
        if last is not None and diff.is_empty and not even_if_unchanged:
            raise Refused(f"Nothing has changed since release {last.number}.")
        _refuse_names(w, words, next_release)
        manifest = _manifest(w, last, next_release, diff, words["licence"])
        row = ReleaseRow(
            number=manifest["number"],
            manifest=manifest,
            sha256=hash_of(manifest),
            created_by=w.viewer.person_id,
            created_at=w.now,
            **words,
        )
        stored.insert(w.session, row, _items(row, next_release))
        payload = {"number": row.number, "sha256": row.sha256, "figures": len(next_release.contents)}
        return w.record("release.freeze", "release", row.id, version=row.number, payload=payload)

    return perform(viewer, Permission.RELEASE, act_id, act)


def releases(viewer: Viewer) -> tuple[ReleaseLine, ...]:
    with consulting(viewer, Permission.EXPORT) as r:
        return tuple(_line(row) for row in stored.releases(r.session))


def release(viewer: Viewer, number: int) -> ReleasedFiles:
    """Return a release with its contents and the places where they differ from their hashes. Raises Missing for an
    unknown number."""
    with consulting(viewer, Permission.EXPORT) as r:
        return _read_release(r, number)


def difference(viewer: Viewer, before: int, after: int) -> ReleaseDiff:
    """Return the difference between two releases; 0 is an empty release."""
    with consulting(viewer, Permission.EXPORT) as r:
        old, new = (_read_release(r, number).contents if number else {} for number in (before, after))
    return compare_releases(old, new)


def export(viewer: Viewer, number: int, form: ReleaseForm = ReleaseForm.ZIP) -> ExportedFile:
    """Export a release; the same release always yields the same bytes. Raises StoreUnavailable if its content differs
    from what was frozen."""
    with consulting(viewer, Permission.EXPORT) as r:
        released = _read_release(r, number)
        study_name = r.study.name
        for figure_id in released.contents:
            r.record_exposure(figure_id)
    if released.faults:
        raise StoreUnavailable(
            f"Release {number} differs from what was frozen: {released.faults[0]} Restore it from a backup."
        )
    return release_file(released, study_name, form)


def file_of(viewer: Viewer, number: int, form: ReleaseForm) -> tuple[str, str]:
    """Return (file name, media type) of a release in one form, without writing it."""
    with consulting(viewer, Permission.EXPORT) as r:
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


def _read_release(r: ReadContext, number: int) -> ReleasedFiles:
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


def _next_release(
    r: ReadContext, *, for_update: bool = False
) -> tuple[ReleaseRow | None, ReleaseCandidate, ReleaseDiff]:
    last = stored.last_release(r.session)
    next_release = candidate(r, for_update=for_update)
    return (
        last,
        next_release,
        compare_releases(stored.contents(r.session, last.id) if last else {}, next_release.contents),
    )


def _preview_hash(last: ReleaseRow | None, next_release: ReleaseCandidate) -> str:
    return hash_of([last.sha256 if last else "", next_release.hashes])


def _counts(next_release: ReleaseCandidate) -> dict[str, int]:
    contents = next_release.contents.values()
    return {
        "figures": len(next_release.contents),
        "papers": len({content["paper"]["id"] for content in contents}),
        "nodes": sum(len(content["nodes"]) for content in contents),
        "edges": sum(len(content["edges"]) for content in contents),
        "signed_edges": sum(edge["sign"] is not None for content in contents for edge in content["edges"]),
        "texts": sum(content["text"] is not None for content in contents),
        "labelled": sum(content["levels"] is not None for content in contents),
    }


def _origins(next_release: ReleaseCandidate) -> dict[str, int]:
    origins = count_origins(next_release.contents.values())
    return {origin.value: number for origin, number in origins.items()}


# --- below: freezing --------------------------------------------------------------------------------------------


def _check_words(title: str, notes: str, licence: str) -> dict[str, str]:
    words = {"title": " ".join(title.split()), "notes": notes.strip(), "licence": " ".join(licence.split())}
    if not words["licence"]:
        raise BadInput("A licence is needed, such as CC-BY-4.0.")
    for field, longest in (("title", LONGEST_TITLE), ("notes", LONGEST_NOTES), ("licence", LONGEST_TITLE)):
        if len(words[field]) > longest:
            raise BadInput(f"The {field} has {len(words[field]):,} characters; at most {longest:,} are allowed.")
    return words


def _refuse_names(w: Writing, words: Mapping[str, str], next_release: ReleaseCandidate) -> None:
    """Raise BadInput if a text names a person: it could not be changed when their identity is destroyed."""
    named = [row.name for row in people.all_people(w.session) if not is_ordinary(row.name)]
    names = Pseudonyms(NamedPerson(name, name) for name in named)
    texts = dict(words) | {
        f"{what} of the figure {content['figure']['label'] or figure_id}": content["figure"][what]
        for figure_id, content in next_release.contents.items()
        for what in ("label", "place")
    }
    for content in next_release.contents.values():
        for section in (content["text"] or {}).get("accepted", ()):
            texts[f"reason for the section {quoted(section['heading'])} of a text"] = section["reason"]
    for where, text in texts.items():
        for name in names.found(text):
            raise BadInput(
                f"The {where} names {quoted(name)}, who takes part in this study. A release contains no names of "
                "people: describe the work instead, or remove the name."
            )


def _items(row: ReleaseRow, next_release: ReleaseCandidate) -> list[ReleaseItemRow]:
    hashes = next_release.hashes
    return [
        ReleaseItemRow(
            release_id=row.id,
            figure_id=figure_id,
            paper_id=content["paper"]["id"],
            graph_id=content["provenance"]["graph"],
            content=content,
            sha256=hashes[figure_id],
        )
        for figure_id, content in sorted(next_release.contents.items())
    ]


def _manifest(
    w: Writing, last: ReleaseRow | None, next_release: ReleaseCandidate, diff: ReleaseDiff, licence: str
) -> dict[str, Any]:
    hashes = next_release.hashes
    return {
        "format": f"{FORMAT} release",
        "version": VERSION,
        "number": (last.number if last else 0) + 1,
        "created_at": w.now.isoformat(timespec="seconds"),
        "licence": licence,
        "tool": f"Edgewise {PROGRAM_VERSION}",
        "guidelines_version": guidelines.newest_number(w.session),
        "counts": _counts(next_release),
        "origins": _origins(next_release),
        "agreement": next_release.agreement,
        "left_out": reasons(next_release.left_out),
        "without": left_out_reasons(next_release.contents.values()),
        "items": [
            {
                "figure": figure_id,
                "paper": content["paper"]["id"],
                "graph": content["provenance"]["graph"],
                "origin": origin_of(content).value,
                "nodes": len(content["nodes"]),
                "edges": len(content["edges"]),
                "sha256": hashes[figure_id],
            }
            for figure_id, content in sorted(next_release.contents.items())
        ],
        "content_sha256": release_hash(hashes),
        "since": {"release": last.number if last else None, "sha256": last.sha256 if last else None, **diff.as_json()},
    }
