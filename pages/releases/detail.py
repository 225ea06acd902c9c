"""One release: contents, hashes, agreement, difference to another, and files."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets.downloads import content_on_click
from components.widgets.number_table import number_table
from core.papers.releases import TruthOrigin
from core.people import Receipt, Viewer
from core.words import counted
from pages.releases.parts import PAGE, show_difference, table_height
from services.releases import releasing
from services.releases.files import ReleasedFiles, ReleaseForm
from services.releases.releasing import ReleaseLine
from services.releases.texts import private_sentences

FILES = {
    ReleaseForm.ZIP: (
        "Everything (ZIP)",
        "Tables, content, card, licences and manifest; for publishing.",
    ),
    ReleaseForm.PARQUET: ("Figures (Parquet)", "One row per figure, in the columns of the ReCITE dataset."),
    ReleaseForm.CSV: ("Edges (CSV)", "One row per edge, with sign and delay."),
    ReleaseForm.JSONL: ("Content (JSON lines)", "Everything frozen, with the hash of each figure."),
    ReleaseForm.MANIFEST: ("Manifest (JSON)", "Counts, hashes, and changes since the previous release."),
}


def show_release(viewer: Viewer, number: int, listed: tuple[ReleaseLine, ...]) -> None:
    release = releasing.release(viewer, number)
    last_receipt: Receipt | None = st.session_state.get(state.key(PAGE, "receipt"))
    receipt = last_receipt if last_receipt is not None and last_receipt.version == number else None
    room = shell.top_row(f"Release {number}", receipt, f"frozen {shell.moment(release.created_at)}")
    with room:
        links.page_button("Back to releases", "releases", {}, key=state.key(PAGE, "back"))
    for fault in release.faults:
        st.error(shell.escaped(f"The content differs from what was frozen. {fault}"), icon=":material/gpp_bad:")
    counts = release.manifest.get("counts", {})
    if release.title:
        st.text(release.title)
    st.text(
        f"{counted(counts.get('figures', 0), 'figure')} from {counted(counts.get('papers', 0), 'paper')}: "
        f"{counted(counts.get('nodes', 0), 'node')}, {counted(counts.get('edges', 0), 'edge')}. Licence: "
        f"{release.licence}."
    )
    origins = release.manifest.get("origins", {})
    if set(origins) - {TruthOrigin.ADJUDICATED}:
        counts_by_origin = ", ".join(f"{number:,} {origin}" for origin, number in origins.items())
        st.text(f"Ground truth: {counts_by_origin}. Agreement covers adjudicated figures only.")
    for sentence in private_sentences(number, release.contents.values()):
        st.text(sentence)
    if release.notes:
        st.text(release.notes)
    facts, files = st.columns([3, 2], gap="large")
    with files:
        _files(viewer, release)
    with facts:
        _agreement(release.manifest.get("agreement"))
        others = [0, *(line.number for line in reversed(listed) if line.number != number)]
        name = state.key(PAGE, f"compare.{number}")
        if name not in st.session_state:
            st.session_state[name] = max((other for other in others if other < number), default=0)
        other = st.selectbox(
            "Compare with",
            others,
            key=name,
            width=260,
            format_func=lambda each: f"release {each}" if each else "nothing (before release 1)",
        )
        since = f"From release {other}" if other else "Full content"
        show_difference(releasing.difference(viewer, other or 0, number), since, key=f"diff.{number}.{other}")
        _hashes(release)


def _files(viewer: Viewer, release: ReleasedFiles) -> None:
    if release.faults:
        st.caption(
            "This release cannot be downloaded, because its content does not match its hashes. Restore it from a "
            "backup."
        )
        return
    for form, (label, why) in FILES.items():
        file_name, media_type = releasing.file_of(viewer, release.number, form)
        st.download_button(
            label,
            content_on_click(releasing.export, viewer, release.number, form),
            file_name,
            media_type,
            on_click="ignore",
            key=state.key(PAGE, f"get.{form.value}"),
            help=why,
            width="stretch",
            type="primary" if form is ReleaseForm.ZIP else "secondary",
        )
    st.caption("The files of a release are always the same, byte for byte.")


def _agreement(agreement: dict[str, Any] | None) -> None:
    if agreement is None:
        st.caption("Agreement: undefined, because no figure was transcribed twice and adjudicated.")
        return
    st.text(f"Agreement before adjudication: {counted(agreement['figures'], 'figure')}, pooled")
    columns = ("precision", "recall", "f1", "kappa")
    shown = [[_number(agreement[what].get(column)) for what in ("nodes", "edges")] for column in columns]
    number_table(
        {"": ["Nodes", "Edges"], "Precision": shown[0], "Recall": shown[1], "F1": shown[2], "Cohen's κ": shown[3]},
        key=state.key(PAGE, "agreement"),
        words=("",),
    )
    definition: str = agreement["names"]
    st.caption(shell.escaped(f"{definition[:1].upper()}{definition[1:]}."))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _hashes(release: ReleasedFiles) -> None:
    with st.expander("Hashes (SHA-256 of canonical JSON)"):
        st.code(
            f"manifest {release.sha256}\ncontent  {release.manifest.get('content_sha256', '')}",
            language=None,
            wrap_lines=True,
        )
        items = release.manifest.get("items", [])
        titles = {figure: content["paper"]["title"] for figure, content in release.contents.items()}
        st.dataframe(
            {
                "Paper": [titles.get(item["figure"], "–") for item in items],
                "Nodes": [item["nodes"] for item in items],
                "Edges": [item["edges"] for item in items],
                "Hash": [item["sha256"] for item in items],
            },
            hide_index=True,
            height=table_height(len(items)),
            key=state.key(PAGE, f"hashes.{release.number}"),
        )
        manifest = release.manifest
        st.caption(f"{manifest.get('tool', '')}; guidelines version {manifest.get('guidelines_version')}.")
