"""A judge's YAML in every dress, and what is refused in one sentence."""

from __future__ import annotations

import json
import random
import re
import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.verdicts.labels import Section
from exchange.verdict_yaml import MOST_BYTES, read_verdict_yaml
from protocols.replies.verdicts import SEVERAL, read_verdict_reply
from tests.core.verdicts.made import drawn, perfect, spoilt

SAID = perfect(2, 3)


def dressed(said: dict[str, Any], **how: Any) -> str:
    text: str = yaml.safe_dump(said, sort_keys=False, **how)
    return text


PLAIN = dressed(SAID)
DRESSES = {
    "as it comes": PLAIN,
    "indented by four": dressed(SAID, indent=4),
    "flow style": dressed(SAID, default_flow_style=True, width=10**6),
    "quoted": re.sub(r": ([A-Z_]+)$", r': "\1"', PLAIN, flags=re.MULTILINE),
    "JSON": json.dumps(SAID),
    "JSON with indents": json.dumps(SAID, indent=2),
    "carriage returns": PLAIN.replace("\n", "\r\n"),
    "a byte order mark": f"\ufeff{PLAIN}",
    "comments": PLAIN.replace("\n", "  # as the text says\n"),
    "tabs behind colons": PLAIN.replace("presence_label: ", "presence_label:\t"),
    "blank lines": PLAIN.replace("- node_number", "\n- node_number"),
    "a document mark": f"---\n{PLAIN}",
}


@pytest.mark.parametrize("dress", DRESSES)
def test_a_verdict_is_read_in_every_dress(dress: str) -> None:
    assert read_verdict_yaml(DRESSES[dress]) == SAID
    assert (
        read_verdict_reply(f"I judge:\n```yaml\n{DRESSES[dress].removeprefix(chr(0xFEFF))}\n```\nDone.").value == SAID
    )


def test_a_reply_is_read_without_a_fence_and_behind_its_thoughts() -> None:
    assert read_verdict_reply(f"Here it is.\n{PLAIN}").value == SAID
    assert read_verdict_reply(f"<think>node_recall_evaluations: []</think>\n{PLAIN}").value == SAID
    assert read_verdict_reply(f"```yaml\n{PLAIN}").value == SAID


def test_of_several_verdicts_the_last_counts_and_is_flagged() -> None:
    other = dressed(perfect(1, 1))
    found = read_verdict_reply(f"```yaml\n{other}```\nNo:\n```yaml\n{PLAIN}```")
    assert (found.value, found.flags) == (SAID, (SEVERAL,))
    assert read_verdict_reply(f"```yaml\n{PLAIN}```\nAgain:\n```yaml\n{PLAIN}```").flags == ()


def test_scalars_are_texts_but_for_null_and_whole_numbers() -> None:
    found = read_verdict_yaml("a: yes\nb: 012\nc: ~\nd: null\ne: '7'\nf: 1.5\ng: 2026-11-26\nh:\ni: NaN\nj: -3")
    assert found == {
        "a": "yes",
        "b": 12,
        "c": None,
        "d": None,
        "e": "7",
        "f": "1.5",
        "g": "2026-11-26",
        "h": None,
        "i": "NaN",
        "j": -3,
    }


def test_an_empty_text_is_an_empty_verdict() -> None:
    for text in ("", "\n", "{}", "# nothing", "---", "null"):
        assert read_verdict_yaml(text) == {}


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(7)
)
REFUSED = {
    "a bomb of aliases": (BOMB, "line 1 defines the anchor &a; verdicts have none."),
    "an alias": ("a: *b", "line 1 refers to the anchor &b; verdicts have none."),
    "a merge key": ("a: 1\n<<: {b: 2}", "line 2 has a merge key; verdicts have none."),
    "a Python tag": ("a: !!python/object/apply:os.system ['true']", "line 1 has the tag tag:yaml.org,2002:python/"),
    "a local tag": ("a: !label PRESENCE_NO_MATCH", "line 1 has the tag !label; verdicts have none."),
    "a key twice": ("node_recall_evaluations: []\nnode_recall_evaluations: []", "line 2 has the key 'node_recall"),
    "a key twice in an item": (
        "a:\n- node_number: 1\n  node_number: 2",
        "line 3 has the key 'node_number' a second time.",
    ),
    "two documents": ("a: 1\n---\nb: 2", "line 2 begins a second document; a verdict is one."),
    "depth 1,000": ("a: " + "[" * 1_000, "line 1 is nested more deeply than 6."),
    "depth 1,000 of mappings": ("\n".join(" " * n + "a:" for n in range(1_000)), "is nested more deeply than 6."),
    "a list": ("- node_number: 1", "This verdict is a list of 1 entry; right would be a mapping of sections."),
    "a text": ("All labels are strong.", "This verdict is 'All labels are strong.'; right would be a mapping"),
    "a number": ("42", "This verdict is 42; right would be a mapping of sections."),
    "a truncated block": ("a:\n- {node_number: 1, presence_label: 'PRESENCE_", "is no YAML"),
    "indents by tabs": ("a:\n\t- b", "line 2 is no YAML: found character that cannot start any token."),
    "a list as key": ("? [a]\n: 1", "line 1 has a key that is no text."),
    "half a surrogate": ("a: \ud800", "This verdict has half a character at position 4."),
    "a control character": ("a: \x07", "is no YAML: control characters are not allowed."),
    "too many items": ("edge_recall_evaluations:\n" + "- {}\n" * 2_001, "has more than 2,000 items."),
    "a million items": ("edge_recall_evaluations: [" + "1," * 10**6 + "]", "has more than 2,000 items."),
    "6 MB": ("a: " + "x" * (MOST_BYTES + 1), "This verdict is larger than 5 MB."),
    "2 MB of three bytes each": ("a: " + "図" * 2_000_000, "This verdict is larger than 5 MB."),
    "prose with a colon": ("I think: this: is bad", "is no YAML"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_says_why_in_one_sentence_and_takes_little_memory(name: str) -> None:
    text, why = REFUSED[name]
    tracemalloc.start()
    try:
        with pytest.raises(BadInput) as refused:
            read_verdict_yaml(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert why in str(refused.value)
    assert str(refused.value).endswith(".") and "\n" not in str(refused.value)
    assert most < 20_000_000 + 4 * len(text)


@given(st.integers(0, 10**6))
def test_what_is_read_is_what_the_safe_loader_reads(seed: int) -> None:
    draw = random.Random(seed)
    said = json.loads(json.dumps(draw.choice([drawn, spoilt])(draw)))  # no two places share a value
    text = dressed(said, indent=draw.choice([2, 4]))
    expected = yaml.safe_load(text)
    for section in Section:  # our own rule: what is neither null nor a whole number stays a text
        for item in expected.get(section.key) or []:
            if isinstance(item, dict) and isinstance(item.get(section.number_key), float):
                item[section.number_key] = str(item[section.number_key])
    assert json.dumps(read_verdict_yaml(text)).replace('"true"', "true") == json.dumps(expected)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(read_verdict_reply(text).value, dict)
    except BadInput as refused:
        assert str(refused).endswith(".")
