"""The check of the words in the code finds what is planted, and allows what has a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.words import plain

CODE = '''"""Rows of a table."""


def rows() -> int:
    """Return the number of rows."""
    return 1
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "tests/words").mkdir(parents=True)
    (tmp_path / "rows.py").write_text(CODE)
    (tmp_path / plain.LIMITS).write_text("stand 0\n")
    (tmp_path / plain.ALLOWED).write_text("# rule | path | text | reason\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "Count rows")):
        named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *named, *words], check=True)
    return tmp_path


def test_plain_code_passes(checkout: Path) -> None:
    assert plain.main([], checkout) == 0


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("# read anew", "anew"),
        ("class Hindrance: ...", "class-name"),
        ("def take_back() -> None: ...", "verb-name"),
        ("kept_rows = 1", "word-in-name"),
        ("found = 1", "vague-name"),
        ('def one() -> int:\n    """Whether it is one."""', "opener"),
    ],
)
def test_a_planted_word_fails(checkout: Path, line: str, rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "rows.py").write_text(f"{CODE}\n{line}\n")
    assert plain.main([], checkout) == 1
    assert f"{rule}: 1 hits, limit 0" in capsys.readouterr().out


def test_words_in_backticks_scripts_and_guides(checkout: Path) -> None:
    (checkout / "a.md").write_text("It `stands` here.\n```\nit stands\n```\nIt stands.\n")
    (checkout / "a.js").write_text("// stood\nconst kept = 1;\n")
    hits = plain.hits_in(checkout, ["a.md", "a.js"])
    assert [(hit.rule, hit.path, hit.line) for hit in hits] == [
        ("stand", "a.md", 5),
        ("stand", "a.js", 1),
        ("vague-name", "a.js", 2),
    ]


def test_an_allowed_word_passes_and_an_unused_line_fails(checkout: Path) -> None:
    (checkout / "rows.py").write_text(f"{CODE}\n# who stands for election\n")
    (checkout / plain.ALLOWED).write_text("stand | rows.py | stands for election | the term of the field\n")
    assert plain.main([], checkout) == 0
    (checkout / "rows.py").write_text(CODE)
    assert plain.main([], checkout) == 1


def test_a_limit_is_never_raised(checkout: Path) -> None:
    (checkout / plain.LIMITS).write_text("stand 1\n")
    assert plain.main([], checkout) == 1
    (checkout / plain.LIMITS).write_text("")
    assert plain.main([], checkout) == 0


def test_subjects_of_commits_are_short_and_plain(checkout: Path) -> None:
    assert plain.check_subjects(checkout, "HEAD") == []
    named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subject = "Read rows anew " + "and again " * 8
    subprocess.run(["git", "-C", str(checkout), *named, "commit", "-q", "--allow-empty", "-m", subject], check=True)
    assert len(plain.check_subjects(checkout, "HEAD")) == 2


def test_write_lowers_a_limit_and_never_raises_one(checkout: Path) -> None:
    (checkout / "rows.py").write_text(f"{CODE}\n# it stands\n")
    assert plain.main(["--write"], checkout) == 1
    assert (checkout / plain.LIMITS).read_text() == "stand 0\n"
    (checkout / plain.LIMITS).write_text("stand 5\n")
    plain.main(["--write"], checkout)
    assert (checkout / plain.LIMITS).read_text() == "stand 1\n"
