"""The paper's tables and its figure by name, with models, baselines and the paper's own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, by_label, crossed, models, with_all
from core.analysis.items import ResultItem
from core.analysis.metrics import Metric
from core.analysis.presets import Preset, ProtocolTables, Shown, mean_row
from core.analysis.tables import ResultTable, build_table
from core.questions.relation import PERIODS
from core.triplets.triplet import NO_JEL
from protocols.lee import metrics, published
from protocols.lee.baselines import BASELINES
from protocols.lee.sample_summaries import cluster_of, labels_of
from protocols.lee.tasks import TASKS, TYPE_TITLES, VARIANT_TITLES

_TITLES = list(TYPE_TITLES.values())


def _placed(wanted: Sequence[str]) -> Callable[[Sequence[str]], Sequence[str]]:
    """Return a sort of labels: in this order, then all others alphabetically."""
    place = {label: number for number, label in enumerate(wanted)}
    return lambda labels: sorted(labels, key=lambda label: (place.get(label, len(place)), label))


TYPE = Grouping("type", "Type", lambda item: [TYPE_TITLES.get(item.task, item.task)], _placed(_TITLES))
TOGETHER = Grouping("types", "Types", lambda item: ["mean of the types"])
BOOK = Grouping("book", "Book", lambda item: [item.variant_words], _placed(list(VARIANT_TITLES.values())))
ANSWER = Grouping("answer", "Right answer", lambda item: [str(item.answer)], _placed(metrics.POOLED.classes))
NO_PERIOD, NO_JOURNAL = "no period", "no journal"
LETTER = by_label("letters", "JEL letter", NO_JEL)
PERIOD = Grouping("period", "Period", lambda item: item.values("period") or (NO_PERIOD,), _placed(PERIODS))
JOURNAL = by_label("journal", "Journal", NO_JOURNAL)


def _by_model(items: ItemColumns, columns: Grouping, over: Sequence[Metric], shown: Shown) -> tuple[ResultTable, ...]:
    """One table a score, models in rows; below them the plain mean of all models, as the paper's *Average*."""
    rows = models(items.kinds, shown.models)
    asked = {item.model for item in items.kinds} - set(BASELINES)
    label, members = mean_row("model", asked, items, rows)
    means = {label: members} if len(members) > 1 else {}
    return tuple(build_table(items, rows, columns, metric, shown.how, means=means) for metric in over)


def _models(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    by_type = _by_model(items, with_all(TYPE), (metrics.ACCURACY, metrics.MACRO_F1), shown)
    means = _by_model(items, TOGETHER, (metrics.MEAN_ACCURACY, metrics.MEAN_MACRO_F1), shown)
    return (*by_type, *means)


def _books(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    differences = _by_model(items, with_all(TYPE), (metrics.ACCURACY_DIFFERENCE, metrics.F1_DIFFERENCE), shown)
    over_types = (metrics.MEAN_ACCURACY_DIFFERENCE, metrics.MEAN_F1_DIFFERENCE)
    each = _by_model(items, crossed(with_all(TYPE), BOOK), (metrics.ACCURACY, metrics.MACRO_F1), shown)
    means = _by_model(items, BOOK, (metrics.MEAN_ACCURACY, metrics.MEAN_MACRO_F1), shown)
    return (*differences, *_by_model(items, TOGETHER, over_types, shown), *each, *means)


def _against_models(rows: Grouping) -> Callable[[ItemColumns, Shown], tuple[ResultTable, ...]]:
    return lambda items, shown: _by_model(items, rows, (metrics.ACCURACY, metrics.MACRO_F1), shown)


def _classes(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    return _by_model(items, with_all(TYPE), tuple(metrics.OF_CLASSES.values()), shown)


def _said(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    claims = items.where(metrics.is_claim)
    true = _by_model(claims, crossed(with_all(TYPE), BOOK), (metrics.SHARE_TRUE,), shown) if len(claims) else ()
    return (*true, *_by_model(items, crossed(with_all(TYPE), BOOK), (metrics.SHARE_UNPARSABLE,), shown))


def _questions(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    return (build_table(items, with_all(ANSWER), with_all(TYPE), metrics.ASKED),)


def _has_both(item: ResultItem) -> bool:
    return item.variant in VARIANT_TITLES


def _said_in(parsed: Any) -> str | None:
    """The word as it was written; None where there was no object, or no text in it."""
    if not isinstance(parsed, Mapping):
        return None
    said = parsed.get("answer", parsed.get("direction", ""))
    return str(said) if isinstance(said, str | bool) else None


PRESETS: Mapping[str, Preset] = {
    each.key: each
    for each in (
        Preset(
            key="models",
            title="Models by type",
            told="Accuracy and macro-F1 of each model by type of question (Tables 5 and 6).",
            tables=_models,
            published=published.MODELS,
        ),
        Preset(
            key="books",
            title="Open and closed book",
            told="Open minus closed on the same questions, and each by itself (Table 7).",
            tables=_books,
            all_variants=True,
            takes=_has_both,
            published=published.BOOKS,
        ),
        Preset(
            key="letters",
            title="By JEL letter",
            told="Accuracy by primary JEL letter of the two variables; a question with two letters counts in both.",
            tables=_against_models(LETTER),
            own_tasks=("type1",),
            published=published.LETTERS,
        ),
        Preset(
            key="periods",
            title="By period",
            told="Accuracy by five-year period of the paper (Figure 2).",
            tables=_against_models(PERIOD),
            own_tasks=("type1",),
            in_time=PERIODS,
        ),
        Preset(
            key="journals",
            title="By journal",
            told="Accuracy by journal of the paper, where the question set names it.",
            tables=_against_models(JOURNAL),
            own_tasks=tuple(task.name for task in TASKS),
        ),
        Preset(
            key="classes",
            title="Per answer: precision, recall, F1",
            told="Precision, recall and F1 of each answer by type of question.",
            tables=_classes,
        ),
        Preset(
            key="said",
            title="Answers given",
            told="How often True is said, and how often no answer can be read.",
            tables=_said,
            all_variants=True,
        ),
        Preset(
            key="questions",
            title="Questions",
            told="Questions asked, by type and right answer (Table 3, after filtering).",
            tables=_questions,
        ),
    )
}

TABLES = ProtocolTables(
    presets=PRESETS,
    told="accuracy and macro-F1 by type of question, open and closed book, JEL letter, period and journal",
    labels_of=labels_of,
    cluster_of=cluster_of,
    said_in=_said_in,
    drawn="papers",
    notes=(
        "A question of several papers is drawn with the first of them.",
        "“all” pools the questions of all types and five classes; the mean of the types is another number and has a "
        "table of its own.",
        "Type 1 asks for true claims only: its macro-F1 is accuracy ÷ (1 + accuracy).",
    ),
)
