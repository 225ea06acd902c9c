"""Tables of samples and answers that little is known of: dashes with reasons on screens and in files, never NaN."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

import pandas as pd
import pytest

from core.analysis.printed import NO_VALUE, shown
from core.analysis.table_charts import chart_of
from core.analysis.tables import as_json
from core.runs.states import ItemStatus
from protocols.recite.tables import TABLES
from services.results.files import csv_of, latex_of
from tests.protocols.recite.analyses.planted import corpus, exact, prepared

FRAME = pd.concat([corpus(9), exact(9, variants=("standard", "names"))], ignore_index=True)
SCORES = [name for name in FRAME.columns if name.startswith("score.")]
CASES = {
    "one sample": FRAME[FRAME["pair"] == "generate/s000"],
    "one model": FRAME[FRAME["model"] == "Alpha"],
    "constant F1": FRAME.assign(**{name: FRAME[name].where(FRAME[name].isna(), 0.5) for name in SCORES}),
    "all incomplete": FRAME.assign(judge_status="incomplete", status=ItemStatus.INCOMPLETE.value).drop(columns=SCORES),
    "one score": FRAME.assign(
        judge_status=FRAME["judge_status"].where(FRAME.index == 3, "incomplete"),
        **{name: FRAME[name].where(FRAME.index == 3) for name in SCORES},
    ),
    "no facts": FRAME[[name for name in FRAME.columns if not name.startswith(("fact.", "count."))]],
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_defined_is_a_dash_with_its_reason_on_screens_and_in_files(case: str) -> None:
    items, models = prepared(CASES[case])
    for preset in TABLES.presets.values():
        tables = preset.tables(preset.chosen(items, preset.choices(items).own), models)
        cells = [cell for table in tables for cell in json.loads(json.dumps(as_json(table), allow_nan=False))["cells"]]
        assert all(cell["value"] is not None or cell["note"] for cell in cells), preset.key
        lines = list(csv.DictReader(io.StringIO(csv_of(tables, ()).decode("utf-8-sig"))))
        assert len(lines) == len(cells)
        assert all(line["value"] or line["note"] for line in lines), preset.key
        assert not any(line[name] in ("nan", "inf", "-inf") for line in lines for name in ("value", "low", "high"))
        reasons = [words for table in tables if (words := table.undefined_words)]
        texts = [shown(table.cells[at].estimate, table.figure(at[1])) for table in tables for at in table.cells]
        assert "nan" not in texts and (NO_VALUE in texts) == bool(reasons), preset.key
        latex = latex_of(tables, "recite", preset.key, [1], with_intervals=True, drawn="papers").decode()
        assert " nan" not in latex and latex.count("means undefined") == len(reasons)
        for table in tables:
            json.dumps(asdict(chart_of(table, preset.chart)), allow_nan=False)
