"""What is stored keeps its name and its value, whatever the code is called: hashes, settings, acts, keys, headers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import stored_names
from tests.one_demo import copied, made_demo
from tests.parsed import no_garbage

__all__ = ["no_garbage"]  # a fixture of this module

STORED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(made_demo(tmp_path_factory), tmp_path_factory.mktemp("stored") / "home").parent


def test_the_schema_of_a_study_is_the_same(home: Path) -> None:
    assert stored_names.schema(home / "demo.edgewise") == STORED["schema"]


def test_every_act_of_the_history_has_its_name() -> None:
    assert set(STORED["acts"]) <= set(stored_names.act_names())


def test_the_settings_of_a_run_have_their_fields() -> None:
    assert stored_names.run_settings() == STORED["settings"]


def test_a_sample_and_its_request_have_their_hashes_in_every_protocol(home: Path) -> None:
    assert stored_names.sample_hashes(home / "demo.edgewise") == STORED["hashes"]


def test_the_json_of_every_command_has_its_keys(home: Path, tmp_path: Path) -> None:
    assert stored_names.json_keys(home, tmp_path) == STORED["json"]


def test_exported_files_have_their_headers(home: Path, tmp_path: Path) -> None:
    assert stored_names.file_heads(home, tmp_path) == STORED["heads"]
