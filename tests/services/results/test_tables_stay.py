"""Every table of results of three studies, to the byte: a change of how tables are computed changes none of them.

The folder `tables` has a study's CSV exports as xz-compressed JSON: "run protocol preset" → text. Where a table is
meant to change, the test writes what it is now to `build/tables`; look at the difference and copy the file. A larger
study of EconCausal is held by tests/services/runs/test_made_before.py.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.running_server import running_server
from core.people import Viewer
from services.acting import terminal_viewer
from services.files import TableForm
from services.results import files as result_files
from services.results import results
from services.runs import reading
from services.study import Study, open_study, use_study
from tests.everything import EVERYTHING
from tests.one_demo import copied
from tests.services.run_parts import finished, start
from tests.services.runs.narratives import narratives
from tests.services.runs.test_lee import config, freeze
from tests.services.verdicts.test_variants_and_failures import FAILING, asked, judged

FOLDER, BUILD = Path(__file__).parent / "tables", Path(__file__).parents[3] / "build" / "tables"


def every_table(viewer: Viewer) -> dict[str, str]:
    """The CSV of each preset of each run, and of all runs of a protocol together."""
    numbers: dict[str, list[str]] = {}
    for line in sorted(reading.runs(viewer, with_archived=True), key=lambda line: line.number):
        if results.has_tables(line.protocol):
            numbers.setdefault(line.protocol, []).append(str(line.number))
    together = [(protocol, runs) for protocol, runs in numbers.items() if len(runs) > 1]
    apart = [(protocol, [number]) for protocol, runs in numbers.items() for number in runs]
    found = {
        f"{' and '.join(runs)} {protocol} {preset.key}": result_files.export(viewer, runs, preset.key, TableForm.CSV)
        for protocol, runs in (*apart, *together)
        for preset in results.presets_of(viewer, runs)
    }
    return {name: file.content.decode("utf-8-sig") for name, file in found.items()}


def hold(study: str, now: dict[str, str]) -> None:
    packed = FOLDER / f"{study}.json.xz"
    before = json.loads(lzma.decompress(packed.read_bytes())) if packed.exists() else {}
    if now == before:
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / packed.name).write_bytes(lzma.compress(json.dumps(now, indent=0).encode(), preset=9))
    changed = sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))
    pytest.fail(f"{len(changed)} tables of {study} changed: {', '.join(changed[:9])}; see {BUILD / packed.name}")


@pytest.mark.skipif(not EVERYTHING, reason="long: every table of eight runs")
def test_of_the_demo(made_demo: Path, tmp_path: Path) -> None:
    study = open_study(str(copied(made_demo, tmp_path)), tmp_path)
    use_study(study)
    try:
        hold("demo", every_table(terminal_viewer()))
    finally:
        use_study(None)
        study.close()


def test_of_questions(sqlite_study: Study, people: SimpleNamespace) -> None:
    freeze(people)
    for variants in (("closed",), ("closed", "open")):
        wanted = config(baselines=("always-true", "coin"), variants=variants)
        finished(sqlite_study, people.researcher, start(people.researcher, wanted))
    hold("lee", every_table(people.owner))


def test_of_judged_graphs_with_failures(sqlite_study: Study, people: SimpleNamespace) -> None:
    with running_server() as server:
        found = narratives()[:12]
        failing = {place - 10: answer for place, answer in FAILING.items() if place <= 22}
        number = asked(sqlite_study, people, server, found, ("standard", "names"), failing)
        judged(sqlite_study, people.researcher, number)
    hold("recite", every_table(people.owner))
