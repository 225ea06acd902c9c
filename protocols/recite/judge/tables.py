"""Section scores of judged answers in Results: by the judges, and after review, each cell down to its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.results.columns import ItemColumns
from core.results.groupings import Grouping, fixed
from core.results.items import ResultItem
from core.results.means import Mean, mean_metric
from core.results.presets import REVIEWED, Preset, Shown
from core.results.table import ResultTable, build_table
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.labels import Section
from core.verdicts.tallies import read_tally
from protocols.recite.judge.tasks import JUDGE

TALLY = "tally"
JUDGED, SECTION, CONTROL = "judged", "section", "control"
JUDGE_ONLY, AFTER = "section:judge", "section:reviewed"
_MEAN = "Mean of the section's own score over answers whose section has all its labels, without controls."
MEANS = (
    Mean(JUDGE_ONLY, "Section score, judge only", _MEAN),
    Mean(AFTER, "Section score, after review", f"{_MEAN} With overrides in force."),
)


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Of a judge's sample; none of another."""
    if SECTION not in facts:
        return {}
    control = facts.get(CONTROL)
    return {
        JUDGED: (str(facts[JUDGED]),),
        SECTION: (SECTION_WORDS[Section(facts[SECTION])],),
        CONTROL: (str(control),) if control else (),
    }


def measures_of(parts: Mapping[str, Any]) -> dict[str, float]:
    """Of a verdict: its section's score, the judge's own and after review; the same where nobody corrected it."""
    own = _score(parts[TALLY])
    after = _score(parts[REVIEWED]) if REVIEWED in parts else own
    return {name: value for name, value in ((JUDGE_ONLY, own), (AFTER, after)) if value is not None}


def _score(tally: Mapping[str, Any]) -> float | None:
    found = read_tally(tally).default
    return min(1.0, found.total / found.weight) if found.weight and not found.problem else None


def _is_verdict(item: ResultItem) -> bool:
    return item.task == JUDGE and not item.values(CONTROL)


def _tables(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    judges = list(dict.fromkeys(item.model for item in items.kinds))
    several = len({(item.run, item.model) for item in items.kinds}) > len(judges)

    def row(item: ResultItem) -> Sequence[str]:
        by = f" by {item.model}" if len(judges) > 1 or several else ""
        return [f"{judged}{by}{f' ({item.run})' if several else ''}" for judged in item.values(JUDGED)]

    rows = Grouping("judged", "Model", row)
    columns = Grouping("section", "Section", lambda item: item.values(SECTION), fixed(*SECTION_WORDS.values()))
    return tuple(build_table(items, rows, columns, mean_metric(each), shown.how) for each in MEANS)


PRESET = Preset(
    key="verdicts",
    title="Verdicts",
    told="Mean section scores of judged answers, by the judges and after review.",
    tables=_tables,
    all_variants=True,
    takes=_is_verdict,
    nothing="These runs hold no verdict. Judge a finished run first.",
)
