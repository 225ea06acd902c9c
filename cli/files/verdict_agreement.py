"""`agreement verdicts`: a judge's labels compared with a person's, field by field, and the scores of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import content_of, in_pairs, name_of, name_of_pair, pairs_of
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table
from core.errors import BadInput
from core.estimate import Estimate
from core.words import counted, sentence_case

if TYPE_CHECKING:
    from core.verdicts.agreement import Place, VerdictAgreement
    from core.verdicts.labels import Section
    from core.verdicts.scores import NineFigures
    from core.verdicts.verdict import Verdict


def verdicts_command(
    judge_person: Annotated[
        list[Path],
        typer.Argument(
            metavar="JUDGE PERSON …",
            help="Pairs of verdicts of the same items, a judge's and a person's; - is standard input.",
            callback=in_pairs,
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Compare two verdicts of one answer: agreement in every field, and the difference of the scores.

    Items that only one of the two lists are named and left out of both."""
    answer_each(pairs_of(judge_person), _compared, name_of_pair, as_json)


def _compared(pair: tuple[Path, Path]) -> CommandResult:
    from core.verdicts.agreement import agreement_of

    judge, person = (_verdict(file) for file in pair)
    agreement = agreement_of(judge, person)
    value = {
        "per_field": {
            _name(place): {
                "n": each.n,
                **estimates(raw=each.raw, kappa=each.kappa, alpha=each.alpha, ac1=each.ac1),
                "confusion": {one: dict(row) for one, row in each.confusion.items()},
            }
            for place, each in agreement.per_field.items()
        },
        "scores": {
            "judge": _figures(agreement.first),
            "person": _figures(agreement.second),
            "difference": _figures(agreement.difference),
        },
        "only_judge": _items(agreement.only_first),
        "only_person": _items(agreement.only_second),
    }
    return CommandResult(value, _in_words(agreement))


def _verdict(file: Path) -> Verdict:
    from core.verdicts.verdict import read_verdict
    from protocols.replies.verdicts import read_verdict_reply

    try:
        parsed = read_verdict_reply(content_of(file).decode("utf-8-sig", "surrogateescape"))
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None
    return read_verdict(parsed.value)


def _name(place: Place) -> str:
    section, block, field = place
    return f"{section.value}.{block.value}.{field}"


def _figures(figures: NineFigures) -> dict[str, float | str | None]:
    return estimates(**{each.name: getattr(figures, each.name) for each in fields(figures)})


def _items(items: Iterable[tuple[Section, int]]) -> list[dict[str, Any]]:
    return [{"section": section.value, "item": number} for section, number in items]


def _in_words(agreement: VerdictAgreement) -> str:
    rows: list[tuple[str, ...]] = [("Field", "Items", "Same", "κ", "α", "AC1")]
    for place, each in agreement.per_field.items():
        values = (_cell(value) for value in (each.raw, each.kappa, each.alpha, each.ac1))
        rows.append((_name(place), f"{each.n:,}", *values))
    scores: list[tuple[str, ...]] = [("Score", "Judge", "Person", "Difference")]
    for field in fields(agreement.first):
        three = (getattr(each, field.name) for each in (agreement.first, agreement.second, agreement.difference))
        scores.append((sentence_case(field.name.replace("_", " ").replace("f1", "F1")), *map(_cell, three)))
    lines = [in_table(rows), in_table(scores)]
    for who, alone in (("judge", agreement.only_first), ("person", agreement.only_second)):
        if alone:
            lines.append(f"{counted(len(alone), 'item')} only the {who} lists; left out of all of this.")
    return "\n\n".join(lines)


def _cell(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.3f}"
