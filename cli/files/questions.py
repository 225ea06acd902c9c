"""`triplets questions` and `triplets jel`: questions from relations, and JEL codes of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.files.files import content_of, name_of
from cli.files.output import CommandResult, JsonOption, answer_each, in_table
from core.errors import BadInput
from core.questions.pairs import Scope
from core.questions.plain import plain_question
from core.questions.questions import ANSWERS, TYPES, QuestionRule, QuestionSet, questions_of
from core.triplets.jel import JEL_TITLES
from core.triplets.jel_codes import CodeTitle, nearest_codes
from core.vectors import NOTICE, lexical
from core.words import counted
from exchange.jel_codes import NamedVector, read_codes, read_variables
from exchange.relations import read_relations

TITLES: Mapping[int, str] = {
    1: "1 X–Y",
    2: "2 X–many Y",
    3: "3 many X–Y",
    4: "4 X–Y, X′–Y′",
    5: "5 direction",
}


def questions_command(
    file: Annotated[Path, typer.Argument(help="Relations: JSON, JSON lines, CSV or Parquet; - is standard input.")],
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 1,
    scope: Annotated[
        Scope, typer.Option("--scope", help="Types 2 and 3: pairs from anywhere, or of two papers only.")
    ] = Scope.ANYWHERE,
    share_true: Annotated[
        float, typer.Option("--share-true", min=0, max=1, help="Types 2 to 4: share of true statements (0-1).")
    ] = 0.5,
    most: Annotated[
        int | None, typer.Option("--most", min=1, help="Questions of a type, drawn at random; default: all.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make the five types of questions of Lee et al. 2025 from relations.

    Columns: X, d (increase, decrease, none), Y, paper; X_entity and Y_entity name which phrases are one, else phrases
    equal after folding are. Also read: year of the paper, letters (JEL) of the two variables."""
    rule = QuestionRule(seed=seed, scope=scope, share_true=Fraction(repr(share_true)), most=most)

    def work(file: Path) -> CommandResult:
        made_questions = questions_of(read_relations(content_of(file), name_of(file)), rule)
        value = {
            "questions": [plain_question(each) for each in made_questions.questions],
            "counts": {str(kind): counts for kind, counts in made_questions.counts.items()},
            "contradicted": len(made_questions.contradicted),
            "without_false": made_questions.without_false,
        }
        return CommandResult(value, _questions_in_words(made_questions))

    answer_each([file], work, name_of, as_json)


def _questions_in_words(result: QuestionSet) -> str:
    rows = [("Type", "Pairs", "Questions", "By right answer")]
    for kind in TYPES:
        counts = result.counts[kind]
        by_answer = ", ".join(f"{counts[answer]:,} {answer}" for answer in ANSWERS[kind])
        pairs = f"{result.pairs[kind]:,}" if kind in result.pairs else "–"
        rows.append((TITLES[kind], pairs, f"{sum(counts.values()):,}", by_answer))
    lines = [in_table(rows), ""]
    if result.contradicted:
        lines.append(
            f"{counted(len(result.contradicted), 'pair')} of variables with more than one direction: not in type 5."
        )
    if result.without_false:
        lines.append(
            f"{counted(result.without_false, 'statement')} stayed true: both other directions are claimed as well."
        )
    lines.append(f"{counted(len(result.questions), 'question')} in all.")
    return "\n".join(lines)


def jel_command(
    variables: Annotated[Path, typer.Argument(help="Variables: columns variable and, for own vectors, vector.")],
    codes: Annotated[
        Path, typer.Option("--codes", help="Your JEL codes: columns code (letter and digit), title, perhaps vector.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Find the JEL code with the nearest title for every variable, by cosine.

    With a column vector in both files these vectors are compared; otherwise the built-in ones, which compare letters
    and not meanings. Of titles equally near, the first by code is taken."""

    def work(file: Path) -> CommandResult:
        named, titles = read_variables(content_of(file), name_of(file)), read_codes(content_of(codes), name_of(codes))
        if not titles:
            raise BadInput(f"{name_of(codes)} has no codes.")
        has_vectors = all(each.vector is not None for each in (*named, *titles))
        known = [CodeTitle(each.name, each.title, _vector(each, each.title, has_vectors)) for each in titles]
        nearest_by_variable = nearest_codes([_vector(each, each.name, has_vectors) for each in named], known)
        value = [
            {
                "variable": each.name,
                "code": nearest.code and nearest.code.code,
                "title": nearest.code and nearest.code.title,
                "letter": nearest.code and nearest.code.code[0],
                "cosine": nearest.cosine.value,
                "cosine_reason": nearest.cosine.reason or None,
            }
            for each, nearest in zip(named, nearest_by_variable, strict=True)
        ]
        return CommandResult(value, _codes_in_words(value), () if has_vectors else (NOTICE,))

    answer_each([variables], work, name_of, as_json)


def _vector(named: NamedVector, text: str, has_vectors: bool) -> Sequence[float]:
    return named.vector if has_vectors and named.vector is not None else lexical(text)


def _codes_in_words(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "There are no variables."
    table = [("Variable", "Code", "Cosine", "Title")]
    for each in rows:
        cosine = "–" if each["cosine"] is None else f"{each['cosine']:.3f}"
        title = each["cosine_reason"] or f"{each['title']} ({JEL_TITLES[each['letter']]})"
        table.append((each["variable"], each["code"] or "–", cosine, title))
    return in_table(table)
