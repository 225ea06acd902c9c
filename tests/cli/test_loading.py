"""What a command loads before it answers: neither screens nor store nor tables that it does not need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from services.study import open_study
from tests.cli.calling import PLAIN, ROOT
from tests.everything import EVERYTHING

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


SCREENS_AND_TABLES = (
    *("streamlit", "pandas", "numpy", "scipy", "networkx", "krippendorff", "pyarrow", "openpyxl", "pyvis", "PIL"),
    *("pymupdf", "alembic", "openai", "aiohttp", "httpx2", "procrastinate", "psycopg", "rich", "yaml"),
    *("components", "pages", "web"),
)
# Run as a shell runs it; at the end, what is loaded and how often all of it was walked for garbage, beside whether the
# end walks it once more.
ONE = """
import atexit, gc, json, runpy, sys

def tell():
    loaded = {name.partition(".")[0] for name in sys.modules}
    walks = gc.get_stats()[2]["collections"] - walked
    print(json.dumps([sorted(set(heavy) & loaded), walks, gc.get_freeze_count() > 1000]))

heavy, *sys.argv = json.loads(sys.argv[1])
walked = gc.get_stats()[2]["collections"]
atexit.register(tell)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_a_run_loads_neither_screens_nor_tables_nor_a_client_and_never_walks_what_it_has_loaded(tmp_path: Path) -> None:
    rows = [
        {
            "paper_id": str(n),
            "publication_year": 2000,
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "context": "A country.",
            "sign": "+",
            "answer": "+",
        }
        for n in range(2)
    ]
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    place = str(tmp_path / "study.edgewise")
    env = PLAIN | {"EDGEWISE_HOME": str(tmp_path / "home"), "EDGEWISE_STORE": place}
    open_study(place, tmp_path / "home").close()
    words = ["run", "--input-dir", str(tmp_path / "tasks")]
    done = subprocess.run(
        [sys.executable, "-c", ONE, json.dumps([SCREENS_AND_TABLES, str(ROOT / "edgewise.py"), *words])],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "answered" in done.stdout
    # atexit runs the last registered first: the command has frozen what it loaded before this is told.
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 0, True]


@pytest.mark.skipif(not EVERYTHING, reason="a run loads none: below")
def test_help_and_computing_load_neither_screens_nor_store_nor_tables(tmp_path: Path) -> None:
    def file(name: str, content: object) -> str:
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(tmp_path / name)

    well, other = file("well.csv", WELL), file("other.csv", WELL)
    nothing = [*SCREENS_AND_STORE, "numpy", "scipy", "networkx", "krippendorff"]
    without_numpy = [name for name in nothing if name != "numpy"]
    fork = file("fork.json", {"nodes": ["Z"], "edges": [{"source": a, "sink": b} for a, b in ("AM", "MB", "AB")]})
    walk = [
        (["--help"], nothing),
        (["score", "signs", file("signs.jsonl", SIGNS)], nothing),
        (["graph", "encode", fork, "--as", "graphviz"], nothing),
        (["graph", "query", fork, "--kind", "mediator", "--between", "A", "B"], nothing),
        (["graph", "count", "--nodes", "27", "37"], nothing),
        (["graph", "sample", fork, "--size", "5"], nothing),
        (["graph", "decode", file("pairs.txt", "(A, B)"), "--from", "adjacency"], nothing),
        (["graph", "generate", "--nodes", "5", "--edges", "4"], nothing),
        (["triplets", "filter", file("scores.json", SCORES)], nothing),
        (["triplets", "consensus", file("runs.json", RUNS)], without_numpy),
        (["score", "calibration", file("sure.jsonl", SURE)], without_numpy),
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
