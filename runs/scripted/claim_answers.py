"""Scripted answers to questions of five types about causal claims.

    demo:copier   repeats the direction of the first claim; without one, True and increase
    demo:reader   has an opinion of each pair, drawn from its words, and answers by it
    demo:talker   has the same opinions, and one of its own for one pair in three

Answers depend on the message only, so that a run can be repeated.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256

DIRECTIONS = ((0.55, "increase"), (0.9, "decrease"), (1.0, "none"))  # upper draw and direction
OWN = 1 / 3
_ASKED = re.compile(
    r"Is the claim below true\?|is the second one true\?|In which direction does the treatment change the outcome\?"
)
_DATA = re.compile(r"<data>\n(.*?)\n</data>\n", re.DOTALL)
_LINE = re.compile(r"^(Treatment|Direction|Outcome): (.*)$", re.MULTILINE)


def claim_answer(message: str, habit: str) -> tuple[str, str] | None:
    """Return the text of an answer and its label; None if the message asks nothing about claims.

    >>> request = "Is the claim below true?\\n<data>\\nTreatment: Rain\\nDirection: none\\nOutcome: Growth\\n</data>\\n"
    >>> claim_answer(request, "copier")
    ('{"answer": "True", "reasons": "A script answers by habit."}', 'True')
    """
    data = _DATA.search(message) if _ASKED.search(message) else None
    lines = _LINE.findall(data[1]) if data else []
    if not lines:
        return None
    claim = dict(lines)  # of two claims, the second
    opinion = lines[1][1] if len(lines) > 3 else "increase"
    if habit != "copier":
        pair = claim["Treatment"], claim["Outcome"]
        is_own = habit == "talker" and _chance("own", *pair) < OWN
        draw = _chance("talker" if is_own else "all", *pair)
        opinion = next(direction for most, direction in DIRECTIONS if draw < most)
    if "Direction" not in claim:
        key, label = "direction", opinion
    else:
        is_true = claim["Direction"] == opinion or (habit == "copier" and len(lines) == 3)
        key, label = "answer", str(is_true)
    return json.dumps({key: label, "reasons": "A script answers by habit."}), label


def _chance(*parts: str) -> float:
    return int(sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12], 16) / 16**12
