"""Tables by name: what a protocol shows of its items, which items a table covers, and the order of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from core.analysis.charts import ChartKind
from core.analysis.columns import ItemColumns
from core.analysis.comparisons import comparisons
from core.analysis.groupings import Grouping, crossed, models
from core.analysis.items import BASELINE, ResultItem
from core.analysis.leads import lead_of
from core.analysis.metrics import Metric, has_probabilities, has_true_label
from core.analysis.same_samples import same_samples
from core.analysis.sides import Compared
from core.analysis.slices import Failures, Slice, SliceChoices, choices_of
from core.analysis.tables import ResultTable, build_tables, side_by_side
from core.errors import BadInput
from core.labels import LabelSet
from core.scoring.calibration import Calibration, calibration_of
from core.words import counted, quoted

if TYPE_CHECKING:
    import pandas as pd

    from core.scoring.interval import Resampling


@dataclass(frozen=True, slots=True)
class Shown:
    """`how`: intervals. `models`: the order of rows. `groups`: extra row → the models whose scores it is the mean of.
    `conditions`: groupings that headings count where a number is over several of their labels, with the word for
    these. `by`: groups of a fact in place of the columns, or of the rows, that are not of models. `compares`: scores by
    which tables of models find the best."""

    how: Resampling | None = None
    models: Sequence[str] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    conditions: Sequence[tuple[Grouping, str]] = ()
    by: Grouping | None = None
    compares: Sequence[Compared] = ()

    def with_conditions(self, items: ItemColumns, tables: Iterable[ResultTable]) -> Iterator[ResultTable]:
        """Yield tables of items that say over how many encodings, orders … their numbers are, but for their own rows
        and columns."""
        labels = {each: {label for kind in items.kinds for label in each[0].of(kind)} for each in self.conditions}
        for table in tables:
            heads = f"{table.row_title} {table.column_title}".lower()
            many = sorted(
                f"{len(of_items):,} {words}"
                for (grouping, words), of_items in labels.items()
                if len(of_items) > 1 and grouping.title.lower() not in heads
            )
            yield replace(table, of=f"{table.of}; over {', '.join(many)}") if many else table


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """Values of a metric as printed in the protocol's paper.

    Attributes:
        metric: name of the metric
        source: where the values are printed
        cells: (row, column) → value in the metric's unit; columns are named as in the program's tables
        note: a caveat on the comparison, or ""
    """

    metric: str
    source: str
    cells: Mapping[tuple[str, str], float]
    note: str = ""

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row for row, _ in self.cells))

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(column for _, column in self.cells)

    def value(self, row: str, column: str) -> float | None:
        """Return the printed value of a row, matched regardless of capitals and punctuation; None without one."""
        there = {_folded(each): each for each in self.rows}.get(_folded(row))
        return None if there is None else self.cells.get((there, column))

    def others(self, rows: Sequence[str]) -> tuple[str, ...]:
        """The rows that have the name of none of these."""
        named = {_folded(row) for row in rows}
        return tuple(row for row in self.rows if _folded(row) not in named)


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


MODELS = Grouping("model", "Model", lambda item: [item.model])
"""Rows or columns of models, in the order of the runs; a model of several runs has a label for each."""
ANSWERS = Grouping("answers", "Model", lambda item: [item.model])
"""Rows of judged answers: one for each model, variant of its answers, and judge. No row pools two of them."""
FIGURES = Grouping("figure", "Figure", lambda item: [""])
"""Columns of figures: the metrics of a part are side by side in one table."""


@dataclass(frozen=True, slots=True)
class Part:
    """Tables of a preset that have the same rows and columns, one for each metric; with the columns `FIGURES` one
    table, which is of the metric `heading`.

    Rows of models have rows below them that are means of these. `where`: the items of these tables, if not all;
    without any there are no such tables.
    """

    metrics: tuple[Metric, ...]
    columns: Grouping
    rows: Grouping = MODELS
    where: Callable[[ResultItem], bool] | None = None
    heading: Metric | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Tables by name; `told`: what they show.

    `parts`: how they are computed; `custom`: a function in place of it, for tables that are no grouping; `compares`:
    scores by which models, variants and repeats are compared in pairs.
    `own_tasks`: the tasks that the paper's table is of, None for all of them.
    `all_variants`: it is of all variants that were asked, not of the first. `variant_title`: what its variants are of.
    `takes`: the items that it can be about; `nothing`: what is said where there are none. `in_time`: columns that
    follow each other, over which rows are drawn as points too. `published`: what the paper prints in its place.
    `chart`: the kind of its charts, where the form of a table does not decide it. `remark`: what headings say of all
    items, those that it does not take among them. `is_of_judges`: its numbers tell what judges said of answers.
    `is_whole`: `custom` reads columns of the frame that other tables do without; `needs`: facts and numbers of samples
    without which it has no table, as the frame names them. `fills`: whether scored items of these kinds give it a
    table; None: a table is computed to know.
    """

    key: str
    title: str
    told: str
    parts: tuple[Part, ...] = ()
    custom: Callable[[ItemColumns, Shown], tuple[ResultTable, ...]] | None = None
    compares: tuple[Compared, ...] = ()
    own_tasks: tuple[str, ...] | None = None
    all_variants: bool = False
    variant_title: str = "Variant"
    takes: Callable[[ResultItem], bool] = lambda item: True
    nothing: str = "These runs have no item for this table."
    in_time: tuple[str, ...] = ()
    published: tuple[PublishedTable, ...] = ()
    chart: ChartKind | None = None
    remark: Callable[[ItemColumns], str] | None = None
    is_of_judges: bool = False
    is_whole: bool = False
    needs: tuple[str, ...] = ()
    fills: Callable[[Sequence[ResultItem]], bool] | None = None

    def choices(self, items: ItemColumns) -> SliceChoices:
        """The tasks and variants that its tables can be of."""
        choices = choices_of(filter(self.takes, items.kinds), self.own_tasks, all_variants=self.all_variants)
        return replace(choices, variant_title=self.variant_title)

    def chosen(self, items: ItemColumns, wanted: Slice) -> ItemColumns:
        """The items of a slice; the preset's own where `wanted` names no task, or no variant."""
        tasks = wanted.tasks or self.choices(items).own.tasks
        of_tasks = replace(self, own_tasks=tasks).choices(items).own  # the own variant is that of the chosen tasks
        chosen = replace(wanted, tasks=tasks, variants=wanted.variants or of_tasks.variants)
        return items.where(lambda item: self.takes(item) and chosen.holds(item))

    def sliced(self, items: ItemColumns, wanted: Slice, shown: Shown) -> tuple[ResultTable, ...]:
        """The tables of a slice, which say what they are of."""
        chosen = self.chosen(items, wanted)
        remark = self.remark(items) if self.remark is not None else ""
        if wanted.is_unflagged:
            before = self.chosen(items, replace(wanted, is_unflagged=False)).question_count
            remark += f"; {chosen.question_count:,} of {counted(before, 'sample')}, which nobody flagged as bad"
        same = same_samples(chosen)
        if wanted.is_same:
            chosen = chosen.selected(same.is_in)
            remark += f"; {same.shared:,} of {counted(same.all, 'sample')}, which every model has an answer for"
        uneven = "" if wanted.is_same else same.words
        again = chosen.asked_again
        return tuple(
            replace(table, of=f"{table.of}{remark}", asked_again=again, uneven=uneven)
            for table in self.tables(chosen, shown)
        )

    def _by(self, items: ItemColumns, by: Grouping) -> Iterator[Part]:
        """The parts with the groups of a fact for columns; several variants of one table stay apart."""
        variant = Grouping("variant", self.variant_title, lambda item: [item.variant_words])
        several = len({kind.variant for kind in items.kinds}) > 1
        for part in self.parts:
            if part.rows is ANSWERS:
                yield Part(part.metrics, by, ANSWERS, part.where)
            else:
                yield Part(part.metrics, crossed(variant, by) if several else by, where=part.where)

    def tables(self, items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
        """Return the tables of these items, of any task and variant."""
        if self.custom is not None and shown.by is not None:
            raise BadInput(
                f"The table {quoted(self.title)} cannot be sliced by a fact: its rows and columns are fixed."
            )
        computed = list(self.custom(items, shown)) if self.custom is not None else []
        for part in self.parts if shown.by is None else self._by(items, shown.by):
            inside = items if part.where is None else items.where(part.where)
            if len(inside) or part.where is None:
                computed += tables_of(inside, part, shown)
        for each in self.compares:
            computed += comparisons(items, each, shown.models, shown.by)
        return tuple(shown.with_conditions(items, computed))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolTables:
    """Tables of the items of a protocol's runs; none by default.

    Attributes:
        presets: tables by name; the first is shown by default
        labels_of: returns the labels that tables group by, from a sample's facts
        cluster_of: returns the key of the samples drawn together in an interval, from a sample's facts
        said_in: returns the word as it was written, from a reply's fields; None where no table shows it
        reliability: returns the bins of each row, from the items of the preset `calibration`; None without that preset
        measures_of: returns the measures that tables have means of, from the parts of an item's score; None: no means
        parts_of_failure: returns the parts of the score of a refused, truncated or failed answer, from the truth of its
            sample; None where such answers are not scored
        notes: sentences on how the tables are computed, true of all of them
        conditions: groupings that headings count, with their words; see `Shown`
        averages_all: below rows of models is the mean of them all, not one of open and one of proprietary models
        pair_of: returns what is equal in all variants of a question, from the sample's task, key, true label and facts
        cluster_in_key: the same as `cluster_of`, from a sample's key; tables then group by the labels of its cell, and
            read neither facts nor a reply's fields and probabilities
        unit_of: returns the unit that intervals draw from the key of `cluster_of`, where that is only what pairs share
        strata: the label within whose values units are drawn, where it has few values; see `EdgeTally`
        drawn: the unit that intervals draw, in words
    """

    presets: Mapping[str, Preset] = field(default_factory=dict)
    told: str = ""  # what the tables show, within a sentence
    labels_of: Callable[[Mapping[str, Any]], Mapping[str, tuple[str, ...]]] = lambda facts: {}
    cluster_of: Callable[[Mapping[str, Any]], str | None] = lambda facts: None
    said_in: Callable[[Any], str | None] = lambda parsed: None
    reliability: Callable[[ItemColumns, Shown], Mapping[str, Calibration]] | None = None
    measures_of: Callable[[Any], Mapping[str, float]] | None = None
    parts_of_failure: Callable[[Any], Any] | None = None
    notes: tuple[str, ...] = ()
    pair_of: Callable[[str, str, str | None, Mapping[str, Any]], str] = lambda task, key, answer, facts: f"{task}/{key}"
    cluster_in_key: Callable[[str], str] | None = None
    unit_of: Callable[[str], str] | None = None
    strata: str = ""
    drawn: str = "papers"
    conditions: tuple[tuple[Grouping, str], ...] = ()
    averages_all: bool = False

    def preset(self, name: str) -> Preset:
        """Raises BadInput for a table that the protocol does not have."""
        if name not in self.presets:
            raise BadInput(f"Unknown table {quoted(name)}; choose from {', '.join(self.presets)}.")
        return self.presets[name]

    @property
    def own_failures(self) -> Failures:
        """The protocol's rule for refused, truncated and failed answers."""
        return Failures.LEFT_OUT if self.measures_of is None else Failures.ZERO

    def failures(self, wanted: Slice) -> Failures | None:
        """The rule for these answers where it is not the protocol's own."""
        return None if wanted.failures is self.own_failures else wanted.failures

    def shown(self, frame: pd.DataFrame) -> Shown:
        """Models in the order of a frame, baselines after them. Groups: proprietary and open models as their cards
        said, or all models together where the paper averages these."""
        missing = dict.fromkeys({"kind", "open_weight"} - set(frame.columns))
        about = frame.assign(**missing)[["model", "kind", "open_weight"]].drop_duplicates("model")
        asked_models = about[about["kind"] != BASELINE]
        ordered = (*asked_models["model"], *about.loc[about["kind"] == BASELINE, "model"])
        groups = {
            label: list(asked_models.loc[asked_models["open_weight"].astype(object) == is_open, "model"])
            for label, is_open in (("proprietary", False), ("open", True))
        }
        if self.averages_all:
            groups = {"": list(asked_models["model"])}
        groups = {label: members for label, members in groups.items() if members}
        compares = tuple(each for preset in self.presets.values() for each in preset.compares)
        return Shown(models=ordered, groups=groups, conditions=self.conditions, compares=compares)


def reliability_of(items: ItemColumns, labels: LabelSet, shown: Shown = Shown()) -> dict[str, Calibration]:
    """By row of a calibration table: its bins for a reliability diagram, and the ids of items left out."""
    rows = models(items.kinds, shown.models)
    of_rows: dict[str, list[int]] = {}
    for number, kind in enumerate(items.kinds):
        of_rows.setdefault(rows.of(kind)[0], []).append(number)
    by_row = {}
    for label in rows.order(list(of_rows)):
        scored = items.taken(of_rows[label]).where(has_true_label)
        left_out = scored.where(lambda item: not has_probabilities(item))
        by_row[label] = calibration_of(scored.where(has_probabilities).confidences(labels), labels, left_out.ids)
    return by_row


def tables_of(items: ItemColumns, part: Part, shown: Shown) -> tuple[ResultTable, ...]:
    """One table a metric, or all metrics in one; below rows of models the means of groups of them."""
    made = {MODELS: partial(models, wanted=shown.models), ANSWERS: partial(_answers, wanted=shown.models)}
    rows, columns = (made[each](items.kinds) if each in made else each for each in (part.rows, part.columns))
    means: dict[str, Sequence[str]] = {}
    if part.rows is MODELS:
        for group, members in shown.groups.items():
            inside = [item for item in items.kinds if item.model in members]
            labels = list(rows.order(list(dict.fromkeys(rows.of(item)[0] for item in inside))))
            runs = list(dict.fromkeys(item.run for item in inside))
            several = f" in {', '.join(runs)}" if len(runs) > 1 else ""  # which may have asked other samples
            many = counted(len({item.model for item in inside}), f"{group} model".strip())
            means |= {f"Mean of {many}{several}": labels} if group or len(labels) > 1 else {}
    tables = build_tables(items, rows, columns, part.metrics, shown.how, means=means)
    tables = tables if part.heading is None else (side_by_side(tables, part.heading),)
    if part.rows is not MODELS or shown.how is None:  # without intervals nothing is said of differences
        return tables
    return tuple(replace(each, lead=lead_of(each, items, shown.compares, shown.models)) for each in tables)


def _answers(items: Sequence[ResultItem], wanted: Sequence[str] = ()) -> Grouping:
    """Judges and runs are named where there are several. Variants come in the protocol's order, in each the models."""
    several_runs = len({item.run for item in items}) > 1
    several_judges = several_runs or len({item.judge for item in items}) > 1
    place = {model: number for number, model in enumerate(wanted)}
    order: dict[str, tuple[int, str, int]] = {}

    def label(item: ResultItem) -> list[str]:
        by = f" by {item.judge}" if several_judges else ""
        of_run = f" ({item.run})" if several_runs else ""
        words = f"{item.model} · {item.variant_words}{by}{of_run}"
        order.setdefault(words, (item.variant_place, item.variant, place.get(item.model, len(place))))
        return [words]

    return Grouping("answers", "Model", label, lambda labels: sorted(labels, key=order.__getitem__))
