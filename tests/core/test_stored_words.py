"""What screens say of stored words, and that scripts say the same."""

from __future__ import annotations

import re
from pathlib import Path

from core.adjudication.differences import Reason
from core.graphs.edge import EdgeFlag
from core.stored_words import SHOWN, shown_word

SCRIPT = Path(__file__).resolve().parents[2] / "components/desk/stored_words.js"


def test_no_flag_and_no_reason_is_shown_with_the_word_label() -> None:
    assert not [each for each in (*EdgeFlag, *Reason) if "label" in shown_word(each)]
    assert shown_word(EdgeFlag.NOT_CAUSAL) == "not causal"


def test_scripts_show_the_same_words() -> None:
    assert dict(re.findall(r'^  \["(.+)", "(.+)"\],$', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)) == SHOWN
