"""What a model is asked: the prompt of the question's form, closed or open book, with its phrases between tags."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import BadInput
from core.messages import Messages
from prompts import Prompt
from protocols.lee.tasks import NEEDED, PLACEHOLDERS, PROMPTS
from protocols.protocol import Sample


def messages_of(sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
    """Raises BadInput for a prompt that is missing, or does not fit."""
    name = PROMPTS[sample.task, sample.variant]
    prompt = prompts.get(name)
    if prompt is None:
        raise BadInput(f"The prompt {name} is missing; {sample.task}, {sample.variant}, asks with it.")
    return prompt.render(**{each: sample.slots[each] for each in NEEDED[name]})


def check_prompt(prompt: Prompt) -> None:
    """Raises BadInput unless the prompt has every placeholder of its form, and no other."""
    needed = NEEDED[prompt.name]
    for missing in sorted(needed - prompt.placeholders):
        raise BadInput(f"{prompt.source} has no {PLACEHOLDERS.written(missing)}, which its questions need.")
    for strange in sorted(prompt.placeholders - needed):
        raise BadInput(f"{prompt.source} has {PLACEHOLDERS.written(strange)}, which its questions do not provide.")
