"""Requests: the prompt of the question's form, closed or open book, with its phrases between tags."""

from __future__ import annotations

from collections.abc import Mapping

from core.messages import Messages
from prompts.loader import Prompt, find_prompt
from protocols.lee.tasks import NEEDED, PROMPTS
from protocols.samples import Sample


def messages_of(sample: Sample, prompts: Mapping[str, Prompt]) -> Messages:
    """Return the messages of a sample. Raises BadInput for a prompt that is missing or does not fit."""
    name = PROMPTS[sample.task, sample.variant]
    return find_prompt(prompts, name).render(**{each: sample.slots[each] for each in NEEDED[name]})
