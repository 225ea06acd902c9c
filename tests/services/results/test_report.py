"""A report of the demo's runs: complete, the same twice, and whole or absent as a folder."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from core.analysis.table_charts import chart_of
from services.acting import terminal_viewer
from services.results import report
from services.results.results import presets_of, results
from services.study import Study, open_study, use_study
from tests.cli.calling import Run, run, said
from tests.one_demo import copied

ME = terminal_viewer()
RUNS = ["5", "3"]
MOST = 1
"""Tables drawn of a preset: each chart takes a third of a second."""


@pytest.fixture(scope="module")
def demo(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    home = tmp_path_factory.mktemp("demo")
    study = open_study(str(copied(made_demo, home)), home)
    use_study(study)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "MOST_TABLES", MOST)
        yield study
    use_study(None)
    study.close()


@pytest.fixture(scope="module")
def files(demo: Study) -> Mapping[str, bytes]:
    return report.report_files(ME, RUNS)


def page_of(files: Mapping[str, bytes]) -> str:
    return files[report.PAGE].decode()


def test_each_preset_with_a_scored_item_is_there_as_csv_latex_and_charts(
    demo: Study, files: Mapping[str, bytes]
) -> None:
    filled = [preset for preset in presets_of(ME, RUNS) if preset.is_filled]
    assert len(filled) > 2
    with_chart = 0
    for preset in filled:
        tables = results(ME, RUNS, preset.key)
        with_chart += any(chart_of(table).rows for table in tables[:1])
        lines = list(csv.DictReader(io.StringIO(files[f"recite/{preset.key}.csv"].decode("utf-8-sig"))))
        assert {line["table"] for line in lines} == {table.title for table in tables}, preset.key
        assert files[f"recite/{preset.key}.tex"].count(rb"\begin{table}") == len(tables), preset.key
        assert f">{preset.title}</h3>" in page_of(files)
    drawn = [name for name in files if name.endswith(".pdf")]
    assert len(drawn) == with_chart > 2
    assert all(files[name].startswith(b"%PDF") for name in drawn)
    assert page_of(files).count('class="chart"') == len(drawn)


def test_settings_rows_left_out_and_prompts_of_every_run_are_there(files: Mapping[str, bytes]) -> None:
    for number in RUNS:
        of_run = json.loads(files[f"run-{number}.json"])
        assert {*report.OF_CARD, "number", "title", "protocol", "protocol_version"} == of_run.keys()
        assert f">Run {number}: {of_run['title']}</h2>" in page_of(files)
        assert of_run["prompts"]
        for prompt in of_run["prompts"]:
            assert prompt["hash"] in page_of(files)
        assert all(name in page_of(files) for name in of_run["settings"]["models"])


def test_the_document_shows_every_file_of_tables_and_every_chart(files: Mapping[str, bytes]) -> None:
    document = files[report.DOCUMENT].decode()
    tables = [f"{name}.tex" for name in re.findall(r"\\input\{(.*?)\}", document)]
    charts = re.findall(r"\\includegraphics\[.*?\]\{(.*?)\}", document)
    assert sorted(tables) == sorted(name for name in files if name.endswith(".tex") and name != report.DOCUMENT)
    assert sorted(charts) == sorted(name for name in files if name.endswith(".pdf"))


def test_the_zip_holds_the_same_files_whatever_the_order_of_the_runs_without_a_time(
    files: Mapping[str, bytes],
) -> None:
    exported = report.export_report(ME, RUNS[::-1])
    assert exported.name.endswith("run-3-5-report.zip")
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_of_a_large_preset_the_first_tables_are_drawn_and_the_others_counted(
    demo: Study, files: Mapping[str, bytes]
) -> None:
    many = len(results(ME, RUNS, "graphs"))
    assert f"{many - MOST} more tables: recite/graphs.csv, recite/graphs.tex." in page_of(files)
    assert f"recite/graphs-{MOST}.pdf" in files
    assert f"recite/graphs-{MOST + 1}.pdf" not in files


# --- the command -------------------------------------------------------------------------------------------------


def test_the_command_writes_a_folder_of_these_files(
    made_demo: Path, files: Mapping[str, bytes], tmp_path: Path, demo: Study
) -> None:
    out = tmp_path / "new" / "report"
    done = command(made_demo, tmp_path, *RUNS, "--out", str(out), "--json")
    use_study(demo)
    assert said(done) == {"path": str(out), "files": len(files), "size_bytes": sum(map(len, files.values()))}
    written = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert written == files
    assert [path.name for path in out.parent.iterdir()] == ["report"]


def command(made_demo: Path, tmp_path: Path, *words: str) -> Run:
    home = tmp_path / "home"
    store = copied(made_demo, home)
    return run("report", *words, "--store", str(store), EDGEWISE_HOME=str(home))


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_folder_that_is_not_empty_and_a_file_are_refused(
    is_folder: bool, made_demo: Path, tmp_path: Path, demo: Study
) -> None:
    out = tmp_path / "out"
    present = out / "notes.txt" if is_folder else out
    present.parent.mkdir(exist_ok=True)
    present.write_text("earlier")
    done = command(made_demo, tmp_path, "1", "--out", str(out))
    use_study(demo)
    assert done.returncode == 1
    assert (b"is not empty" if is_folder else b"is a file") in done.stderr
    assert present.read_text() == "earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out"]


def test_a_report_that_fails_leaves_nothing(made_demo: Path, tmp_path: Path, demo: Study) -> None:
    done = command(made_demo, tmp_path, "1", "999", "--out", str(tmp_path / "out"))
    use_study(demo)
    assert (done.returncode, done.stderr.decode().strip()) == (1, "This study has no run 999.")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
