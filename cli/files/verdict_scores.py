"""`score verdicts`: a judge's labels in YAML, and their scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import content_of, name_of, once_from_standard_input
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from core.errors import BadInput
from core.estimate import Estimate
from core.words import counted, sentence_case

if TYPE_CHECKING:
    from core.verdicts.scores import NineFigures, VerdictScores
    from core.verdicts.verdict import Verdict

_MOST_NAMED = 20
_FORMS = {
    "default": "Default",
    "as_released": "As released",
    "importance_pooled": "Importance-pooled",
    "unweighted_literal": "Unweighted",
    "unweighted_strict": "Unweighted, strict",
}


def score_verdicts_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Files of YAML with a verdict's sections, any of the four; - is standard input.",
            callback=once_from_standard_input,
        ),
    ],
    gold_nodes: Annotated[
        int | None,
        typer.Option("--gold-nodes", min=0, help="Nodes of the ground truth; default: those that node recall lists."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score verdicts of a judge by their labels, in five forms, and list every fault and inconsistency.

    Only a file that is no YAML mapping is an error; faulty labels are listed, and leave the scores they are in
    undefined."""
    answer_each(files, lambda file: _scored(file, gold_nodes), name_of, as_json)


def _scored(file: Path, gold_nodes: int | None) -> CommandResult:
    from core.verdicts.labels import Section
    from core.verdicts.scores import score_verdict
    from core.verdicts.verdict import read_verdict
    from protocols.replies.verdicts import read_verdict_reply

    shown = name_of(file)
    try:
        parsed = read_verdict_reply(content_of(file).decode("utf-8-sig", "surrogateescape"))
    except BadInput as error:
        raise BadInput(f"{shown}: {error}") from None
    verdict = read_verdict(parsed.value, {} if gold_nodes is None else {Section.NODE_RECALL: gold_nodes})
    scores = score_verdict(verdict, gold_nodes)
    value: dict[str, Any] = {}
    for form in _FORMS:
        figures: NineFigures = getattr(scores, form)
        value[form] = estimates(**{field.name: getattr(figures, field.name) for field in fields(figures)})
    parts = {name: getattr(scores.shd, name) for name in ("extra", "missing", "reversed", "total", "normalised")}
    value["shd"] = {**parts, "reason": scores.shd.reason} if scores.shd.reason else parts
    value["faults"] = [
        {name: getattr(each, name) for name in ("section", "item", "block", "field", "found")} | {"why": each.why.value}
        for each in verdict.faults
    ]
    value["inconsistencies"] = [
        {"section": each.section.value, "item": each.item, "kind": each.kind.value} for each in verdict.inconsistencies
    ]
    value["complete"] = verdict.is_complete
    asides = [*(f"{shown}: {flag}; the last is scored." for flag in parsed.flags)]
    if verdict.others:
        asides.append(f"{shown}: keys that are no section: {', '.join(verdict.others[:_MOST_NAMED])}.")
    return CommandResult(value, _in_words(scores, verdict), tuple(asides))


def _in_words(scores: VerdictScores, verdict: Verdict) -> str:
    from core.verdicts.scores import FIGURES

    rows = [("", *_FORMS.values())]
    reasons: list[str] = []
    for name in FIGURES:
        row_estimates: list[Estimate] = [getattr(getattr(scores, form), name) for form in _FORMS]
        rows.append(
            (
                sentence_case(name.replace("_", " ").replace("f1", "F1")),
                *(("–" if each.value is None else in_words(Estimate(each.value))) for each in row_estimates),
            )
        )
        reasons += [each.reason for each in row_estimates if each.value is None]
    shd = scores.shd
    lines = [
        in_table(rows),
        f"SHD {shd.total}: {shd.extra} extra, {shd.missing} missing, {shd.reversed} reversed; "
        f"over n(n−1) {shd.normalised:.4f}{f' ({shd.reason})' if shd.reason else ''}",
    ]
    if reasons:
        lines.append("\n".join(f"– : {reason}" for reason in dict.fromkeys(reasons)))
    if verdict.faults:
        more = len(verdict.faults) - _MOST_NAMED
        named = [str(each) for each in verdict.faults[:_MOST_NAMED]] + ([f"and {more:,} more."] if more > 0 else [])
        lines.append("\n".join([f"{counted(len(verdict.faults), 'fault')}:", *named]))
    odd = Counter(each.kind.value for each in verdict.inconsistencies)
    if odd:
        lines.append(f"Inconsistencies: {', '.join(f'{kind} ({n})' for kind, n in odd.items())}.")
    return "\n\n".join(lines)
