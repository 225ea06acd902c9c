"""What a judge is sent: rules, text and truth first, alike for every answer about a sample, then the answer, then which
section; so that a provider finds the beginning in its cache. As the released code asks, the section stands first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.messages import Kept, Message, Messages, Text
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


def asked(
    prompts: Mapping[str, Prompt],
    variant: str,
    section: Section,
    graphs: JudgedGraphs,
    text: str | Kept,
    numbers: Sequence[int],
    faults: Sequence[str] = (),
) -> Messages:
    """A request for these items of a section. `faults`: of an earlier answer, for which it is asked again; `text`: in
    which no tag of the message stands. Raises BadInput for a prompt that is missing."""
    instructions = _instructions(prompts)
    part = text if isinstance(text, Kept) else Text(text)
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


PREFIX_PARTS = 3
"""Parts of the user's message that are the same for every answer about a sample."""


def _instructions(prompts: Mapping[str, Prompt]) -> str:
    prompt = find_prompt(prompts, RULES)
    return "\n\n".join(each.text for each in prompt.render())


def _last(
    prompts: Mapping[str, Prompt],
    section: Section,
    graphs: JudgedGraphs,
    numbers: Sequence[int],
    faults: Sequence[str],
) -> str:
    n = graphs.size(section)
    wanted = f"all {n}" if len(numbers) == n else f"{in_ranges(numbers)} (of {n})"
    values = {SECTION_KEY: section.key, ITEM_NUMBERS: wanted}
    if faults:
        values[FAULT_LIST] = "\n".join(f"- {each}." for each in faults)
    said = find_prompt(prompts, AGAIN if faults else SECTION_PROMPT).render(**values)
    return "\n\n".join(each.text for each in said)
