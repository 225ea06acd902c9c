"""Messages of parts: what of them a request's hash covers, what a run keeps, and what comes back of it."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.messages import (
    File,
    Message,
    MessageSize,
    Text,
    TextByHash,
    canonical,
    files_in,
    hashes_in,
    message,
    read,
    size_of,
    stored,
    text_hash,
    texts_in,
    with_stored_texts,
    with_texts,
)

PICTURE = File("aa" * 32, "image/png", "Figure 1.png")
PAPER = File("bb" * 32, "application/pdf", "Paper.pdf", 12)
MIXED = Message("user", (Text("A paper. "), TextByHash("cc" * 32), PICTURE, PAPER))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def test_a_message_of_one_text_is_its_role_and_hash_whether_the_text_is_here_or_kept() -> None:
    key = sha256("Which sign? ∂".encode()).hexdigest()
    for said in (message("user", "Which sign? ∂"), Message("user", (TextByHash(key),))):
        assert canonical(said) == stored(said) == ["user", key]


def test_several_parts_are_in_order_by_their_hashes_and_a_file_s_name_is_neither_asked_nor_kept() -> None:
    text = sha256(b"A paper. ").hexdigest()
    parts = [
        ["text", text],
        ["text", "cc" * 32],
        ["file", "aa" * 32, "image/png"],
        ["file", "bb" * 32, PAPER.media_type],
    ]
    assert canonical(MIXED) == ["user", parts]
    kept = [*parts[:2], [*parts[2], None], [*parts[3], 12]]
    assert stored(MIXED) == ["user", kept]
    assert canonical(Message("user", (PICTURE,))) == ["user", [parts[2]]]


@given(st.lists(st.one_of(TEXTS.map(Text), st.just(PICTURE), st.just(PAPER)), max_size=5))
def test_what_is_stored_is_read_back_and_asks_the_same(parts: list[Text | File]) -> None:
    said = Message("user", tuple(parts))
    back = read(json.loads(json.dumps(stored(said))))
    assert canonical(back) == canonical(said)
    texts = {text_hash(text): text for text in texts_in([said])}
    assert with_texts(back, texts) == said
    assert with_stored_texts(said, {}) == back
    assert size_of([back], {key: len(text.encode()) for key, text in texts.items()}) == size_of([said], {})


def test_one_text_in_many_messages_is_one_value() -> None:
    kept: dict[str, TextByHash] = {}
    first, second = (with_stored_texts(message("user", "The same"), kept) for _ in range(2))
    assert first.parts[0] is second.parts[0] and len(kept) == 1


def test_a_size_is_bytes_of_texts_a_count_of_pictures_and_pages_of_pdfs() -> None:
    unread = File("dd" * 32, "application/pdf")
    assert size_of([MIXED, message("user", "Ä"), Message("user", (unread,))], {"cc" * 32: 40_000}) == MessageSize(
        (9, 40_000, 2), pictures=1, pages=(12, None)
    )
    assert files_in([MIXED, MIXED]) == (PICTURE, PAPER, PICTURE, PAPER)
    assert list(hashes_in([MIXED])) == [text_hash("A paper. "), "cc" * 32]


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match="text cccccccccccc… that a message names is not in this study"):
        with_texts(MIXED, {})
    with pytest.raises(BadInput, match="not in this study"):
        size_of([MIXED], {})
    with pytest.raises(BadInput, match="not here as text"):
        _ = MIXED.text
    with pytest.raises(BadInput, match=r"Notes\.docx: found the media type “application/msword”"):
        File("ee" * 32, "application/msword", "Notes.docx")
    with pytest.raises(BadInput, match="position 2"):
        canonical(message("user", "ab\ud800"))


@pytest.mark.parametrize(
    "wrong", [None, "user", ["user"], ["user", 3], ["user", [["sound", "aa"]]], ["user", [["text"]]]]
)
def test_a_stored_message_that_is_none_is_refused(wrong: object) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read(wrong)
