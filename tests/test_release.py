"""A release has one version, and what is checked before a commit is what `make check` checks."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from core.version import PROGRAM_VERSION
from tests.cli import calling

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 120


def test_changelog_citation_and_command_name_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    number, date = re.findall(r"(?m)^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", changelog)[0]
    assert (number, date) == (citation["version"], str(citation["date-released"]))
    assert number == PROGRAM_VERSION
    assert calling.run("--version").stdout.decode() == f"Edgewise {PROGRAM_VERSION}\n"


def test_a_release_is_told_in_few_lines() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in re.split(r"(?m)^## (?=\d)", changelog)[1:]:
        assert release.count("\n") <= MOST_LINES, release.partition("\n")[0]


def test_before_a_commit_make_check_runs_and_nothing_is_fetched() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    (hook,) = repository["hooks"]
    assert (repository["repo"], hook["language"]) == ("local", "system")
    assert hook["entry"].split()[0] == "make" and hook["entry"].split()[-1] == "check"
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
