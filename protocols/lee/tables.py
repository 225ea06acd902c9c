"""The paper's tables and its figure by name, with models, baselines and the paper's own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.analysis.groupings import Grouping, by_label, crossed, with_all
from core.analysis.items import ResultItem
from core.analysis.presets import Part, Preset, ProtocolTables
from core.questions.relation import PERIODS
from core.triplets.triplet import NO_JEL
from protocols.lee import metrics, published
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


BY_TYPE = with_all(TYPE)
BY_TYPE_AND_BOOK = crossed(BY_TYPE, BOOK)
BOTH = (metrics.ACCURACY, metrics.MACRO_F1)
BOTH_MEANS = (metrics.MEAN_ACCURACY, metrics.MEAN_MACRO_F1)


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
            parts=(Part(BOTH, BY_TYPE), Part(BOTH_MEANS, TOGETHER)),
            published=published.MODELS,
        ),
        Preset(
            key="books",
            title="Open and closed book",
            told="Open minus closed on the same questions, and each by itself (Table 7).",
            parts=(
                Part((metrics.ACCURACY_DIFFERENCE, metrics.F1_DIFFERENCE), BY_TYPE),
                Part((metrics.MEAN_ACCURACY_DIFFERENCE, metrics.MEAN_F1_DIFFERENCE), TOGETHER),
                Part(BOTH, BY_TYPE_AND_BOOK),
                Part(BOTH_MEANS, BOOK),
            ),
            all_variants=True,
            takes=_has_both,
            published=published.BOOKS,
        ),
        Preset(
            key="letters",
            title="By JEL letter",
            told="Accuracy by primary JEL letter of the two variables; a question with two letters counts in both.",
            parts=(Part(BOTH, LETTER),),
            own_tasks=("type1",),
            published=published.LETTERS,
        ),
        Preset(
            key="periods",
            title="By period",
            told="Accuracy by five-year period of the paper (Figure 2).",
            parts=(Part(BOTH, PERIOD),),
            own_tasks=("type1",),
            in_time=PERIODS,
        ),
        Preset(
            key="journals",
            title="By journal",
            told="Accuracy by journal of the paper, where the question set names it.",
            parts=(Part(BOTH, JOURNAL),),
            own_tasks=tuple(task.name for task in TASKS),
        ),
        Preset(
            key="classes",
            title="Per answer: precision, recall, F1",
            told="Precision, recall and F1 of each answer by type of question.",
            parts=(Part(tuple(metrics.OF_CLASSES.values()), BY_TYPE),),
        ),
        Preset(
            key="said",
            title="Answers given",
            told="How often True is said, and how often no answer can be read.",
            parts=(
                Part((metrics.SHARE_TRUE,), BY_TYPE_AND_BOOK, where=metrics.is_claim),
                Part((metrics.SHARE_UNPARSABLE,), BY_TYPE_AND_BOOK),
            ),
            all_variants=True,
        ),
        Preset(
            key="questions",
            title="Questions",
            told="Questions asked, by type and right answer (Table 3, after filtering).",
            parts=(Part((metrics.ASKED,), BY_TYPE, rows=with_all(ANSWER)),),
        ),
    )
}

TABLES = ProtocolTables(
    presets=PRESETS,
    told="accuracy and macro-F1 by type of question, open and closed book, JEL letter, period and journal",
    labels_of=labels_of,
    cluster_of=cluster_of,
    said_in=_said_in,
    averages_all=True,
    notes=(
        "A question of several papers is drawn with the first of them.",
        "“all” pools the questions of all types and five classes; the mean of the types is another number and has a "
        "table of its own.",
        "Type 1 asks for true claims only: its macro-F1 is accuracy ÷ (1 + accuracy).",
    ),
)
