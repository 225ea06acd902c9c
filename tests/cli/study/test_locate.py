"""`papers locate`: figures found on papers, and a run that is killed and goes on where it was."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlmodel import func, select

from core.papers.detected_figures import FigureDecision
from documents.reader import FIGURES_PRODUCER
from services.acting import terminal_viewer
from services.papers import contact_sheet, importing
from services.study import open_study, use_study
from store.engine import Store
from store.tables import DerivedRow, new_id
from tests.cli.calling import PLAIN, ROOT, run, said
from tests.everything import EVERYTHING
from tests.made_papers import FIGURE, made_papers


@pytest.fixture
def place(sqlite_url: str, tmp_path: Path) -> Path:
    return Path(sqlite_url)


def add(place: Path, home: Path, count: int) -> list[str]:
    study = open_study(str(place), home)
    use_study(study)
    try:
        viewer = terminal_viewer()
        return [
            importing.import_file(viewer, name, content, act_id=new_id()).paper_id
            for name, content in made_papers(count)
        ]
    finally:
        use_study(None)
        study.close()


def pages_kept(place: Path) -> int:
    store = Store(str(place))
    try:
        with store.reading() as session:
            query = select(func.count()).where(DerivedRow.producer == FIGURES_PRODUCER)
            return session.exec(query.select_from(DerivedRow)).one()
    finally:
        store.close()


def test_it_finds_the_figures_of_named_papers_or_of_all(place: Path, tmp_path: Path) -> None:
    first, second = add(place, tmp_path / "home", 2)
    home = {"EDGEWISE_HOME": str(tmp_path / "home")}
    answer = said(run("papers", "locate", first, "--store", place, "--json", **home))
    (paper,) = answer["papers"]
    assert (answer["figures"], answer["waiting"]) == (1, 1)
    assert (paper["id"], paper["pages_read"], paper["faults"], paper["error"]) == (first, paper["pages"], [], "")
    assert (paper["figures"], paper["waiting"], paper["located"], paper["left_out"]) == (1, 1, 0, 0)
    done = run("papers", "locate", "--all", "--store", place, **home)
    lines = done.stdout.decode().splitlines()
    assert [line.split()[1] for line in lines[:2]] == [first, second]
    assert lines[2:] == ["2 papers, 2 figures found, 2 waiting on the contact sheet."]


@pytest.mark.parametrize("words", [(), ("0", "--all")])
def test_it_takes_papers_or_all_of_them(place: Path, words: tuple[str, ...]) -> None:
    done = run("papers", "locate", *words, "--store", place)
    assert done.returncode == 2
    assert b"name papers, or give --all" in done.stderr


def test_a_paper_that_is_not_there_is_named(place: Path) -> None:
    done = run("papers", "locate", "no-paper", "--store", place)
    assert done.returncode == 1
    assert b"no-paper is no paper in use with a file" in done.stderr


def test_a_lost_file_stops_no_other_paper(place: Path, tmp_path: Path) -> None:
    add(place, tmp_path / "home", 2)
    lost = next(path for path in (place.parent / "files").rglob("*") if path.is_file())
    lost.unlink()
    answer = said(
        run("papers", "locate", "--all", "--store", place, "--json", EDGEWISE_HOME=str(tmp_path / "home")), status=1
    )
    assert sorted(bool(paper["error"]) for paper in answer["papers"]) == [False, True]
    assert answer["figures"] == 1


PAPERS = 40


@pytest.mark.skipif(not EVERYTHING, reason="tests/services/papers/test_finding.py")
def test_killed_and_resumed_it_finds_every_figure_once(place: Path, tmp_path: Path) -> None:
    add(place, tmp_path / "home", PAPERS)
    for pages in (PAPERS // 4, PAPERS // 2):
        _kill_after(place, tmp_path, pages)
        assert pages <= pages_kept(place) < PAPERS
    before = pages_kept(place)
    answer = said(run("papers", "locate", "--all", "--store", place, "--json", EDGEWISE_HOME=str(tmp_path / "home")))
    assert [paper["figures"] for paper in answer["papers"]] == [1] * PAPERS
    assert pages_kept(place) == sum(paper["pages"] for paper in answer["papers"]) > before
    study = open_study(str(place), tmp_path / "home")
    use_study(study)
    try:
        found = contact_sheet.sheet(terminal_viewer(), FigureDecision.WAITING, most=1_000).figures
    finally:
        use_study(None)
        study.close()
    assert len({each.paper_id for each in found}) == len(found) == PAPERS
    for each in found:
        x0, y0, x1, y1 = FIGURE
        assert abs(each.box.x0 - x0) < 12 and abs(each.box.y0 - y0) < 12, "where it was drawn"
        assert abs(each.box.x1 - x1) < 12 and abs(each.box.y1 - y1) < 12


def _kill_after(place: Path, tmp_path: Path, pages: int) -> None:
    """The command in a process of its own, killed as soon as so many pages are kept."""
    process = subprocess.Popen(
        [sys.executable, "edgewise.py", "papers", "locate", "--all", "--store", str(place)],
        cwd=ROOT,
        env={**PLAIN, "EDGEWISE_HOME": str(tmp_path / "home")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 60
        while pages_kept(place) < pages:
            assert process.poll() is None, "ended before it was killed"
            assert time.monotonic() < end
            time.sleep(0.005)
    finally:
        process.kill()
        process.wait()
