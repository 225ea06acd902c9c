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
        for each in relations:
            self._entities[each.treatment] = each.treatment_entity
            self._entities[each.outcome] = each.outcome_entity
            self._by_pair[each.fact.pair].append(each)

    def of(self, question: Question) -> dict[Statement, tuple[str, ...]]:
        """Return the statements of the question's papers about its X and Y → these papers. Statements of every
        direction count: a false question differs from its paper in just that."""
        statement = question.asked
        pair = tuple(self._entities.get(phrase, phrase) for phrase in (statement.treatment, statement.outcome))
        papers_by_statement: dict[Statement, list[str]] = defaultdict(list)
        for each in self._by_pair.get((pair[0], pair[1]), ()):
            if each.paper in question.papers:
                papers_by_statement[Statement(each.treatment, each.direction, each.outcome)].append(each.paper)
        return {claim: tuple(dict.fromkeys(papers)) for claim, papers in papers_by_statement.items()}
