"""Tables of samples and answers that little is known of: dashes with reasons, never NaN."""

from __future__ import annotations

import json

import pytest

from core.analysis.charts import drawn
from core.analysis.table_charts import chart_of
from core.analysis.tables import as_json
from protocols.recite.analyses import corpus as of_samples
from protocols.recite.analyses import explicitness, structure
from tests.protocols.recite.analyses.planted import corpus, prepared

PRESETS = (*structure.PRESETS, *explicitness.PRESETS, *of_samples.PRESETS)
FRAME = corpus(samples=9)
CASES = {
    "one sample": FRAME[FRAME["sample"] == "s000"],
    "one model": FRAME[FRAME["model"] == "Alpha"],
    "constant F1": FRAME.assign(**{name: 0.5 for name in FRAME.columns if name.endswith("overall_f1")}),
    "all incomplete": FRAME.assign(judge_status="incomplete").drop(columns=FRAME.filter(like="score.").columns),
    "no facts": FRAME[[name for name in FRAME.columns if not name.startswith(("fact.", "count."))]],
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_defined_has_its_reason_in_tables_and_no_point_in_charts(case: str) -> None:
    items, shown = prepared(CASES[case])
    for preset in PRESETS:
        tables = preset.tables(items, shown)
        assert tables, preset.key
        for table in tables:
            cells = json.loads(json.dumps(as_json(table), allow_nan=False))["cells"]
            assert all(cell["value"] is not None or cell["note"] for cell in cells), preset.key
            json.dumps(drawn(chart_of(table, preset.chart)).to_dict(), allow_nan=False)
