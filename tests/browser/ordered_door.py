"""The study's own door, where the first to submit is A. Which of two is A is drawn, and names are asked of B."""

from __future__ import annotations

from server import app as app
from services.adjudication import rounds

rounds.randbelow = lambda _many: 0  # type: ignore[assignment]
