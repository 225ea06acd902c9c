"""What a command loads before it answers: neither screens nor store nor tables that it does not need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.calling import PLAIN, ROOT

WELL = "source,sink,sign\nWells,Debt,+\nDebt,Loans,-\n"
SIGNS = '{"predicted": "+", "answer": "+"}\n'
SURE = '{"probabilities": {"+": 0.7, "-": 0.1, "None": 0.1, "mixed": 0.1}, "answer": "+"}\n'
TRIPLET = {"treatment": "Rain", "outcome": "Harvest", "sign": "+", "treatment_vector": [1, 0], "outcome_vector": [0, 1]}
RUNS = {"runs": [[TRIPLET]] * 3}
CRITERIA = (
    "variable_extraction",
    "direction",
    "sign",
    "causality",
    "main_claim",
    "context_appropriateness",
)
SCORES = {"critics": {f"c{n}": dict.fromkeys(CRITERIA, 3) for n in range(3)}}
SCREENS_AND_STORE = ("streamlit", "sqlalchemy", "sqlmodel", "pandas", "pymupdf", "store", "services")

# One process for all: what an earlier command loaded is held against each later one, so that none may load more than
# the next may. The first words of help load least, then scores, then what draws and compares graphs.
WALK = """
import contextlib, io, json, sys
import edgewise

shown = []
for words, heavy in json.loads(sys.argv[1]):
    sys.argv = ["edgewise.py", *words]
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(printed):
        try: edgewise.app()
        except SystemExit as end: status = end.code or 0
    printed.flush()
    shown.append([words, status, printed.buffer.getvalue().decode(), sorted(set(heavy) & set(sys.modules))])
print(json.dumps(shown))
"""


def test_help_and_computing_load_neither_screens_nor_store_nor_tables(tmp_path: Path) -> None:
    def file(name: str, content: object) -> str:
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(tmp_path / name)

    well, other = file("well.csv", WELL), file("other.csv", WELL)
    nothing = [*SCREENS_AND_STORE, "numpy", "scipy", "networkx", "krippendorff"]
    without_numpy = [name for name in nothing if name != "numpy"]
    walk = [
        (["--help"], nothing),
        (["score", "signs", file("signs.jsonl", SIGNS)], nothing),
        (["score", "calibration", file("sure.jsonl", SURE)], nothing),
        (["triplets", "filter", file("scores.json", SCORES)], nothing),
        (["triplets", "consensus", file("runs.json", RUNS)], without_numpy),
        (["topology", well], SCREENS_AND_STORE),
        (["loops", well], SCREENS_AND_STORE),
        (["convert", "--to", "graphml", well], SCREENS_AND_STORE),
        (["compare", well, other], SCREENS_AND_STORE),
    ]
    done = subprocess.run(
        [sys.executable, "-c", WALK, json.dumps(walk)],
        cwd=ROOT,
        env=PLAIN,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert [words for words, *_ in shown] == [words for words, _ in walk]
    for words, status, printed, heavy in shown:
        assert (status, heavy) == (0, []), (words, done.stderr)
        assert printed, words
    for word in ("init", "serve", "people", "papers", "import", "export", "backup", "restore", "demo"):
        assert word in shown[0][2]
