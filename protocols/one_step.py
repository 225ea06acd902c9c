"""What is alike in protocols whose runs have one step, which asks."""

from __future__ import annotations

from core.errors import BadInput
from core.runs.options import Flag, Settings
from core.steps import Step
from core.words import quoted
from protocols.making import Inputs, Making, Texts


class OneStep:
    """To be inherited by such a protocol; `ask` is its step. Nothing is embedded, made or bound."""

    flags: tuple[Flag, ...] = ()
    short_title: str
    ask: Step

    def steps(self, settings: Settings) -> tuple[Step, ...]:
        return (self.ask,)

    def to_embed(self, step: Step, inputs: Inputs, settings: Settings) -> Texts | None:
        return None

    def bound(self, step: Step, inputs: Inputs, settings: Settings) -> None:
        return None

    def make(self, step: Step, inputs: Inputs, settings: Settings) -> Making:
        """Raises BadInput: it has no such step."""
        raise BadInput(f"{self.short_title} makes nothing; its step is {self.ask.name}, found {quoted(step.name)}.")
