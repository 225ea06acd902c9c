"""The models themselves, as their cards said when the runs were made (ReCITE, Table 2)."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.columns import ItemColumns
from core.analysis.figure_tables import FigureRow, figure_table
from core.analysis.groupings import models
from core.analysis.metrics import COUNT, RATIO, WORDS, Figure
from core.analysis.presets import Shown
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from protocols.recite.analyses.measured import analysis, is_of_model

FIELDS = {
    "family": ("Family", WORDS),
    "type": ("Type", WORDS),
    "open_weight": ("Open weights", WORDS),
    "parameters_b": ("Parameters, billions", RATIO),
    "knowledge_cutoff": ("Knowledge cutoff", WORDS),
    "context_length": ("Context, tokens", COUNT),
}
"""Column of the frame → its title and unit."""
SWITCHES = {"True": "yes", "False": "no"}


def _cards(items: ItemColumns, shown: Shown) -> Iterator[ResultTable]:
    frame, by = items.frame, models(items.kinds, shown.models)
    labels = items.labels(by).astype(object)
    order = by.order(list(dict.fromkeys(labels)))
    cards = frame.reindex(columns=list(FIELDS)).astype(object).groupby(labels).first()
    figures, estimates = list[Figure](), {label: dict[str, Estimate]() for label in order}
    for name, (title, unit) in FIELDS.items():
        known = {label: value for label in order if (value := cards.at[label, name]) is not None and value == value}
        texts = {label: SWITCHES.get(str(value), str(value)) for label, value in known.items()}
        words = tuple(dict.fromkeys(texts.values())) if unit == WORDS else ()
        if unit == RATIO and all(float(value).is_integer() for value in known.values()):
            unit = COUNT
        figures.append(Figure(name=name, title=title, told="From the model's card.", unit=unit, words=words))
        for label in order:
            value = words.index(texts[label]) if label in known and words else known.get(label)
            estimates[label][name] = undefined("its card does not say it") if value is None else Estimate(float(value))
    heading = Figure(name="parameters_b", title="Models", told="As their cards said when a run was made.", unit=RATIO)
    rows = {label: FigureRow(frame[labels == label], estimates[label], failed_as="scored") for label in order}
    yield figure_table(items, heading, "Model", figures, rows)


PRESETS = (
    analysis(
        "models",
        "Models",
        "Family, type, parameters, knowledge cutoff and context of each model (ReCITE, Table 2).",
        _cards,
        takes=is_of_model,
    ),
)
