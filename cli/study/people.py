"""Credit for people's work, and destroying their identities."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, Stop, StoreOption, id_of, new_id, opened_study, say, write_whole
from core.words import counted, quoted

if TYPE_CHECKING:
    from core.people import Viewer
    from services.people.identities import ErasurePreview

app = typer.Typer()


@app.command("credit")
def credit_report(
    as_csv: Annotated[bool, typer.Option("--csv", help="Write a table for spreadsheets.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="With --csv: file to write.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what each person submitted, how many nodes and edges the ground truth accepted, and each person's share."""
    from services.people import credit

    if out is not None and not as_csv:
        raise typer.BadParameter("needs --csv", param_hint="--out")
    if as_csv and as_json:
        raise typer.BadParameter("cannot be combined with --json", param_hint="--csv")
    with opened_study(store) as viewer:
        report = credit.credit(viewer)
        content = credit.export_credit(viewer).content if as_csv else b""
        if out is not None:
            write_whole(out, content)
    if as_csv:
        print(f"Wrote {out}.") if out else sys.stdout.buffer.write(content)
        return
    rows: list[dict[str, Any]] = []
    for line in report.people:
        row = asdict(line)
        for share in ("share_of_nodes", "share_of_edges"):
            estimate = getattr(line, share)
            row |= {share: estimate.value} | ({f"{share}_reason": estimate.reason} if estimate.value is None else {})
        rows.append(row)
    lines = [
        f"{line.name} ({line.pseudonym}): {counted(line.transcriptions, 'transcription')}, "
        f"{counted(line.nodes, 'node')} ({_percent(line.share_of_nodes.value)}), "
        f"{counted(line.edges, 'edge')} ({_percent(line.share_of_edges.value)}); "
        f"accepted {line.nodes_accepted} and {line.edges_accepted}; {counted(line.adjudications, 'adjudication')}, "
        f"{counted(line.triplets, 'triplet')}, {counted(line.texts, 'text')}, "
        f"{counted(line.text_graphs, 'graph')} from texts, {counted(line.sheets, 'sheet')} of verdicts; "
        f"{line.active_hours:.1f} h active time"
        for line in report.people
    ]
    whole = {"people": rows, "nodes": report.nodes, "edges": report.edges}
    say(whole, "\n".join(lines) or "Nothing has been submitted yet.", as_json)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


@app.command("destroy-identities")
def destroy_identities(
    person: Annotated[list[str] | None, typer.Option(help="Name or ID; may be repeated; default: everyone.")] = None,
    keep: Annotated[list[str] | None, typer.Option(help="Name or ID of someone to leave out; may be repeated.")] = None,
    without_part: Annotated[
        list[str] | None, typer.Option(help="A part of a name that is not replaced on its own; may be repeated.")
    ] = None,
    papers: Annotated[bool, typer.Option("--papers", help="Rewrite names in papers' own data too.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Replace the names. Without it, only show what would change.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replace people's names with pseudonyms, everywhere and for good; if it was interrupted, run it again."""
    from services.people import identities

    with opened_study(store) as viewer:
        chosen = _chosen(viewer, person, keep)
        unwanted = {word.casefold() for word in without_part or ()}
        seen = identities.preview(viewer, chosen, with_papers=papers)
        parts = {
            each.id: tuple(part.word for part in each.parts if part.word.casefold() not in unwanted)
            for each in seen.people
        }
        seen = identities.preview(viewer, chosen, parts, with_papers=papers)
        finished = identities.sweep(viewer) if yes and seen.is_unswept else 0
        if yes and seen.people:
            identities.destroy(viewer, identities.CONFIRMATION, chosen, parts, with_papers=papers, act_id=new_id())
        elif yes and not finished:
            raise Stop("No identity is left to destroy: everyone chosen already has a pseudonym.")
    say({**_facts(seen), "destroyed": yes and bool(seen.people), "finished": finished}, _words(seen, yes), as_json)


def _chosen(viewer: Viewer, included: list[str] | None, excluded: list[str] | None) -> list[str]:
    from services.people import people

    names = {each.id: each.name for each in people.list_people(viewer)}

    def ids(words: list[str]) -> set[str]:
        matches = {word: id_of(word, names) for word in words}
        unknown = next((word for word, person_id in matches.items() if person_id is None), None)
        if unknown is not None:
            raise Stop(f"There is nobody called {quoted(unknown)} in this study; see: edgewise.py people list")
        return {person_id for person_id in matches.values() if person_id is not None}

    return sorted((ids(included) if included else set(names)) - ids(excluded or []))


def _facts(seen: ErasurePreview) -> dict[str, Any]:
    return {
        "people": [
            {
                "id": each.id,
                "pseudonym": each.pseudonym,
                "keeps_access": each.keeps_access,
                "parts": {part.word: part.count for part in each.parts},
            }
            for each in seen.people
        ],
        "rewritten": [asdict(place) for place in seen.rewritten],
        "left": [asdict(place) for place in seen.left],
        "sessions": seen.sessions,
        "backups": [{"path": str(backup.path), "made_at": backup.made_at} for backup in seen.backups],
    }


def _words(seen: ErasurePreview, is_done: bool) -> str:
    lines = [f"{'Destroyed' if is_done else 'Would destroy'} {counted(len(seen.people), 'identity')}."]
    for each in seen.people:
        who = "someone" if is_done else each.name
        alone = ", ".join(f"{part.word} ({part.count} times alone)" for part in each.parts)
        lines.append(f"  {who} -> {each.pseudonym}" + (f"; {alone}" if alone and not is_done else ""))
    lines += [f"  {place.names} in {place.table}.{place.column}" for place in seen.rewritten]
    lines += [f"  left, {place.source.value}: {place.names} in {place.table}.{place.column}" for place in seen.left]
    lines += [f"Still contains names: {backup.path} ({backup.made_at})" for backup in seen.backups]
    if not seen.is_sqlite:
        lines.append(
            "The database server's operator keeps log archives and backups; they contain names until they expire."
        )
    if not is_done:
        lines.append("Nothing was changed. To replace the names, add --yes. This cannot be undone.")
    return "\n".join(lines)
