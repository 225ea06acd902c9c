"""Fields of an answer, and the closed set of labels of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.labels import LabelSet


@dataclass(frozen=True, slots=True)
class ReplyField:
    """A key of the answer. `labels` None is free text, which may be missing."""

    name: str
    labels: LabelSet | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """Fields of an answer; the label is read from the first."""

    name: str
    fields: tuple[ReplyField, ...]

    @property
    def key(self) -> str:
        return self.fields[0].name

    @property
    def labels(self) -> LabelSet:
        labels = self.fields[0].labels
        assert labels is not None, "the first field holds the label"
        return labels

    def json_schema(self) -> dict[str, Any]:
        """Return the strict form for an endpoint's `response_format`: every key required, no other allowed."""
        properties: dict[str, Any] = {}
        for field in self.fields:
            properties[field.name] = {"type": "string"}
            if field.description:
                properties[field.name]["description"] = field.description
            if field.labels is not None:
                properties[field.name]["enum"] = [*field.labels.classes, *field.labels.others]
        names = [field.name for field in self.fields]
        return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}

    def response_format(self) -> dict[str, Any]:
        schema = {"name": self.name, "strict": True, "schema": self.json_schema()}
        return {"type": "json_schema", "json_schema": schema}
