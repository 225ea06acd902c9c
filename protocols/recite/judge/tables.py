"""Section scores of judged answers in Results: by the judges, and after review, each cell down to its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, fixed
from core.analysis.items import ResultItem
from core.analysis.means import Mean, mean_metric
from core.analysis.presets import REVIEWED, Preset, Shown
from core.analysis.tables import ResultTable, build_table
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.labels import Section
from core.verdicts.tallies import read_tally
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import JUDGE

TITLES = tuple(each.title for each in ANSWER_VARIANTS.values())
TALLY = "tally"
JUDGED, ANSWER_VARIANT, JUDGED_RUN, SECTION, CONTROL = "judged", "answer_variant", "judged_run", "section", "control"
JUDGE_ONLY, AFTER = "section:judge", "section:reviewed"
_MEAN = (
    "Mean of the section's own score over answers whose section has all its labels, without controls. Unparsable, "
    "empty, refused, truncated and failed answers count as 0; no judge is asked about them."
)
MEANS = (
    Mean(JUDGE_ONLY, "Section score, judge only", _MEAN),
    Mean(AFTER, "Section score, after review", f"{_MEAN} With overrides in force."),
)


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the labels of a judge's sample; other samples have none."""
    if SECTION not in facts:
        return {}
    control = facts.get(CONTROL)
    return {
        JUDGED: (str(facts[JUDGED]),),
        ANSWER_VARIANT: () if control else (ANSWER_VARIANTS[facts["asked"]].title,),
        JUDGED_RUN: (f"run {facts['run']}",),
        SECTION: (SECTION_WORDS[Section(facts[SECTION])],),
        CONTROL: (str(control),) if control else (),
    }


def measures_of(parts: Mapping[str, Any]) -> dict[str, float]:
    """Return the score of a verdict's section, the judge's own and after review; equal without a correction."""
    own = _score(parts[TALLY])
    after = _score(parts[REVIEWED]) if REVIEWED in parts else own
    return {mean.column: value for mean, value in zip(MEANS, (own, after), strict=True) if value is not None}


def _score(tally: Mapping[str, Any]) -> float | None:
    found = read_tally(tally).default
    return min(1.0, found.total / found.weight) if found.weight and not found.problem else None


def _is_verdict(item: ResultItem) -> bool:
    return item.task == JUDGE and not item.values(CONTROL)


def _tables(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    """A row is of one judged model and one variant of its answers by one judge, and never of two runs or prompts."""
    judges = {(item.model, item.variant) for item in items.kinds}
    prompts = dict.fromkeys(item.variant_words for item in items.kinds)
    several = len({(item.run, item.model, item.variant) for item in items.kinds}) > len(judges)
    judged_runs: dict[tuple[str, ...], set[str]] = {}
    for item in items.kinds:
        judged_runs.setdefault((item.run, *_answers(item)), set()).update(item.values(JUDGED_RUN))

    def row(item: ResultItem) -> Sequence[str]:
        judged, variant = _answers(item)
        of_run = f" ({item.values(JUDGED_RUN)[0]})" if len(judged_runs[item.run, judged, variant]) > 1 else ""
        judge = f"{item.model}, {item.variant_words}" if len(prompts) > 1 else item.model
        by = f" by {judge}" if len(judges) > 1 or several else ""
        return [f"{judged}{of_run} · {variant}{by}{f' ({item.run})' if several else ''}"]

    places = {row(item)[0]: TITLES.index(_answers(item)[1]) for item in items.kinds}
    rows = Grouping("judged", "Model", row, lambda labels: sorted(labels, key=lambda label: (places[label], label)))
    columns = Grouping("section", "Section", lambda item: item.values(SECTION), fixed(*SECTION_WORDS.values()))
    variants = " and ".join(title for title in TITLES if any(title == _answers(item)[1] for item in items.kinds))
    of = f"answers: {variants}, each in its own rows; judge's prompt: {' and '.join(prompts)}"
    tables = (build_table(items, rows, columns, mean_metric(each), shown.how) for each in MEANS)
    samples = len(set(items.drawn().clusters))  # an item is a section of an answer
    return tuple(replace(table, of=of, samples=samples) for table in tables)


def _answers(item: ResultItem) -> tuple[str, str]:
    """The judged model and the variant of its answer."""
    (judged,), (variant,) = item.values(JUDGED), item.values(ANSWER_VARIANT)
    return judged, variant


PRESET = Preset(
    key="verdicts",
    title="Verdicts",
    told="Mean section scores of judged answers, by the judges and after review.",
    custom=_tables,
    all_variants=True,
    variant_title="Judge's prompt",
    takes=_is_verdict,
    nothing="These runs hold no verdict. Judge a finished run first.",
)
