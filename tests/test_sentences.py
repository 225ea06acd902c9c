"""The count of tests that compare sentences only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import sentence_tests_in

NONE, COMPARES, ONLY = None, False, True


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        ('assert answer == "The run has no items."', ONLY),
        ("assert answer == SAID", ONLY),
        ('assert f"The run {run} has none." in answer', ONLY),
        ('with pytest.raises(Refused, match="The run has no items"):\n        run()', ONLY),
        (
            'with pytest.raises(Refused) as it:\n        run()\n    assert str(it.value) == "The run has no items."',
            ONLY,
        ),
        ('with pytest.raises(Refused, match="no items"):\n        run()', NONE),
        ('with pytest.raises(Refused):\n        run()\n    assert said() == "The run has no items."', COMPARES),
        ('assert answer == "The run has no items." and state == "done"', COMPARES),
        ('assert answer == (3, "The run has no items.")', COMPARES),
        ('assert answer == "The run has no items."\n    assert rows() == []', COMPARES),
        ('assert count("The run has no items.") == 0', NONE),
        ('assert answer == "a,b\\nThe run has no items"', NONE),
        ('expect(page.get_by_text("The run has no items")).to_be_visible()', ONLY),
        ('expect(page.get_by_text("The run has no items")).to_have_count(1)', COMPARES),
    ],
)
def test_planted_tests_are_counted(body: str, counted: bool | None, tmp_path: Path) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(f'SAID = "The run has no items."\n\n\ndef test_it() -> None:\n    {body}\n')
    assert [test.is_only_sentences for test in sentence_tests_in(path)] == ([] if counted is None else [counted])
