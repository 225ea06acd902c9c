"""The five question types of Lee et al. 2025 (section 3.2, Table 4), built from relations by rule and seed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.errors import BadInput
from core.questions.pairs import Scope, pair_counts, pairs_of_type
from core.questions.relation import DIRECTIONS, Fact, Relation, RelationFacts, facts_of, period_of

TYPES = (1, 2, 3, 4, 5)
TRUE, FALSE = "True", "False"

# Right answers of each type; type 1 asks about true relations only, as in the paper.
ANSWERS: Mapping[int, tuple[str, ...]] = {1: (TRUE,), **dict.fromkeys((2, 3, 4), (TRUE, FALSE)), 5: DIRECTIONS}


@dataclass(frozen=True, slots=True)
class Statement:
    """X, d, Y in the words of a relation; the direction is None where it is what is asked for."""

    treatment: str
    direction: str | None
    outcome: str

    @property
    def cells(self) -> tuple[str, str | None, str]:
        return self.treatment, self.direction, self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question. Questions with equal type, given and asked statement are one and have one `id`."""

    type: int
    given: Statement | None  # the relation stated in the question, in types 2 to 4
    asked: Statement
    answer: str
    papers: tuple[str, ...]  # of both relations, sorted
    letters: tuple[str, ...]  # JEL letters of what is asked about, as are period and journals
    period: str | None  # of the earliest paper
    entities: tuple[str, ...]  # all that the question names
    journals: tuple[str, ...] = ()
    is_easy: bool | None = None  # every small model answered it rightly; None until they were asked

    @property
    def id(self) -> str:
        """The first 16 hexadecimal digits of SHA-256 of [type, given, asked] as compact JSON in UTF-8."""
        return _digest(self.type, self.given, self.asked).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """Rule for building questions. Raises BadInput for a share outside 0–1 or fewer than one question."""

    seed: int = 1
    scope: Scope = Scope.ANYWHERE
    share_true: Fraction = Fraction(1, 2)  # of types 2 to 4, 0–1
    most: int | None = None  # questions of a type, drawn at random; None for all

    def __post_init__(self) -> None:
        if not 0 <= self.share_true <= 1:
            raise BadInput(f"The share of true statements is a number from 0 to 1, not {float(self.share_true):g}.")
        if self.most is not None and self.most < 1:
            raise BadInput(f"At least one question of each type is needed, not {self.most}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    questions: tuple[Question, ...]
    pairs: Mapping[int, int]  # ordered pairs of relations by type, before equal questions are merged
    contradicted: tuple[tuple[str, str], ...]  # pairs of entities with several directions, which type 5 leaves out
    without_false: int  # statements that were to be false and stayed true, since both other directions are claimed too

    @property
    def counts(self) -> dict[int, dict[str, int]]:
        return counts_of(self.questions)


def counts_of(questions: Iterable[Question]) -> dict[int, dict[str, int]]:
    """Return the number of questions by type and right answer, zeros included."""
    counts = Counter((each.type, each.answer) for each in questions)
    return {kind: {answer: counts[kind, answer] for answer in ANSWERS[kind]} for kind in TYPES}


def questions_of(relations: Iterable[Relation], rule: QuestionRule) -> QuestionSet:
    """Return every question that relations give, by type and in the order of their ids.

    Random draws depend on the seed and the words of a question alone: one more paper changes only the questions that
    name its entities. Relations equal in entities, direction and paper count once."""
    by_fact_and_paper: dict[tuple[Fact, str], Relation] = {}
    for relation in sorted(relations, key=lambda each: (each.paper, each.treatment, each.outcome)):
        by_fact_and_paper.setdefault((relation.fact, relation.paper), relation)
    listed = list(by_fact_and_paper.values())
    facts = facts_of(listed)
    questions = [*_of_facts(facts)]
    without_false = 0
    for kind in (2, 3, 4):
        sources_by_facts: dict[tuple[Fact, Fact], Sources] = defaultdict(lambda: ([], []))
        for given_relation, asked_relation in pairs_of_type(kind, listed, rule.scope):
            first, second = sources_by_facts[given_relation.fact, asked_relation.fact]
            first.append(given_relation)
            second.append(asked_relation)
        for (given_fact, asked_fact), sources in sources_by_facts.items():
            question, was_spared = _of_pair(kind, facts, given_fact, asked_fact, sources, rule)
            questions.append(question)
            without_false += was_spared
    # Two true directions of one pair can be turned into the same false statement: equal questions are merged.
    by_key: dict[tuple[int, Statement | None, Statement], Question] = {}
    for candidate in questions:
        key = candidate.type, candidate.given, candidate.asked
        by_key[key] = _together(by_key[key], candidate) if key in by_key else candidate
    merged = list(by_key.values())
    return QuestionSet(
        questions=tuple(sorted(_drawn(merged, rule), key=lambda each: (each.type, each.id))),
        pairs=pair_counts(listed, rule.scope),
        contradicted=tuple(facts.contradicted),
        without_false=without_false,
    )


def _of_facts(facts: RelationFacts) -> Iterator[Question]:
    for fact, members in facts.relations.items():
        yield _question(1, None, _stated(members[0]), TRUE, [], members)
        if len(facts.directions[fact.pair]) == 1:
            statement = Statement(members[0].treatment, None, members[0].outcome)
            yield _question(5, None, statement, fact.direction, [], members)


Sources = tuple[list[Relation], list[Relation]]


def _of_pair(
    kind: int, facts: RelationFacts, given_fact: Fact, asked_fact: Fact, sources: Sources, rule: QuestionRule
) -> tuple[Question, bool]:
    """Return the question about two facts, and True if it was to be false and could not."""
    given_statement, true_statement = _stated(facts.relations[given_fact][0]), _stated(facts.relations[asked_fact][0])
    others = facts.other_directions(asked_fact)
    is_true = _share(rule.seed, "true", kind, given_statement, true_statement) < rule.share_true
    was_spared = not is_true and not others
    if is_true or was_spared:
        return _question(kind, given_statement, true_statement, TRUE, *sources), was_spared
    turned = others[int(_share(rule.seed, "direction", kind, given_statement, true_statement) * len(others))]
    return _question(
        kind, given_statement, Statement(true_statement.treatment, turned, true_statement.outcome), FALSE, *sources
    ), False


def _question(
    kind: int,
    given_statement: Statement | None,
    asked_statement: Statement,
    answer: str,
    given_relations: Sequence[Relation],
    asked_relations: Sequence[Relation],
) -> Question:
    years = [each.year for each in asked_relations if each.year is not None]
    return Question(
        type=kind,
        given=given_statement,
        asked=asked_statement,
        answer=answer,
        papers=tuple(sorted({each.paper for each in (*given_relations, *asked_relations)})),
        letters=tuple(sorted({letter for each in asked_relations for letter in each.letters})),
        period=period_of(min(years, default=None)),
        entities=tuple(sorted({name for each in (*given_relations, *asked_relations) for name in each.fact.pair})),
        journals=tuple(sorted({each.journal for each in asked_relations if each.journal})),
    )


def _together(first: Question, second: Question) -> Question:
    periods = sorted(period for period in (first.period, second.period) if period is not None)
    return Question(
        type=first.type,
        given=first.given,
        asked=first.asked,
        answer=first.answer,
        papers=tuple(sorted({*first.papers, *second.papers})),
        letters=tuple(sorted({*first.letters, *second.letters})),
        period=periods[0] if periods else None,
        entities=tuple(sorted({*first.entities, *second.entities})),
        journals=tuple(sorted({*first.journals, *second.journals})),
    )


def _drawn(questions: Sequence[Question], rule: QuestionRule) -> Sequence[Question]:
    if rule.most is None:
        return questions
    by_type: dict[int, list[Question]] = defaultdict(list)
    for question in questions:
        by_type[question.type].append(question)
    return [
        each
        for listed in by_type.values()
        for each in sorted(listed, key=lambda one: _share(rule.seed, "sample", one.type, one.given, one.asked))[
            : rule.most
        ]
    ]


def _stated(relation: Relation) -> Statement:
    return Statement(relation.treatment, relation.direction, relation.outcome)


def _share(
    seed: int, purpose: str, kind: int, given_statement: Statement | None, asked_statement: Statement
) -> Fraction:
    """Return a number in [0, 1), drawn for these words."""
    digest = hashlib.sha256(
        f"{seed}/{purpose}/".encode() + _digest(kind, given_statement, asked_statement).digest()
    ).digest()
    return Fraction(int.from_bytes(digest[:8], "big"), 1 << 64)


def _digest(kind: int, given_statement: Statement | None, asked_statement: Statement) -> hashlib._Hash:
    cells = [kind, None if given_statement is None else given_statement.cells, asked_statement.cells]
    text = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass"))
