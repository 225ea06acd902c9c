"""Long papers whose words, kinds and leaks are known, through the whole way from the PDF to the text.

The papers are ours, so what is measured is an upper bound of what others' papers give (docs/texts.md).
"""

from __future__ import annotations

import pytest

from core.texts.leaks import STRUCTURAL, Leak, find_leaks
from core.texts.mentions import mentioned
from documents.reader import Reader
from tests.documents.long_papers import CITATION, long_paper
from tests.documents.made_texts import scored_papers
from tests.documents.text_scores import Score, is_found
from tests.everything import EVERYTHING, usual

SMALL = usual(["4:5000:10", "7:5000:30"], "7:5000:30")


@pytest.fixture(scope="module")
def score(pool: object, tmp_path_factory: pytest.TempPathFactory) -> Score:
    folder = tmp_path_factory.mktemp("papers")
    total = Score()
    for _, each in scored_papers(Reader(pool, folder), folder, SMALL):  # type: ignore[arg-type]
        total.add(each)
    return total


def test_the_words_of_a_paper_are_kept_and_what_is_not_its_text_is_gone(score: Score) -> None:
    assert score.kept >= 0.998 * score.words > 800
    assert score.in_order >= 0.99 * score.words
    assert score.invented <= 0.002 * score.words
    for kind, (n, gone) in score.removed.items():
        assert gone >= 0.99 * n > 0, kind


def test_planted_leaks_come_through_the_pdf_and_are_found(score: Score) -> None:
    assert set(score.leaks) == set(Leak)
    for kind, (n, found) in score.leaks.items():
        assert found == n if kind in STRUCTURAL else found >= 0.95 * n, kind
    assert (score.cut, score.false_alarms) == (0, [])


@pytest.mark.parametrize("seeds", [range(200 if EVERYTHING else 12)])
def test_leaks_of_perfect_texts_are_found_and_texts_without_any_pass(seeds: range) -> None:
    alarms = 0
    for seed in seeds:
        paper = long_paper(seed) if EVERYTHING else long_paper(seed, characters=5_000)
        text = paper.markdown()
        found = find_leaks(text, paper.graph).findings
        for leak in paper.planted:
            start = text.find(leak.text.split("\n")[0] if leak.kind is not Leak.TABLE else "|From|To|")
            start = start if start >= 0 else text.index(leak.text.split("\n")[0].lstrip("• "))
            assert is_found(leak, (start, start + len(leak.text)), found), (seed, leak)
        if not paper.planted:
            alarms += sum(each.kind in STRUCTURAL for each in found)
    assert alarms == 0


@pytest.mark.parametrize("seed", range(6))
def test_names_are_named_hidden_or_left_out_as_the_paper_says(seed: int) -> None:
    paper = long_paper(seed, characters=6_000)
    assert mentioned(paper.markdown(), paper.graph.nodes) == {
        name for name, level in paper.levels.items() if level == 1
    }
    assert len(paper.graph.nodes) <= 12 or len(set(paper.levels.values())) > 1


def test_the_same_seed_gives_the_same_paper_of_the_size_asked_for() -> None:
    paper = long_paper(11, characters=20_000, nodes=140)
    assert paper == long_paper(11, characters=20_000, nodes=140)
    assert len(paper.graph.nodes) == 140
    assert 20_000 <= paper.characters < 30_000
    assert paper.planted == ()
    assert CITATION.search(" ".join(each.text for each in paper.parts)) is not None
