"""A disk that fills up while people work: what was acknowledged stays, the rest is said and saved once it has room."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.soak.serving import first_work, served
from tests.soak.table import scaled

FILLER = Path(__file__).with_name("disk_full.py")
ROUNDS = scaled(20, least=2)
SAID = "Not saved: the disk is full or cannot be written. Your text is still here; free space and try again."


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of so many MB in memory. Skips, and so is short in the table, where mounting is not permitted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"NOT MEASURED: a small disk could not be mounted: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def filled(way: str, folder: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, str(FILLER), way, str(folder), str(ROUNDS)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return counts


@pytest.mark.parametrize("way", ["limit", "disk"])
@pytest.mark.proof(
    "T1", "disk full", gate="0 acknowledged lost, 0 twice, integrity ok; works again once there is space"
)
def test_a_full_disk_takes_nothing_that_was_acknowledged(
    tmp_path: Path, way: str, record_property: Callable[[str, object], None]
) -> None:
    words = {"limit": "a file may not grow (RLIMIT_FSIZE)", "disk": "a small disk in memory"}
    record_property("what", f"disk full: {words[way]}")
    if way == "limit":
        counts = filled(way, tmp_path)
    else:
        with small_disk(tmp_path / "small", 32) as folder:
            counts = filled(way, folder)
    record_property("repetitions", counts["rounds"])
    record_property(
        "figure",
        f"{counts['lost']} lost of {counts['acknowledged']} acknowledged, {counts['twice']} twice, "
        f"{counts['refused']} refused and sent again, integrity {counts['integrity']}",
    )
    assert (counts["lost"], counts["twice"], counts["integrity"]) == (0, 0, "ok")
    assert counts["rounds"] == counts["refused"] == ROUNDS
    assert counts["said"] == [SAID]


@pytest.mark.proof(
    "T1", "disk full under a served study", gate="said on the page, typed text stays, all saved by itself"
)
def test_the_page_says_it_and_sends_everything_once_there_is_room(
    tmp_path: Path, browser: Browser, record_property: Callable[[str, object], None]
) -> None:
    typed = [f"Typed {place}" for place in range(8)]
    with (
        small_disk(tmp_path / "small", 96) as folder,
        served(folder) as serving,
        first_work(browser, serving) as (page, line, graph),
    ):
        ballast = folder / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:  # the server writes too, so that what is free now may be less in a moment
                file.write(bytes(100_000))
        for name in typed:
            line.fill(f"{name} -> Sink")
            line.press("Enter")
        expect(page.get_by_text("Not saved: the disk is full")).to_be_visible(timeout=60_000)
        expect(page.get_by_text(f"{typed[-1]} -> Sink")).to_be_visible()
        assert len(serving.drawn(graph)) < len(typed)
        ballast.unlink()
        took = serving.wait_for(graph, typed, 90)
        expect(page.locator(".receipt")).to_contain_text(f"{len(typed)} edges", timeout=60_000)
        assert serving.verdict() == "ok"
    record_property("repetitions", len(typed))
    record_property("figure", f"said so; 0 lost, 0 twice, all saved {took:.1f} s after there was space")
