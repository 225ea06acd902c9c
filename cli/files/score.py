"""Commands that score answers in files against the truth: signs and other labels, and calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import name_of, once_from_standard_input
from cli.files.json_files import read_json_lines, refuse, shortened
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from core.errors import BadInput, BadRow
from core.estimate import Estimate
from core.labels import LABEL_SETS, SIGN, LabelSet
from core.scoring.baselines import Baseline, answered_by
from core.scoring.calibration import Calibration, RatedAnswer, calibrate
from core.scoring.classes import ClassScores, Row, score_classes
from core.scoring.mismatch import Mismatch, MismatchKind, mismatch
from core.scoring.released import as_released

app = typer.Typer(no_args_is_help=True, help="Scores of answers in files against the truth.")

Files = Annotated[
    list[Path],
    typer.Argument(help="Files of JSON lines; - is standard input.", callback=once_from_standard_input),
]
Labels = StrEnum("Labels", {name: name for name in LABEL_SETS})  # type: ignore[misc]

_SIGNS = Labels("sign")
_MOST_NAMED = 5

# --- signs ------------------------------------------------------------------------------------------------------


@app.command("signs")
def signs_command(
    files: Files,
    labels: Annotated[Labels, typer.Option("--labels", help="The closed set of answers.")] = _SIGNS,
    as_json: JsonOption = False,
) -> None:
    """Score answers: {"predicted": "+", "answer": "None", "example_signs": ["-"]}, one row per line.

    "predicted": null is a failed request and is not scored. Words outside the set are unparsable and count as wrong."""
    answer_each(files, lambda file: _scored(file, LABEL_SETS[labels.value]), name_of, as_json)


def _scored(file: Path, labels: LabelSet) -> CommandResult:
    rows = _read_rows(file, labels)
    scores = score_classes(rows, labels)
    mismatches = [mismatch(rows, labels, which) for which in MismatchKind]
    released = as_released(rows, labels)
    value = {
        "n": scores.n,
        **estimates(accuracy=scores.accuracy, macro_f1=scores.macro_f1),
        "per_class": {
            each.label: estimates(precision=each.precision, recall=each.recall, f1=each.f1)
            | {"expected": each.expected, "predicted": each.predicted}
            for each in scores.per_class
        },
        "confusion": scores.confusion,
        "unparsable": scores.unparsable,
        "failed": scores.failed,
        **{f"mismatch_{each.which}": {"n": each.n, **estimates(accuracy=each.accuracy)} for each in mismatches},
        "as_released": estimates(accuracy=released.accuracy, macro_f1=released.macro_f1),
    }
    words = [
        _summary(rows, scores, labels),
        _classes_in_words(scores),
        _format_comparison(mismatches, released.accuracy, released.macro_f1),
    ]
    return CommandResult(value, "\n\n".join(words), tuple(_asides(file, rows, scores, labels)))


def _read_rows(file: Path, labels: LabelSet) -> list[Row]:
    shown = name_of(file)
    rows: list[Row] = []
    faults: list[BadRow] = []
    for line, document in read_json_lines(file):
        answer = labels.parse(document.get("answer"))
        if answer not in labels.classes:
            label, right = shortened(document.get("answer")), f"expected one of {', '.join(labels.classes)}"
            faults.append(BadRow(shown, line, "answer", label, f"{right}, in quotation marks"))
        predicted = document.get("predicted")
        if "predicted" not in document or (isinstance(predicted, float) and predicted != predicted):
            right = "expected the model's answer, or null for a failed request"
            faults.append(BadRow(shown, line, "predicted", "NaN" if "predicted" in document else "", right))
        signs = document.get("example_signs") or []
        examples = [labels.parse(sign) for sign in signs] if isinstance(signs, list) else [None]
        if any(sign not in labels.classes for sign in examples):
            right = f"expected a list of {', '.join(labels.classes)}"
            faults.append(BadRow(shown, line, "example_signs", shortened(signs), right))
        rows.append(Row(answer or "", predicted, tuple(sign or "" for sign in examples)))
    refuse(faults)
    return rows


def _summary(rows: Sequence[Row], scores: ClassScores, labels: LabelSet) -> str:
    lines = [("", "Answered", "Accuracy", "Macro-F1")]
    shown = [("These answers", scores)]
    shown += [(each.value, score_classes(answered_by(each, rows, labels), labels)) for each in Baseline]
    for name, each in shown:
        if each.accuracy.value is not None or name == "These answers":
            figures = (f"{each.n - each.failed} of {each.n}", in_words(each.accuracy), in_words(each.macro_f1))
            lines.append((name, *figures))
    return in_table(lines)


def _classes_in_words(scores: ClassScores) -> str:
    columns = list(next(iter(scores.confusion.values())))
    rows = [("True \\ predicted", *columns, "Precision", "Recall", "F1")]
    for each in scores.per_class:
        figures = ["–" if one.value is None else in_words(one) for one in (each.precision, each.recall, each.f1)]
        rows.append((each.label, *(str(scores.confusion[each.label][column]) for column in columns), *figures))
    return in_table(rows)


def _format_comparison(mismatches: Sequence[Mismatch], accuracy: Estimate, macro_f1: Estimate) -> str:
    rows = []
    for each in mismatches:
        drop = "" if each.drop.value is None else f", {each.drop.value:.1f} points below all"
        share = f"{each.n} of {each.with_examples} rows with examples"
        rows.append(
            (f"{each.which.capitalize()} example contradicts the answer", f"{share}: {in_words(each.accuracy)}{drop}")
        )
    rows.append(("As released: accuracy", in_words(accuracy)))
    rows.append(("As released: macro-F1 over every string", in_words(macro_f1)))
    return in_table(rows)


def _asides(file: Path, rows: Sequence[Row], scores: ClassScores, labels: LabelSet) -> list[str]:
    notices = []
    if scores.unparsable:
        unknown = Counter(
            shortened(row.predicted) for row in rows if row.predicted is not None and not labels.parse(row.predicted)
        )
        named = ", ".join(f"{text} ({count})" for text, count in unknown.most_common(_MOST_NAMED))
        more = "" if len(unknown) <= _MOST_NAMED else f" and {len(unknown) - _MOST_NAMED} more"
        notices.append(
            f"{name_of(file)}: unparsable, so wrong: {scores.unparsable} of {scores.n} answers: {named}{more}."
        )
    if scores.failed:
        notices.append(f"{name_of(file)}: failed, so not scored: {scores.failed} of {scores.n} requests.")
    return notices


# --- calibration ------------------------------------------------------------------------------------------------


@app.command("calibration")
def calibration_command(files: Files, as_json: JsonOption = False) -> None:
    """Compute the expected calibration error: {"probabilities": {"+": 0.7, "-": 0.2}, "answer": "+"}, one row per line.

    Probabilities are divided by their sum; a missing option counts 0; a row without probabilities is left out."""
    answer_each(files, _calibrated, name_of, as_json)


def _calibrated(file: Path) -> CommandResult:
    shown = name_of(file)
    rows: list[RatedAnswer] = []
    faults: list[BadRow] = []
    for line, document in read_json_lines(file):
        answer, probabilities = SIGN.parse(document.get("answer")), document.get("probabilities")
        if answer is None:
            right = f"expected one of {', '.join(SIGN.classes)}, in quotation marks"
            faults.append(BadRow(shown, line, "answer", shortened(document.get("answer")), right))
        faults += _wrong_probabilities(probabilities, shown, line)
        rows.append(RatedAnswer(answer or "", probabilities, f"line {line}"))
    refuse(faults)
    try:
        calibration = calibrate(rows, SIGN)
    except BadInput as error:
        raise BadInput(f"{shown}: {error}") from None
    options = [("", "Rows", "ECE"), ("All", str(calibration.ece.n), in_words(calibration.ece))]
    for what, each in (("True", calibration.per_gold), ("Predicted", calibration.per_predicted)):
        options += [(f"{what} {label}", str(ece.n), in_words(ece)) for label, ece in each.items()]
    bins = [("Confidence", "Rows", "Accuracy", "Mean confidence")]
    for one in calibration.bins:
        if one.n:
            edges = f"{'[' if one.low == 0 else '('}{one.low:.1f}, {one.high:.1f}]"
            bins.append((edges, str(one.n), in_words(one.accuracy), in_words(one.confidence)))
    notices = []
    if calibration.excluded:
        notices.append(f"{shown}: without probabilities, so left out: {', '.join(map(str, calibration.excluded))}.")
    if calibration.outside_top:
        notices.append(f"{shown}: rows in which an option is not given and counts 0: {calibration.outside_top}.")
    if calibration.over_one:
        notices.append(f"{shown}: rows whose probabilities add up to more than 1: {calibration.over_one}.")
    return CommandResult(_plain_calibration(calibration), f"{in_table(options)}\n\n{in_table(bins)}", tuple(notices))


def _wrong_probabilities(probabilities: object, shown: str, line: int) -> list[BadRow]:
    if probabilities is None:
        return []
    if not isinstance(probabilities, dict):
        right = "expected an object of labels and probabilities, or null without log-probabilities"
        return [BadRow(shown, line, "probabilities", shortened(probabilities), right)]
    faults = []
    for label, value in probabilities.items():
        if SIGN.parse(label) is None:
            right = f"the options are {', '.join(SIGN.classes)}"
            faults.append(BadRow(shown, line, "probabilities", label, right))
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            right = "expected a number from 0 to 1"
            faults.append(BadRow(shown, line, f"probability of {label}", shortened(value), right))
    return faults


def _plain_calibration(calibration: Calibration) -> dict[str, Any]:
    return {
        **estimates(ece=calibration.ece),
        "per_gold": estimates(**calibration.per_gold),
        "per_predicted": estimates(**calibration.per_predicted),
        "bins": [
            {"low": each.low, "high": each.high, "n": each.n}
            | estimates(accuracy=each.accuracy, confidence=each.confidence)
            for each in calibration.bins
        ],
    }
