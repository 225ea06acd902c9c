"""Draws of verdict items: equally likely at random, weighted by strata, and those on which judges differ first."""

from __future__ import annotations

from collections import Counter

from core.verdicts.drawing import JudgedItems, blocks_for, disagreement, random_blocks, stratified
from core.verdicts.labels import Section
from core.verdicts.verdict import read_verdict

RECALL = Section.EDGE_RECALL


def recall(key: str, presences: str, of: str = "") -> JudgedItems:
    """An edge recall verdict: a letter an item, s(trong), w(eak), n(one)."""
    words = {"s": "STRONG_MATCH", "w": "WEAK_MATCH", "n": "NO_MATCH"}
    items = [
        {
            "edge_number": number,
            "importance_label": "IMPORTANCE_CENTRAL",
            "presence_label": f"PRESENCE_{words[letter]}",
            "directionality_label": "DIRECTION_MISSING" if letter == "n" else "DIRECTION_CORRECT",
            "abstraction_label": "ABSTRACTION_NA" if letter == "n" else "ABSTRACTION_ALIGNED",
        }
        for number, letter in enumerate(presences, 1)
    ]
    verdict = read_verdict({RECALL.key: items}).sections[RECALL]
    assert verdict.is_complete
    return JudgedItems(key, of or key, verdict)


def test_every_item_is_in_one_block_and_blocks_of_all_sizes_are_drawn_equally_often() -> None:
    found = [recall("long", "s" * 29), recall("short", "swn"), recall("middle", "n" * 12)]
    times: Counter[tuple[str, int]] = Counter()
    seeds = 400
    for seed in range(seeds):
        blocks = random_blocks(found, seed, 12)
        assert sorted(len(each.numbers) for each in blocks) == [3, 5, 12, 12, 12]
        every = [(each.key, number) for each in blocks for number in each.numbers]
        assert len(every) == len(set(every)) == 44
        drawn = blocks[: blocks_for(blocks, 18)]
        assert len(drawn) == 2  # 18 of 44 items in 5 blocks: two of them, whatever their sizes
        times.update((each.key, number) for each in drawn for number in each.numbers)
    # 2 of 5 blocks: each item in 160 of 400 draws; five standard deviations are 49.
    assert len(times) == 44
    assert max(abs(many - 160) for many in times.values()) < 49


def test_a_further_draw_goes_on_where_the_first_ended_whatever_was_judged_besides() -> None:
    first = random_blocks([recall("a", "s" * 20), recall("b", "n" * 20)], 7, 5)
    later = random_blocks([recall("a", "s" * 20), recall("b", "n" * 20), recall("c", "w" * 20)], 7, 5)
    assert [each for each in later if each.key != "c"] == first


def test_strata_are_drawn_alike_and_their_weights_give_the_items_back() -> None:
    found = [recall("a", "s" * 40 + "w" * 2), recall("b", "n" * 18)]
    sheets = stratified(found, 3, 12, 12)
    drawn = Counter(each.key for each in sheets for _ in each.numbers)
    assert sum(drawn.values()) == 12
    # Two weak matches are all there are; the ten others are shared by strong matches and none.
    assert drawn["b"] == 5
    assert round(sum(weight for each in sheets for weight in each.weights.values()), 9) == 60


def test_items_on_which_judges_differ_come_first_and_the_first_judge_is_shown() -> None:
    one, other, third = recall("1", "sswn", of="x"), recall("2", "snwn", of="x"), recall("3", "snws", of="x")
    sheets = disagreement([one, other, third, recall("4", "ssss", of="y")], 10, 12)
    # Item 2: two of three pairs differ, in presence and direction; item 4 likewise; nothing else differs.
    assert [(each.key, each.numbers) for each in sheets] == [("1", (2, 4))]
    assert disagreement([one, other], 1, 12)[0].numbers == (2,)
