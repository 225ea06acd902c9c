"""The paper's tables and its figure by name, with models, baselines and the paper's own values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.groupings import Grouping, by_label, crossed, in_order, with_all
from core.analysis.items import ResultItem
from core.analysis.metrics import ASKED, is_right
from core.analysis.preset_lists import by_key, pairs_preset, preset
from core.analysis.presets import Part, ProtocolTables
from core.analysis.sides import Compared
from core.questions.relation import PERIODS
from core.triplets.triplet import NO_JEL
from protocols.lee import metrics, published
from protocols.lee.sample_summaries import cluster_of, labels_of, paper_of
from protocols.lee.tasks import TASKS, TYPE_TITLES, VARIANT_TITLES

TYPE = Grouping("type", "Type", lambda item: [TYPE_TITLES.get(item.task, item.task)], in_order(*TYPE_TITLES.values()))
TOGETHER = Grouping("types", "Types", lambda item: ["mean of the types"])
BOOK = Grouping("book", "Book", lambda item: [item.variant_words], in_order(*VARIANT_TITLES.values()))
ANSWER = Grouping("answer", "Right answer", lambda item: [str(item.answer)], in_order(*metrics.POOLED.classes))
LETTER = by_label("letters", "JEL letter", NO_JEL)
PERIOD = Grouping("period", "Period", lambda item: item.values("period") or ("no period",), in_order(*PERIODS))
JOURNAL = by_label("journal", "Journal", "no journal")
BY_TYPE = with_all(TYPE)
BY_TYPE_AND_BOOK = crossed(BY_TYPE, BOOK)
BOTH = (metrics.ACCURACY, metrics.MACRO_F1)


def _has_both(item: ResultItem) -> bool:
    return item.variant in VARIANT_TITLES


def _said_in(parsed: Any) -> str | None:
    """The word as it was written; None where there was no object, or no text in it."""
    if not isinstance(parsed, Mapping):
        return None
    said = parsed.get("answer", parsed.get("direction", ""))
    return str(said) if isinstance(said, str | bool) else None


PRESETS = by_key(
    preset(
        "models",
        "Models by type",
        "Accuracy and macro-F1 of each model by type of question (Tables 5 and 6).",
        Part(BOTH, BY_TYPE),
        Part(metrics.MEANS, TOGETHER),
        published=published.MODELS,
    ),
    preset(
        "books",
        "Open and closed book",
        "Open minus closed on the same questions, and each by itself (Table 7).",
        Part((metrics.ACCURACY_DIFFERENCE, metrics.F1_DIFFERENCE), BY_TYPE),
        Part(metrics.MEAN_DIFFERENCES, TOGETHER),
        Part(BOTH, BY_TYPE_AND_BOOK),
        Part(metrics.MEANS, BOOK),
        all_variants=True,
        takes=_has_both,
        published=published.BOOKS,
    ),
    pairs_preset(
        Compared(metric=metrics.ACCURACY, value=is_right, apart=crossed(TYPE, BOOK), within=TYPE, varied=(BOOK,))
    ),
    preset(
        "letters",
        "By JEL letter",
        "Accuracy by primary JEL letter of the two variables; a question with two letters counts in both.",
        Part(BOTH, LETTER),
        own_tasks=("type1",),
        published=published.LETTERS,
    ),
    preset(
        "periods",
        "By period",
        "Accuracy by five-year period of the paper (Figure 2).",
        Part(BOTH, PERIOD),
        own_tasks=("type1",),
        in_time=PERIODS,
    ),
    preset(
        "journals",
        "By journal",
        "Accuracy by journal of the paper, where the question set names it.",
        Part(BOTH, JOURNAL),
        own_tasks=tuple(task.name for task in TASKS),
    ),
    preset(
        "classes",
        "Per answer: precision, recall, F1",
        "Precision, recall and F1 of each answer by type of question.",
        Part(metrics.OF_CLASSES, BY_TYPE),
    ),
    preset(
        "said",
        "Answers given",
        "How often True is said, and how often no answer can be read.",
        Part((metrics.SHARE_TRUE,), BY_TYPE_AND_BOOK, where=metrics.is_claim),
        Part((metrics.SHARE_UNPARSABLE,), BY_TYPE_AND_BOOK),
        all_variants=True,
    ),
    preset(
        "questions",
        "Questions",
        "Questions asked, by type and right answer (Table 3, after filtering).",
        Part((ASKED,), BY_TYPE, rows=with_all(ANSWER)),
    ),
)

TABLES = ProtocolTables(
    presets=PRESETS,
    told="accuracy and macro-F1 by type of question, open and closed book, JEL letter, period and journal",
    labels_of=labels_of,
    cluster_of=cluster_of,
    unit_of=paper_of,
    said_in=_said_in,
    averages_all=True,
    notes=(
        "A question of several papers is drawn with the first of them.",
        "“all” pools the questions of all types and five classes; the mean of the types is another number and has a "
        "table of its own.",
        "Type 1 asks for true claims only: its macro-F1 is accuracy ÷ (1 + accuracy).",
    ),
)
