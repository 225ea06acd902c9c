"""Evidence for the answer of a question: the relations that it asks about, as their papers claim them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.questions.questions import Question, Statement
from core.questions.relation import Relation

# Composition of each type (Lee et al. 2025, Table 4).
RULES: Mapping[int, str] = {
    1: "A relation as it is claimed",
    2: "Two relations with one X",
    3: "Two relations with one Y",
    4: "Two relations of one paper, X and Y both differ",
    5: "A relation whose X and Y have one direction",
}


class Claims:
    def __init__(self, relations: Iterable[Relation]) -> None:
        self._entities: dict[str, str] = {}
        self._by_pair: dict[tuple[str, str], list[Relation]] = defaultdict(list)
        for relation in relations:
            self._entities[relation.treatment] = relation.treatment_entity
            self._entities[relation.outcome] = relation.outcome_entity
            self._by_pair[relation.fact.pair].append(relation)

    def of(self, question: Question) -> dict[Statement, tuple[str, ...]]:
        """Return the statements of the question's papers about its X and Y → these papers. Statements of every
        direction count: a false question differs from its paper in just that."""
        statement = question.asked
        pair = tuple(self._entities.get(phrase, phrase) for phrase in (statement.treatment, statement.outcome))
        papers_by_statement: dict[Statement, list[str]] = defaultdict(list)
        for relation in self._by_pair.get((pair[0], pair[1]), ()):
            if relation.paper in question.papers:
                papers_by_statement[Statement(relation.treatment, relation.direction, relation.outcome)].append(
                    relation.paper
                )
        return {claim: tuple(dict.fromkeys(papers)) for claim, papers in papers_by_statement.items()}
