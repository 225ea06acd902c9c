"""Messages to a judge: rules, text and truth, then the answer, then the section. The first three are equal for every
answer about a sample, so that providers can cache them. In the variant as-released the section comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.messages import Message, Messages, Text, TextByHash
from core.verdicts.labels import Section
from prompts.loader import Prompt, find_prompt
from protocols.recite.judge.numbered import JudgedGraphs, in_lines
from protocols.recite.judge.tasks import (
    AGAIN,
    AS_RELEASED,
    FAULT_LIST,
    ITEM_NUMBERS,
    RULES,
    SECTION_KEY,
    SECTION_PROMPT,
    SECTION_TITLES,
    in_ranges,
)


def section_messages(
    prompts: Mapping[str, Prompt],
    variant: str,
    section: Section,
    graphs: JudgedGraphs,
    text: str | TextByHash,
    numbers: Sequence[int],
    faults: Sequence[str] = (),
) -> Messages:
    """Return a request for these items of a section. `faults` are those of a previous answer; `text` has no tags of the
    message. Raises BadInput for a missing prompt."""
    instructions = "\n\n".join(each.text for each in find_prompt(prompts, RULES).render())
    part = text if isinstance(text, TextByHash) else Text(text)
    truth, answer = in_lines(graphs.truth), in_lines(graphs.answer)
    if variant == AS_RELEASED:
        first = Text(f"# Evaluation Type\n{SECTION_TITLES[section]}\n\n# Source Text\n")
        rest = f"\n\n# Ground-Truth Graph\n{truth}\n\n# Response\n{answer}"
        is_all = len(numbers) == graphs.size(section) and not faults
        last = "" if is_all else f"\n\n{_last(prompts, section, graphs, numbers, faults)}"
        return (Message("system", (Text(instructions),)), Message("user", (first, part, Text(rest + last))))
    parts = (
        Text("<text>\n"),
        part,
        Text(f"\n</text>\n\n<truth>\n{truth}\n</truth>\n\n"),
        Text(f"<answer>\n{answer}\n</answer>\n\n"),
        Text(_last(prompts, section, graphs, numbers, faults)),
    )
    return (Message("system", (Text(instructions),)), Message("user", parts))


PREFIX_PARTS = 3  # parts of the user's message that are equal for every answer about a sample


def _last(
    prompts: Mapping[str, Prompt],
    section: Section,
    graphs: JudgedGraphs,
    numbers: Sequence[int],
    faults: Sequence[str],
) -> str:
    n = graphs.size(section)
    items = f"all {n}" if len(numbers) == n else f"{in_ranges(numbers)} (of {n})"
    values = {SECTION_KEY: section.key, ITEM_NUMBERS: items}
    if faults:
        values[FAULT_LIST] = "\n".join(f"- {each}." for each in faults)
    messages = find_prompt(prompts, AGAIN if faults else SECTION_PROMPT).render(**values)
    return "\n\n".join(each.text for each in messages)
