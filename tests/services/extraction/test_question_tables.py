"""The paper's tables of a corpus, cell by cell from a run that can be counted by hand, beside the paper's values."""

from __future__ import annotations

from dataclasses import replace

from core.questions.questions import Question, Statement
from core.questions.relation import Relation
from services.extraction import question_tables as tables
from services.extraction.made_questions import QuestionsOfRun
from services.extraction.question_tables import ALL, Unit


def relation(x: str, d: str, y: str, paper: str, year: int | None, x_entity: str = "") -> Relation:
    return Relation(
        treatment=x, direction=d, outcome=y, paper=paper, treatment_entity=x_entity or x, outcome_entity=y, year=year
    )


RELATIONS = (
    relation("tax", "increase", "prices", "a", 2001),
    relation("taxes", "decrease", "demand", "a", 2001, "tax"),
    relation("tax", "increase", "prices", "b", 2004),
    relation("rain", "none", "prices", "c", 2005),
    relation("rain", "increase", "yields", "d", 2025),
    relation("loans", "increase", "wages", "d", 2025),
    relation("loans", "increase", "prices", "e", 1998),
)
CODES = (("tax", "H2"), ("taxes", "H2"), ("prices", "E3"), ("demand", "D1"), ("rain", "Q5"), ("yields", "Q1"))
TITLES = {"H2": "Taxation, Subsidies, and Revenue", "E3": "Prices, business fluctuations, and cycles"}


def consensus(*kept: str, dropped: int = 0, mentions: int | None = None, unread: bool = False) -> dict[str, object]:
    """`kept`: the method of each relation."""
    found = {
        "kept": [{"method": method} for method in kept],
        "dropped": [{}] * dropped,
        "mentions": len(kept) + dropped if mentions is None else mentions,
    }
    return {**found, "unread": [3]} if unread else found


def question(kind: int, answer: str, word: str, is_easy: bool | None) -> Question:
    asked = Statement(word, None if kind == 5 else "increase", "y")
    given = Statement("given", "increase", "y") if kind in (2, 3, 4) else None
    return Question(
        type=kind,
        given=given,
        asked=asked,
        answer=answer,
        papers=("a",),
        letters=(),
        period=None,
        entities=(),
        is_easy=is_easy,
    )


QUESTIONS = (
    question(1, "True", "a", True),
    question(1, "True", "b", False),
    question(1, "True", "c", False),
    question(2, "True", "a", False),
    question(2, "False", "b", True),
    question(2, "False", "c", False),
    question(4, "False", "a", True),
    question(5, "increase", "a", True),
    question(5, "increase", "b", False),
    question(5, "none", "c", False),
)
FOUND = QuestionsOfRun(
    run=1,
    run_id="run",
    papers=7,
    abstracts={},
    consensus={
        "a": consensus("RCT", "none", dropped=1),
        "b": consensus("IV"),
        "c": consensus("none"),
        "d": consensus("DiD", "panel", dropped=2),
        "e": consensus("other"),
        "f": consensus(dropped=1),
        "g": consensus(unread=True),
    },
    relations=RELATIONS,
    entities=(),
    variables=tuple(
        {"variable": phrase, "code": code, "title": TITLES.get(code, f"Title of {code}")} for phrase, code in CODES
    ),
    questions=QUESTIONS,
    waiting=frozenset(),
    is_filtered=True,
    contradicted=(),
    without_false=0,
    pairs={},
)


def test_table_1_has_every_count_with_both_denominators() -> None:
    found = {each.measure: (each.value, each.published) for each in tables.corpus_lines(FOUND)}
    assert found == {
        "papers": (7, 14_977),
        "papers with a relation extracted": (6, None),
        "papers with a kept relation": (5, None),
        "papers not read in every extraction": (1, None),
        "kept relations": (7, 11_869),
        "relations too few extractions have": (4, None),
        "share kept": (7 / 11, 0.79),
        "relations per paper": (1, None),
        "relations per paper with a kept relation": (7 / 5, 1.87),
        "distinct X (entities)": (3, 9_657),  # tax with taxes, rain, loans
        "distinct X (phrases)": (4, None),
        "distinct Y (entities)": (4, 10_202),  # prices, demand, yields, wages
        "distinct Y (phrases)": (4, None),
        "kept relations with a method": (5, None),
    }
    empty = replace(FOUND, papers=0, consensus={}, relations=())
    undefined = [each.measure for each in tables.corpus_lines(empty) if each.value is None]
    assert undefined == ["share kept", "relations per paper", "relations per paper with a kept relation"]
    assert all(each.value == 0 for each in tables.corpus_lines(empty) if each.unit is Unit.COUNT)


def test_topics_count_x_and_y_of_each_kept_relation_the_most_frequent_first() -> None:
    assert [(each.code, each.count, each.published) for each in tables.topic_lines(FOUND)] == [
        ("E3", 4, 508),  # prices, four times; capitals of a title play no part
        ("H2", 3, 452),  # tax twice, taxes once
        ("Q5", 2, None),
        ("D1", 1, None),
        ("Q1", 1, None),
    ]
    first = tables.largest(tables.topic_lines(FOUND), 1)
    assert [each.code for each in first] == ["E3", "H2"]  # the second because the paper names it


def test_table_3_before_filtering_and_after_it_by_answer_and_altogether() -> None:
    found = {
        (each.type, each.answer): (each.before, each.after, each.published) for each in tables.question_lines(FOUND)
    }
    assert found == {
        (1, "True"): (3, 2, 10_012),
        (1, ALL): (3, 2, 10_012),
        (2, "True"): (1, 1, 2_797),
        (2, "False"): (2, 1, 1_206),
        (2, ALL): (3, 2, 4_003),
        (3, "True"): (0, 0, 4_986),
        (3, "False"): (0, 0, 1_571),
        (3, ALL): (0, 0, 6_557),
        (4, "True"): (0, 0, 7_952),
        (4, "False"): (1, 0, 2_455),
        (4, ALL): (1, 0, 10_407),
        (5, "increase"): (2, 1, 6_151),
        (5, "decrease"): (0, 0, 2_579),
        (5, "none"): (1, 1, 670),
        (5, ALL): (3, 2, 9_400),
        (ALL, "True"): (4, 3, 25_747),
        (ALL, "False"): (3, 1, 5_232),
        (ALL, "increase"): (2, 1, 6_151),
        (ALL, "decrease"): (0, 0, 2_579),
        (ALL, "none"): (1, 1, 670),
        (ALL, ALL): (10, 6, 40_379),
    }
    assert all(each.after is None for each in tables.question_lines(replace(FOUND, is_filtered=False)))


def test_table_9_has_the_share_of_each_period_without_other_years() -> None:
    assert [(each.period, each.relations, each.share, each.published) for each in tables.period_lines(FOUND)] == [
        ("2000–2004", 3, 3 / 6, 0.17),
        ("2005–2009", 1, 1 / 6, 0.157),
        ("2010–2014", 0, 0.0, 0.191),
        ("2015–2019", 0, 0.0, 0.262),
        ("2020–2025", 2, 2 / 6, 0.219),
    ]
    assert all(each.share is None for each in tables.period_lines(replace(FOUND, relations=())))
