"""Samples of figures: the picture, and the names read in it, numbered from 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from core.messages import File
from core.papers.pages import Box
from core.runs.options import Settings
from protocols.figures.tasks import FIGURES, TASK, TASKS, TITLE, VARIANT, VERSION
from protocols.samples import Excluded, Sample, Samples, content_hash
from protocols.step_values import Inputs, Value
from protocols.task_variants import pairs_of

NONE_READ = "(no name was read)"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFigure:
    """A figure of the source."""

    id: str
    title: str  # of its paper
    label: str
    place: str  # in words
    file: str  # SHA-256 of the paper's file
    part: str  # location in `file`, the key of its readings
    box: Box  # in points of the page
    names: tuple[tuple[str, Box], ...]  # (text, box) of each name read in it
    picture: tuple[str, str]  # (SHA-256, media type) of what is sent
    trouble: str = ""  # why it cannot be asked about; empty if it can

    @property
    def words(self) -> str:
        return ", ".join(filter(None, (self.label or self.place, self.title)))


def samples_of(inputs: Inputs, settings: Settings) -> Samples:
    """Return one sample per figure; with `most_samples` a seeded draw, in order. Raises BadInput for an unknown task or
    variant."""
    if not pairs_of(TITLE, TASKS, settings):
        return Samples(())
    figures: Sequence[Value] = inputs.values[FIGURES]
    excluded = tuple(
        Excluded(each.value.words, each.value.trouble, ("figure", each.value.id), TASK, VARIANT)
        for each in figures
        if each.value.trouble
    )
    selected = [each.value for each in figures if not each.value.trouble]
    most = settings["most_samples"]
    if most is not None and most < len(selected):
        seed = settings["seed"]
        by_hash = sorted((each.id for each in selected), key=lambda key: sha256(f"{seed}/{key}".encode()).hexdigest())
        drawn = set(by_hash[:most])
        selected = [figure for figure in selected if figure.id in drawn]
    provenance = {f"{TASK}/{VARIANT}": {"found": len(figures), "asked": len(selected)}}
    return Samples(tuple(map(sample_of, selected)), excluded, provenance)


def sample_of(figure: SourceFigure) -> Sample:
    names, following = names_text(figure.names, figure.box), str(len(figure.names) + 1)
    facts = {
        "figure": figure.id,
        "title": figure.title,
        "label": figure.label,
        "place": figure.place,
        "file": figure.file,
        "part": figure.part,
        "picture": list(figure.picture),
        "names": [{"text": text, "box": [box.x0, box.y0, box.x1, box.y1]} for text, box in figure.names],
    }
    return Sample(
        task=TASK,
        variant=VARIANT,
        key=figure.id,
        answer=None,
        slots={"names": names, "next": following},
        facts=facts,
        hash=content_hash([VERSION, list(figure.picture), names]),
        subject=("figure", figure.id),
    )


def names_text(names: Sequence[tuple[str, Box]], frame: Box) -> str:
    """Return a line per name: number, text, and the centre of its box in hundredths of the figure.

    >>> names_text([("Birth rate", Box(10, 20, 30, 40))], Box(0, 0, 100, 60))
    '1. Birth rate (20 from the left, 50 from the top)'
    """
    lines = []
    for number, (text, box) in enumerate(names, 1):
        across = _hundredths((box.x0 + box.x1) / 2, frame.x0, frame.width)
        down = _hundredths((box.y0 + box.y1) / 2, frame.y0, frame.height)
        lines.append(f"{number}. {' '.join(text.split())} ({across} from the left, {down} from the top)")
    return "\n".join(lines) or NONE_READ


def picture_of(facts: Mapping[str, Any]) -> File:
    """Return the picture of a sample. Raises BadInput for a media type that requests cannot have."""
    key, media_type = facts["picture"]
    return File(str(key), str(media_type), f"{facts['label'] or 'Figure'}, {facts['title']}")


def _hundredths(at: float, start: float, length: float) -> int:
    return min(100, max(0, round(100 * (at - start) / length))) if length > 0 else 0
