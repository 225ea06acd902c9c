"""Files of commands: there whole or not at all, whatever breaks off."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from cli.study.session import whole_file


@pytest.mark.parametrize("before", [None, b"the last one"])
def test_a_file_that_is_broken_off_leaves_what_was_there_before(before: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "run.zip"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.write(b"the first half")
        file.flush()
        assert (path.read_bytes() if path.exists() else None) == before
        raise KeyboardInterrupt
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({path.name: before} if before else {})


def test_a_file_is_there_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.zip"
    for content in (b"one", b"two"):
        with whole_file(path) as file:
            file.write(content)
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"run.zip": content}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_gets_what_a_file_would_hold_also_where_the_writer_goes_back(tmp_path: Path) -> None:
    pipe, came = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: came.append(pipe.read_bytes()))
    reader.start()
    with whole_file(pipe) as file:
        file.write(b"?bc")
        file.seek(0)
        file.write(b"a")
    reader.join(10)
    assert came == [b"abc"] and list(tmp_path.iterdir()) == [pipe]
