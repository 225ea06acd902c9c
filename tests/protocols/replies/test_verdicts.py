"""Verdicts whose free text breaks YAML and JSON: every legible label is read, and none is invented."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.verdicts.labels import LEGAL, LabelBlock, Section
from core.verdicts.verdict import read_verdict
from protocols.replies.quotes import read_quotes
from protocols.replies.verdicts import FREE_TEXT, SEVERAL, read_verdict_reply

PASSAGES = (
    'the "net" price falls',
    'so "x" and "y", "z"',
    "the farmer's income",
    "'quoted' at both 'ends'",
    "\\mu rises",
    "50\\% of farms",
    "$\\beta$ falls, $\\frac{a}{b}$",
    "C:\\new\\table",
    "ends in a backslash \\",
    "The text says: prices fall",
    "a: b: c",
    "[12] shows this",
    "{braces} and ] brackets [",
    "*starred* words",
    "& another",
    "!important",
    "%percent",
    "`code` first",
    "@at",
    "| piped",
    "> folded",
    "- dashed",
    "? asked",
    "price of #2 diesel # and more",
    "tab\there",
    "```",
    "see\n```python\nx = 1\n```\nfor this",
    "two\n\nparagraphs: of text",
    "presence_label: PRESENCE_NO_MATCH",
    "about edge_number: 3, a label",
    "“curly” ‘quotes’ – 図",
    "</s>",
    "don't \"do: that\" \\n it's",
)
TAILS = (
    "",
    "\nI hope this helps!",
    "\nNote: all labels are strict.",
    "</s>",
    "<|im_end|>",
    "\n- That is all: done.",
    '\n"Quoted" ending',
    "\nLet me know if \\alpha matters.",
)


def made(draw: random.Random) -> tuple[Section, list[dict[str, Any]]]:
    section = draw.choice(list(Section))
    items = []
    for number in range(1, draw.randint(1, 6) + 1):
        item: dict[str, Any] = {section.number_key: number}
        for block in section.blocks:
            labels = {field: draw.choice(legal) for field, legal in LEGAL[section, block].items()}
            item |= labels if block is LabelBlock.ITEM else {block.key: labels}
        items.append(item)
    return section, items


def quoted(draw: random.Random, text: str, *, may_be_plain: bool = True) -> str:
    """As models write a text: in quotes that nobody escaped, or bare."""
    return draw.choice([f'"{text}"', f"'{text}'", *([text] if may_be_plain else [])])


def evidence(draw: random.Random, indent: str) -> list[str]:
    texts = [draw.choice(PASSAGES) for _ in range(draw.randint(1, 2))]
    match draw.choice(["flow", "dashes", "block", "one"]):
        case "flow":
            return [f"{indent}evidence: [{', '.join(quoted(draw, text, may_be_plain=False) for text in texts)}]"]
        case "dashes":
            return [f"{indent}evidence:", *(f"{indent}- {quoted(draw, text)}" for text in texts)]
        case "block":
            lines = [f"{indent}evidence:"]
            for text in texts:
                lines += [f"{indent}  - |", *(f"{indent}    {line}" for line in text.split("\n"))]
            return lines
        case _:
            return [f"{indent}evidence: {quoted(draw, texts[0])}"]


def in_block_style(draw: random.Random, section: Section, items: list[dict[str, Any]]) -> str:
    margin = draw.choice(["", "  "])
    inner = margin + "  "
    lines = [f"{section.key}:"]
    for item in items:
        fields: list[list[str]] = []
        for key, value in item.items():
            if key == section.number_key:
                continue
            if isinstance(value, dict):
                labels = [f"{inner}  {name}: {label}" for name, label in value.items()]
                if draw.random() < 0.3:
                    labels.append(f"{inner}  note: {quoted(draw, draw.choice(PASSAGES))}")
                fields.append([f"{inner}{key}:", *labels])
            else:
                fields.append([f"{inner}{key}: {value}"])
        if draw.random() < 0.8:
            fields.insert(draw.choice([0, len(fields), len(fields)]), evidence(draw, inner))
        if draw.random() < 0.5:
            text = quoted(draw, draw.choice(PASSAGES))
            fields.insert(draw.randrange(len(fields) + 1), [f"{inner}reasoning: {text}"])
        if draw.random() < 0.5:
            fields.append([f"{inner}counterparts: [1, 2]"])
        lines.append(f"{margin}- {section.number_key}: {item[section.number_key]}")
        lines += [line for some in fields for line in some]
    return "\n".join(lines)


def in_flow_style(draw: random.Random, section: Section, items: list[dict[str, Any]]) -> str:
    """JSON, indented or on one line, or YAML with an item in braces a line; texts are put in as they are."""
    indent = draw.choice([None, 2, 4])
    spoken = [{**item, "evidence": ["@@"], "reasoning": "@@"} for item in items]
    if draw.random() < 0.3:
        text = f"{section.key}:\n" + "\n".join(f"- {json.dumps(item)}" for item in spoken)
    else:
        text = json.dumps({section.key: spoken}, indent=indent)
    while "@@" in text:
        text = text.replace("@@", draw.choice(PASSAGES), 1)
    return text


def reply_of(draw: random.Random, verdict: str) -> str:
    lead = draw.choice(["", "Here is my verdict:\n", "<think>prices: rise</think>\n"])
    if draw.random() < 0.6:
        return f"{lead}```{draw.choice(['yaml', 'json', ''])}\n{verdict}\n```{draw.choice(TAILS)}"
    return f"{lead}{verdict}{draw.choice(TAILS)}"


def labels_of(value: dict[str, Any], section: Section, n: int) -> list[Any]:
    found = read_verdict(value, {section: n}).sections[section]
    return [found.by_number[number].labels if number in found.by_number else None for number in range(1, n + 1)]


WHOLE = """node_recall_evaluations:
- node_number: 1
  importance_label: IMPORTANCE_CORE
  presence_label: PRESENCE_NO_MATCH
  semantic_label: SEMANTIC_NA
  abstraction_label: ABSTRACTION_NA
"""


@pytest.mark.parametrize("style", [in_block_style, in_flow_style])
def test_hostile_free_text_loses_no_label_and_invents_none(style: Any) -> None:
    """A thousand replies each way; labels that the free text names must not become the item's."""
    draw = random.Random(53)
    broken = 0
    for number in range(1_000):
        section, items = made(draw)
        reply = reply_of(draw, style(draw, section, items))
        expected = labels_of({section.key: items}, section, len(items))
        parsed = read_verdict_reply(reply)
        assert labels_of(parsed.value, section, len(items)) == expected, f"reply {number}:\n{reply}"
        broken += FREE_TEXT in parsed.flags
    assert broken > 300


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_json_is_read_without_a_fence_and_with_escapes_that_yaml_lacks(indent: int | None) -> None:
    section, items = made(random.Random(7))
    said = [{**item, "evidence": ["1/2 of 😀 farms\t"]} for item in items]
    text = json.dumps({section.key: said}, indent=indent).replace("/", "\\/")
    assert read_verdict_reply(f"So:\n{text}\nDone.").value == {
        section.key: [{**item, "evidence": ["1/2 of 😀 farms\t"]} for item in items]
    }


def test_a_label_given_twice_with_different_values_is_illegal_in_its_item_alone() -> None:
    two = WHOLE + WHOLE.partition("\n")[2].replace("1", "2", 1) + "  semantic_label: SEMANTIC_PARTIAL\n"
    items = read_verdict_reply(two).value["node_recall_evaluations"]
    assert [item["semantic_label"] for item in items] == ["SEMANTIC_NA", "SEMANTIC_NA and SEMANTIC_PARTIAL"]


def test_a_value_of_several_words_is_no_label() -> None:
    text = WHOLE.replace("PRESENCE_NO_MATCH", "PRESENCE_NO_MATCH: or PRESENCE_WEAK_MATCH")
    (item,) = read_verdict_reply(text).value["node_recall_evaluations"]
    assert item["presence_label"] == "PRESENCE_NO_MATCH: or PRESENCE_WEAK_MATCH"
    assert item["semantic_label"] == "SEMANTIC_NA"


def test_labels_in_deeper_or_shallower_text_are_free_text() -> None:
    text = (
        WHOLE
        + "  evidence: |\n    said: the presence_label: X\n    presence_label: PRESENCE_STRONG_MATCH\n  note: a: b\n"
    )
    found = read_verdict_reply(text)
    assert labels_of(found.value, Section.NODE_RECALL, 1) == labels_of(
        read_verdict_reply(WHOLE).value, Section.NODE_RECALL, 1
    )
    assert found.flags == (FREE_TEXT,)


def test_a_cut_verdict_keeps_the_items_before_the_cut() -> None:
    text = f'```yaml\n{WHOLE}- node_number: 2\n  presence_label: "PRESENCE_STRONG'
    first, second = read_verdict_reply(text).value["node_recall_evaluations"]
    assert (first["presence_label"], second["presence_label"]) == ("PRESENCE_NO_MATCH", '"PRESENCE_STRONG')


def test_the_last_of_several_verdicts_counts_though_its_free_text_is_invalid() -> None:
    final = WHOLE.replace("IMPORTANCE_CORE", "IMPORTANCE_PERIPHERAL") + "  note: a: b\n"
    found = read_verdict_reply(f"```yaml\n{WHOLE}```\nBetter:\n```yaml\n{final}```")
    assert found.value["node_recall_evaluations"][0]["importance_label"] == "IMPORTANCE_PERIPHERAL"
    assert set(found.flags) == {SEVERAL, FREE_TEXT}


def test_prose_that_names_a_section_has_no_labels() -> None:
    with pytest.raises(BadInput):
        read_verdict_reply("node_recall_evaluations: I cannot say: too hard")


@pytest.mark.parametrize(
    ("raw", "quotes"),
    [
        ('["the "net" price falls"]', ['the "net" price falls']),
        ('["a, b", "c"]', ["a, b", "c"]),
        ("['the farmer's income', 'it''s']", ["the farmer's income", "it's"]),
        ('["$\\beta$ and $\\nu$", "line\\none"]', ["$\\beta$ and $\\nu$", "line\none"]),
        ('"50\\% of farms"', ["50\\% of farms"]),
        (" price of #2 diesel", ["price of #2 diesel"]),
        ('\n  - |\n    a "b"\n    c: d\n  - >-\n    folded\n    text\n', ['a "b"\nc: d', "folded text"]),
        ('\n- "quoted"  # in the abstract\n- plain: text', ["quoted", "plain: text"]),
        ("|\n    one: text\n", ["one: text"]),
        ("['0', A]", ["0", "A"]),
        ("[A, 'it''s so, they say', B]", ["A", "it's so, they say", "B"]),
        ("", []),
        ("[]", []),
    ],
)
def test_quotes_are_read_as_they_were_copied(raw: str, quotes: list[str]) -> None:
    assert read_quotes(raw) == quotes


_WORDS = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=40)
_PASSAGE = _WORDS.map(lambda text: " ".join(text.split())).filter(lambda text: text and "\\" not in text)


@given(st.lists(_PASSAGE, min_size=1, max_size=3), st.sampled_from([False, None]))
def test_quotes_of_valid_yaml_are_what_yaml_reads(passages: list[str], flow: bool | None) -> None:
    """Backslashes apart: they are where the two must differ. A list with quotes at both ends counts as quoted whole."""
    raw = yaml.safe_dump({"evidence": passages}, default_flow_style=flow, allow_unicode=True, width=60)
    is_mixed = re.search(r"""\[["'].*["'],\s+[^\s"'].*["']\]""", raw, re.DOTALL) is not None
    if "\\" not in raw and not is_mixed and not any('",' in each or "'," in each for each in passages):
        assert read_quotes(raw.partition(":")[2]) == passages


def test_what_yaml_changes_in_valid_evidence_is_put_back() -> None:
    text = WHOLE + '  evidence: ["$\\beta$ falls"]\n'
    assert read_verdict_reply(text).value["node_recall_evaluations"][0]["evidence"] == ["$\\beta$ falls"]
    text = WHOLE + "  evidence: price of #2 diesel\n"
    assert read_verdict_reply(text).value["node_recall_evaluations"][0]["evidence"] == ["price of #2 diesel"]
