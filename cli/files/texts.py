"""Commands for papers' texts in files: words kept, leaks of the ground truth, changes, and levels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import FileAnswers, content_of, name_of, read_graph
from cli.files.json_files import read_json
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.errors import BadRow, UnreadableFile
from core.graphs.graph import CausalGraph
from core.texts.changes import Fault, ListedChange, entries_of, normalise
from core.texts.explicitness import explicitness, levels_document, read_levels
from core.texts.leaks import Leaks, find_leaks
from core.texts.sections import blocks_of, sort_blocks
from core.texts.word_loss import WordLoss, word_loss

text_app = typer.Typer(no_args_is_help=True, help="Texts of papers: what they kept, and what they give away.")

TextFile = Annotated[Path, typer.Argument(help="A text in Markdown; - is standard input.")]
NO_WORDS = "no words"
NO_EDGES = "the graph has no edges"


# --- check ------------------------------------------------------------------------------------------------------


@text_app.command("check")
def check_command(
    file: TextFile,
    source: Annotated[Path, typer.Option("--source", help="The paper's own text, of which FILE was made.")],
    graph: Annotated[
        Path | None, typer.Option("--graph", help="The ground truth, for leaks; without it none is looked for.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a text with its source: words lost and invented by section, and leaks of the ground truth.

    References, acknowledgements, captions, appendices, running heads and in-line citations of the source may be
    missing."""

    def work(path: Path) -> CommandResult:
        text = _text_of(path)
        word_counts = word_loss(sort_blocks(blocks_of(_text_of(source))), text)
        leaks = find_leaks(text, _graph_of(graph)) if graph is not None else None
        return CommandResult(_checked(word_counts, leaks), _check_in_words(word_counts, leaks))

    answer_each([file], work, name_of, as_json)


def _checked(word_counts: WordLoss, leaks: Leaks | None) -> dict[str, Any]:
    value: dict[str, Any] = {
        "sections": [
            {
                "heading": each.heading,
                "words": each.words,
                "lost": each.lost,
                **_share("lost_share", each.lost_share),
                "invented": each.invented,
                **_share("invented_share", each.invented_share),
                "moved": each.moved,
            }
            for each in word_counts.sections
        ],
        **_share("lost_share", word_counts.lost_share),
        **_share("invented_share", word_counts.invented_share),
        "left": {kind.value: words for kind, words in word_counts.left.items()},
        "leaks": [
            {
                "kind": each.kind.value,
                "line": each.line,
                "text": each.text,
                "nodes": list(each.nodes),
                "edges": [{"source": source, "sink": sink} for source, sink in each.edges],
            }
            for each in leaks.findings
        ]
        if leaks
        else [],
        "leaked_edges": leaks.leaked_edges if leaks else None,
    }
    if leaks is None:
        why = "no graph was named"
        value |= {"leaked_edges_reason": why, "leaked_share": None, "leaked_share_reason": why}
    else:
        value |= _share("leaked_share", leaks.leaked_share, NO_EDGES)
        value |= {"structural_edges": leaks.structural_edges}
        value |= _share("structural_share", leaks.structural_share, NO_EDGES)
    reasons = [*word_counts.reasons, *(leaks.reasons if leaks else ())]
    return value | {"passes": not reasons, "reasons": reasons}


def _share(name: str, share: float | None, reason: str = NO_WORDS) -> dict[str, Any]:
    return {name: share} if share is not None else {name: None, f"{name}_reason": reason}


def _check_in_words(word_counts: WordLoss, leaks: Leaks | None) -> str:
    rows: list[tuple[str, ...]] = [("Section", "Words", "Lost", "Invented", "Moved")]
    rows += [
        (each.heading or "(beginning)", *(f"{n:,}" for n in (each.words, each.lost, each.invented, each.moved)))
        for each in word_counts.sections
    ]
    lines = [in_table(rows)]
    if word_counts.left:
        lines.append(
            "Still there: " + ", ".join(f"{kind.value} ({n:,} words)" for kind, n in word_counts.left.items()) + "."
        )
    if leaks:
        lines += [f"Line {each.line:,}, {each.kind.value}: {each.text}" for each in leaks.findings]
        lines.append(f"{leaks.leaked_edges} of {leaks.n_edges} edges leaked, {leaks.structural_edges} structurally.")
    reasons = [*word_counts.reasons, *(leaks.reasons if leaks else ())]
    lines.append("The text passes." if not reasons else "\n".join(("The text does not pass:", *reasons)))
    return "\n\n".join(lines)


# --- normalise --------------------------------------------------------------------------------------------------


@text_app.command("normalise")
def normalise_command(
    file: TextFile,
    changes: Annotated[
        Path, typer.Option("--changes", help='{"normalizations": [{"start", "end", "replacement"}]}; JSON.')
    ],
    out: Annotated[Path | None, typer.Option("--out", help="Where the new text goes.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Apply a list of changes to a text, all of them or, with one fault, none.

    Each replaces from the first place of start through the nearest end; what one has replaced no later one touches."""
    has_faults = False

    def work(path: Path) -> CommandResult:
        nonlocal has_faults
        text = _text_of(path)
        entries, wrong = entries_of(read_json(changes))
        normalised = normalise(text, entries)
        faults = sorted((*wrong, *normalised.faults), key=lambda each: (each.entry is None, each.entry or 0))
        has_faults = bool(faults)
        new = None if faults else normalised.text
        if new is not None and out is not None:
            try:
                out.write_text(new, encoding="utf-8", newline="")
            except OSError as error:
                raise UnreadableFile(f"{out} cannot be written: {error.strerror}.") from None
        words = new
        if words is None:
            words = "\n".join(each.why if each.entry is None else f"Entry {each.entry}: {each.why}" for each in faults)
        return CommandResult(_normalised(new, normalised.changes, faults), words)

    answer_each([file], work, name_of, as_json)
    if has_faults:
        raise typer.Exit(1)


def _normalised(text: str | None, changes: Sequence[ListedChange], faults: Sequence[Fault]) -> dict[str, Any]:
    value: dict[str, Any] = {"applied": 0 if text is None else len(changes)}
    if text is None:
        why = "the list of changes has faults"
        value |= {"sha256": None, "sha256_reason": why, "text": None, "text_reason": why}
    else:
        value |= {"sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}
        value["flagged"] = [{"entry": each.number, "words": list(each.flagged)} for each in changes if each.flagged]
    return value | {"faults": [{"entry": each.entry, "field": each.field, "why": each.why} for each in faults]}


# --- explicitness -----------------------------------------------------------------------------------------------


@text_app.command("explicitness")
def explicitness_command(
    file: Annotated[Path, typer.Argument(help='{"scores": {name: 1, 2 or 3}}; JSON; - is standard input.')],
    graph: Annotated[Path, typer.Option("--graph", help="The ground truth, whose nodes need a level each.")],
    as_json: JsonOption = False,
) -> None:
    """Read how explicit each node is in a text: 1 named, 2 implied, 3 absent.

    Explicitness is the share labelled 1 or 2, strict the share labelled 1. If a node is missing, extra, repeated or has
    another level, nothing is computed."""

    def work(path: Path) -> CommandResult:
        shown = name_of(path)
        try:
            document = levels_document(_text_of(path))
        except json.JSONDecodeError as error:
            raise BadRow(shown, error.lineno, "", "", f"it is not JSON: {error.msg} at column {error.colno}") from None
        except (RecursionError, ValueError):
            raise BadRow(shown, 1, "", "", "it is nested too deeply, or contains a number too long to read") from None
        levels, faults = read_levels(document, _graph_of(graph).nodes)
        result = explicitness(levels.values())
        reason = "some levels are missing or wrong" if faults else "the graph has no nodes"
        value: dict[str, Any] = {
            **_share("explicitness", None if faults else result.share, reason),
            **_share("strict", None if faults else result.strict, reason),
            "levels": {str(level.value): n for level, n in result.counts.items()},
            "faults": list(faults),
        }
        rows = [("1 named", "2 implied", "3 absent"), tuple(str(n) for n in result.counts.values())]
        words = "\n".join(faults) or f"Explicitness {_shown(result.share)}, strict {_shown(result.strict)}."
        return CommandResult(value, f"{in_table(rows)}\n\n{words}", is_faulty=bool(faults))

    answer_each([file], work, name_of, as_json)


def _shown(share: float | None) -> str:
    return "undefined (the graph has no nodes)" if share is None else f"{share:.3f}"


# --- files ------------------------------------------------------------------------------------------------------


def _text_of(path: Path) -> str:
    try:
        return content_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{name_of(path)} is not UTF-8 (byte {error.start:,}); save it as UTF-8.") from None


def _graph_of(path: Path) -> CausalGraph:
    return read_graph(path, FileAnswers()).graph
