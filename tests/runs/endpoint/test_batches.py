"""Texts are cut into requests for vectors, none too large."""

from __future__ import annotations

from runs.endpoint.batches import MOST_BYTES, MOST_TEXTS, batches, most_texts


def test_batches_are_bounded_in_texts_and_bytes() -> None:
    texts = ["a" * 60_000, "b" * 60_000, "c" * (MOST_BYTES + 1), *["d"] * 300]
    made = batches(texts)
    assert [text for batch in made for text in batch] == texts
    assert [len(batch) for batch in made] == [1, 1, 1, MOST_TEXTS, 300 - MOST_TEXTS]


def test_a_reply_of_long_vectors_holds_fewer_of_them() -> None:
    # (2,000,000 bytes) / (3,072 numbers of 24 bytes + 100) = 27; nothing fits into 1,000 bytes, and one is asked for.
    assert [most_texts(2_000_000, width) for width in (64, 1_536, 3_072)] == [MOST_TEXTS, 54, 27]
    assert most_texts(1_000, 3_072) == 1
