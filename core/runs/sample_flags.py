"""Reasons for which people flag a sample as bad."""

from __future__ import annotations

from enum import StrEnum

FLAG = "flag"
"""The fact of a sample that holds the reasons for which it is flagged."""


class FlagReason(StrEnum):
    LABEL_WRONG = "label wrong"
    ANSWER_LEAKS = "answer leaks"  # the question reveals it
    AMBIGUOUS = "ambiguous"
