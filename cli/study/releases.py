"""Releases of a study's ground truth: listing, freezing, exporting, comparing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, say, write_whole
from core.words import counted, quoted

if TYPE_CHECKING:
    from core.papers.releases import ReleaseDiff

app = typer.Typer()
release_app = typer.Typer(no_args_is_help=True, help="Numbered, frozen versions of the ground truth.")
app.add_typer(release_app, name="release")

FORMS = ("zip", "parquet", "jsonl", "csv", "manifest")
Number = Annotated[int, typer.Argument(help="Number of the release.", min=1)]


@release_app.command("list")
def release_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the releases, newest first."""
    from services.releases import releasing

    with opened_study(store) as viewer:
        rows: list[dict[str, Any]] = [
            {
                "number": line.number,
                "title": line.title,
                "licence": line.licence,
                "figures": line.figures,
                "nodes": line.nodes,
                "edges": line.edges,
                "created_at": line.created_at.isoformat(),
                "sha256": line.sha256,
            }
            for line in releasing.releases(viewer)
        ]
    lines = [
        f"{row['number']:>3}  {row['created_at'][:10]}  {counted(row['figures'], 'figure')}, "
        f"{counted(row['edges'], 'edge')}  {row['sha256'][:12]}  {row['title']}"
        for row in rows
    ]
    say(rows, "\n".join(lines) or "No releases yet.", as_json)


@release_app.command("freeze")
def release_freeze(
    licence: Annotated[str, typer.Option(help="Licence of the ground truth, such as CC-BY-4.0.")],
    title: Annotated[str, typer.Option(help="Title of the release.")] = "",
    notes: Annotated[str, typer.Option(help="Notes for readers.")] = "",
    unchanged: Annotated[bool, typer.Option("--unchanged", help="Freeze even if nothing changed.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be frozen, and freeze nothing.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Freeze the finished ground truth as the next release; it can never be changed."""
    from services.releases import releasing

    with opened_study(store) as viewer:
        seen = releasing.preview(viewer)
        facts: dict[str, Any] = {
            "number": seen.number,
            "figures": seen.figures,
            "papers": seen.papers,
            "nodes": seen.nodes,
            "edges": seen.edges,
            "texts": seen.texts,
            "labelled": seen.labelled,
            "origins": dict(seen.origins),
            "left_out": [
                {"title": each.name.title, "figure": each.name.figure_id, "reason": each.reason}
                for each in seen.left_out
            ],
            "since_last": seen.diff.as_json(),
            "frozen": False,
        }
        if not dry_run:
            releasing.freeze(
                viewer, title, notes, licence, seen=seen.seen, even_if_unchanged=unchanged, act_id=new_id()
            )
            facts |= {"frozen": True, "sha256": releasing.release(viewer, seen.number).sha256}
    verb = "Would freeze" if dry_run else "Froze"
    words = [
        f"{verb} release {seen.number}: {counted(seen.figures, 'figure')} from {counted(seen.papers, 'paper')}, "
        f"{counted(seen.nodes, 'node')}, {counted(seen.edges, 'edge')}"
        f"{', ' + counted(seen.texts, 'text') if seen.texts else ''}.",
        _difference_words(seen.diff),
        *seen.private,
    ]
    if set(seen.origins) - {"adjudicated"}:
        by_origin = ", ".join(f"{number:,} {origin}" for origin, number in seen.origins.items())
        words.insert(1, f"Ground truth: {by_origin}. Agreement covers adjudicated figures only.")
    words += [f"Left out: {each.name.title} {each.name.label}: {each.reason}." for each in seen.left_out]
    say(facts, "\n".join(words), as_json)


@release_app.command("settings")
def release_settings(
    single: Annotated[
        str | None,
        typer.Option(
            help="When a figure's only transcription counts as ground truth: never, reviewed (once a reviewer accepted "
            "it) or submitted."
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what counts as ground truth without adjudication, or save it with --single; only the owner may."""
    from services.releases import settings

    with opened_study(store) as viewer:
        if single is not None:
            version = settings.settings(viewer).version
            settings.save_settings(viewer, single, seen=version, act_id=new_id())
        value = settings.settings(viewer).single.value
    say({"single": value}, f"A single transcription is ground truth: {value}.", as_json)


@release_app.command("export")
def release_export(
    number: Number,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMS)}.")] = "zip",
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: print what was written as JSON.")] = False,
) -> None:
    """Write a release as files; the same release always gives the same bytes."""
    from services.releases import releasing
    from services.releases.files import ReleaseForm

    if as_json and out is None:
        raise typer.BadParameter("needs --out: standard output cannot hold both", param_hint="--json")
    if form not in FORMS:
        raise typer.BadParameter(f"{quoted(form)} is not one of {', '.join(FORMS)}", param_hint="--format")
    with opened_study(store) as viewer:
        file = releasing.export(viewer, number, ReleaseForm(form))
        if out is not None:
            write_whole(out, file.content)
    if out is None:
        sys.stdout.buffer.write(file.content)
        return
    written = {"path": str(out), "size_bytes": len(file.content), "media_type": file.media_type}
    say(written, f"Wrote {out} ({len(file.content):,} bytes).", as_json)


@release_app.command("diff")
def release_diff(
    before: Annotated[int, typer.Argument(help="The earlier release; 0 is the empty one before the first.", min=0)],
    after: Number,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was added, removed and changed between two releases."""
    from services.releases import releasing

    with opened_study(store) as viewer:
        difference = releasing.difference(viewer, before, after)
    lines = [_difference_words(difference)]
    lines += [f"+ {name.title} {name.label}" for name in difference.added]
    lines += [f"- {name.title} {name.label}" for name in difference.removed]
    for each in difference.changed:
        lines.append(f"~ {each.name.title} {each.name.label}{': ' + ', '.join(each.besides) if each.besides else ''}")
        lines += [f'    + "{source}" -> "{sink}"' for source, sink in each.edges_added]
        lines += [f'    - "{source}" -> "{sink}"' for source, sink in each.edges_removed]
        lines += [f'    ~ "{edge.source}" -> "{edge.sink}": {edge.before} -> {edge.after}' for edge in each.re_signed]
    say(difference.as_json(), "\n".join(lines), as_json)


@release_app.command("check")
def release_check(number: Number, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Compare a release with its hashes; the exit status is 1 if it is not what was frozen."""
    from services.releases import releasing

    with opened_study(store) as viewer:
        release = releasing.release(viewer, number)
        if release.faults and not as_json:
            raise Stop("\n".join(release.faults))
    say(
        {"number": number, "sha256": release.sha256, "faults": list(release.faults)},
        f"Release {number} is unchanged since it was frozen: {release.sha256}",
        as_json,
    )
    if release.faults:
        raise typer.Exit(1)


def _difference_words(diff: ReleaseDiff) -> str:
    if diff.is_empty:
        return "Nothing changed."
    edges = "edges: {} added, {} removed, {} with another sign".format(*diff.edge_counts)
    figures = counted(len(diff.added), "figure")
    return f"{figures} added, {len(diff.removed)} removed, {len(diff.changed)} changed ({edges})."
