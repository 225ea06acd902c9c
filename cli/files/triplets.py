"""Commands for causal triplets: consensus of several extractions, and the critics' filter."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.critic_scores import read_scored, scores_of
from cli.files.files import content_of, name_of, once_from_standard_input
from cli.files.json_files import document_of, list_of, object_of, refuse, shortened
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from cli.files.questions import jel_command, questions_command
from core.errors import BadInput, BadRow
from core.labels import DIRECTION, SIGN, LabelSet
from core.triplets.consensus import RULES, Consensus, ConsensusRule, Extracted, Method, TripletGroup, consensus
from core.triplets.rubric import Boundary, FilterRule, Floor, RubricDecision, decide, on_boundary

app = typer.Typer(
    no_args_is_help=True, help="Causal triplets: consensus, critics' filter, questions, files of a study."
)
app.command("questions")(questions_command)
app.command("jel")(jel_command)

Files = Annotated[
    list[Path], typer.Argument(help="JSON files; - is standard input.", callback=once_from_standard_input)
]
ScoredFiles = Annotated[
    list[Path],
    typer.Argument(
        help="JSON, JSON lines, CSV or Parquet files; - is standard input.", callback=once_from_standard_input
    ),
]

# --- consensus --------------------------------------------------------------------------------------------------


@app.command("consensus")
def consensus_command(
    files: Files,
    method: Annotated[Method, typer.Option("--rule", help="The rule to apply.")] = Method.ECONCAUSAL,
    runs: Annotated[
        int | None, typer.Option("--runs", min=1, help="Number of extractions; default: 3, or 5 with lee.")
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option("--threshold", min=1, help="Extractions that must have found it; default: 2, or 4 with lee."),
    ] = None,
    similarity: Annotated[
        float | None,
        typer.Option("--similarity", min=0, max=1, help="Minimum cosine (0-1); default: 0.8, or 0.9 with lee."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Keep what enough extractions of a paper found: {"runs": [[{treatment, outcome, sign, treatment_vector,
    outcome_vector}]]}, or JSON lines of such, one per paper. Each kept triplet lists its members as run
    and position, counted from 1; the first member's wording is shown."""
    usual = RULES[method]
    try:
        rule = ConsensusRule(
            method,
            usual.runs if runs is None else runs,
            usual.threshold if threshold is None else threshold,
            usual.similarity if similarity is None else similarity,
        )
    except BadInput as error:
        raise typer.BadParameter(str(error), param_hint="--threshold") from None
    answer_each(files, lambda file: _agreed(file, rule), name_of, as_json)


def _agreed(file: Path, rule: ConsensusRule) -> CommandResult:
    shown, content = name_of(file), content_of(file)
    lines = _documents(content, file.suffix.lower() == ".jsonl")
    if lines is None:
        groups, text = _accepted_groups(document_of(content, shown), shown, rule)
        return CommandResult({"kept": groups}, text)
    named, words = list[dict[str, Any]](), list[str]()
    for number, document in lines:
        groups, text = _accepted_groups(document, f"{shown}, line {number}", rule)
        paper = document.get("paper_id") if isinstance(document, dict) else None
        named.append({**({} if paper is None else {"paper_id": paper}), "kept": groups})
        words.append(f"{paper or f'line {number}'}\n{text}")
    return CommandResult(named, "\n\n".join(words))


def _documents(content: bytes, is_lines: bool) -> list[tuple[int, Any]] | None:
    """Return (line, document) of JSON lines; None for a single document, or an invalid one."""
    lines = [(n, line) for n, line in enumerate(content.decode("utf-8-sig", "replace").split("\n"), 1) if line.strip()]
    if not is_lines and len(lines) < 2:
        return None
    try:
        return [(n, json.loads(line)) for n, line in lines]
    except (ValueError, RecursionError):
        return None


def _accepted_groups(document: Any, shown: str, rule: ConsensusRule) -> tuple[list[dict[str, Any]], str]:
    runs = _read_runs(document, shown, rule.method)
    try:
        result = consensus(runs, rule)
    except BadInput as error:
        hint = f" Give --runs {len(runs)} if there were no others." if len(runs) != rule.runs else ""
        raise BadInput(f"{shown}: {error}{hint}") from None
    return [_plain_group(group, runs) for group in result.kept], _groups_in_words(result, runs, rule)


def _read_runs(read: Any, shown: str, method: Method) -> list[list[Extracted]]:
    document = object_of(read, "", shown)
    rows = [
        (f"run {r}, triplet {i}", object_of(row, f"run {r}, triplet {i}", shown), r)
        for r, run in enumerate(list_of(document.get("runs"), "runs", shown), 1)
        for i, row in enumerate(list_of(run, f"run {r}", shown), 1)
    ]
    labels = _labels_for(method, [row.get("sign") for _, row, _ in rows])
    runs: list[list[Extracted]] = [[] for _ in document["runs"]]
    faults: list[BadRow] = []
    for where, row, run in rows:
        wrong = _wrong(row, where, shown, labels)
        faults += wrong
        if not wrong:
            runs[run - 1].append(
                Extracted(
                    row["treatment"],
                    row["outcome"],
                    labels.parse(row["sign"]) or "",
                    row["treatment_vector"],
                    row["outcome_vector"],
                )
            )
    refuse(faults)
    return runs


def _labels_for(method: Method, signs: Sequence[object]) -> LabelSet:
    """Return Lee et al.'s labels (increase, decrease, none), or signs for a file that uses signs only."""
    if method is Method.ECONCAUSAL:
        return SIGN
    if any(DIRECTION.parse(sign) is None for sign in signs) and all(SIGN.parse(sign) for sign in signs):
        return SIGN
    return DIRECTION


def _wrong(row: Mapping[str, Any], where: str, shown: str, labels: LabelSet) -> list[BadRow]:
    faults = [
        BadRow(shown, None, f"{where}, {field}", shortened(row.get(field)), "expected text")
        for field in ("treatment", "outcome")
        if not isinstance(row.get(field), str)
    ]
    if labels.parse(row.get("sign")) is None:
        right = f"expected one of {labels.words}, in quotation marks"
        faults.append(BadRow(shown, None, f"{where}, sign", shortened(row.get("sign")), right))
    for field in ("treatment_vector", "outcome_vector"):
        vector = row.get(field)
        if not isinstance(vector, list) or not all(
            isinstance(n, int | float) and not isinstance(n, bool) for n in vector
        ):
            faults.append(BadRow(shown, None, f"{where}, {field}", shortened(vector), "expected a list of numbers"))
    return faults


def _plain_group(group: TripletGroup, runs: Sequence[Sequence[Extracted]]) -> dict[str, Any]:
    members = []
    for member in group.members:
        triplet = runs[member.run - 1][member.item - 1]
        members.append(
            {
                "run": member.run,
                "item": member.item,
                "treatment": triplet.treatment,
                "outcome": triplet.outcome,
                "sign": triplet.sign,
            }
        )
    return {"members": members, "votes": dict(group.votes), "sign": group.sign, "tie": group.is_tie}


def _groups_in_words(result: Consensus, runs: Sequence[Sequence[Extracted]], rule: ConsensusRule) -> str:
    rows = [("Sign", "Runs", "Treatment → outcome")]
    for group in result.kept:
        triplet = runs[group.shown.run - 1][group.shown.item - 1]
        sign = "tie" if group.sign is None else group.sign
        votes = ", ".join(f"{count} {label}" for label, count in group.votes.items())
        shown = sign if len(group.votes) == 1 else f"{sign} ({votes or 'no run decided'})"
        rows.append((shown, f"{group.runs} of {rule.runs}", f"{triplet.treatment} → {triplet.outcome}"))
    total = len(result.kept) + len(result.dropped)
    line = f"{len(result.kept)} of {total} kept: found in at least {rule.threshold} of {rule.runs} extractions."
    return f"{in_table(rows)}\n\n{line}" if result.kept else line


# --- filter -----------------------------------------------------------------------------------------------------


@app.command("filter")
def filter_command(
    files: ScoredFiles,
    boundary: Annotated[
        Boundary, typer.Option("--boundary", help="A total of exactly 15: ge accepts it (the paper), gt does not.")
    ] = Boundary.GE,
    floor: Annotated[
        Floor,
        typer.Option(
            "--floor", help="What must be at least 2 in each criterion: the critics' mean, or every critic's score."
        ),
    ] = Floor.MEAN,
    critics: Annotated[
        int, typer.Option("--critics", min=1, help="Number of configured critics; with fewer, nothing is decided.")
    ] = 3,
    as_json: JsonOption = False,
) -> None:
    """Decide from critics' scores which triplets are accepted.

    A file of triplets with their critics (JSON lines, CSV, Parquet, as they are imported and exported), or one JSON
    document {"critics": {name: {criterion: 0-3 or {"score": 0-3, "reason": text}}}}, or a list of such. If a
    file contains several triplets, every critic of any one of them is expected to have scored all."""
    rule = FilterRule(boundary, floor, critics)
    answer_each(files, lambda file: _filtered(file, rule), name_of, as_json)


def _filtered(file: Path, rule: FilterRule) -> CommandResult:
    shown, scored_file = name_of(file), read_scored(file)
    names = dict.fromkeys(name for each in scored_file.triplets for name in each.critics)
    decisions: list[RubricDecision] = []
    faults: list[str] = []
    for each in scored_file.triplets:
        try:
            decisions.append(decide({name: scores_of(each.critics.get(name), name) for name in names}, rule))
        except BadInput as error:
            faults.append(f"{shown}, {each.where}: {error}")
    if faults:
        raise BadInput("\n".join(faults))
    plain = [_plain_decision(decision) for decision in decisions]
    return CommandResult(plain if scored_file.is_list else plain[0], _decisions_in_words(decisions))


def _plain_decision(decision: RubricDecision) -> dict[str, Any]:
    total = None if decision.total is None else float(decision.total)
    means = {name: None if mean is None else float(mean) for name, mean in decision.means.items()}
    return {
        "retained": decision.retained,
        "total": total,
        **({"total_reason": decision.reason} if total is None else {}),
        "means": means,
        "incomplete": [
            {"critic": gap.critic or None, "criterion": gap.criterion and gap.criterion.value}
            for gap in decision.missing
        ],
        "reason": decision.reason,
    }


def _decisions_in_words(decisions: Sequence[RubricDecision]) -> str:
    if len(decisions) == 1:
        rows = [
            (criterion, "–" if mean is None else f"{float(mean):.2f}") for criterion, mean in decisions[0].means.items()
        ]
        return f"{decisions[0].reason}\n\n{in_table(rows)}"
    verdicts = [decision.retained for decision in decisions]
    lines = [f"{n}: {decision.reason}" for n, decision in enumerate(decisions, 1)]
    lines.append(
        f"{verdicts.count(True)} accepted, {verdicts.count(False)} rejected, {verdicts.count(None)} incomplete; "
        f"{on_boundary(decisions)} with a total of exactly 15."
    )
    return "\n".join(lines)
