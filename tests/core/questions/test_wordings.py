"""Wordings of an abstract's relations, and those that stand nowhere in it."""

from core.questions.wordings import QuestionWording, found_nowhere, wordings
from core.triplets.phrases import highlight_phrases

RELATIONS = (
    {"X": "carbon taxes", "Y": "emissions", "members": [{"X": "a carbon tax", "Y": "emissions"}]},
    {"X": "subsidies", "Y": "output", "members": []},
)


def test_a_relations_own_words_come_first_and_equal_ones_stand_once() -> None:
    assert wordings(RELATIONS) == [
        QuestionWording(1, "X", "carbon taxes"),
        QuestionWording(1, "X", "a carbon tax"),
        QuestionWording(1, "Y", "emissions"),
        QuestionWording(2, "X", "subsidies"),
        QuestionWording(2, "Y", "output"),
    ]


def test_an_end_is_missing_when_no_wording_of_it_stands_in_title_or_abstract() -> None:
    said = wordings(RELATIONS)
    texts = [
        highlight_phrases(text, [each.phrase for each in said]) for text in ("On output", "A carbon tax was tried.")
    ]
    assert [(each.name, each.phrase) for each in found_nowhere(said, texts)] == [
        ("Y1", "emissions"),
        ("X2", "subsidies"),
    ]
