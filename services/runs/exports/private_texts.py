"""Texts of papers that their licence keeps in the study: a run may use them, and what leaves the study does not have
them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, select

from core.messages import hashes_in, read
from core.texts.passages import Passages
from core.words import counted
from services.releases.texts import private_reason
from services.runs.benchmarks import get_services
from store import assignments
from store.runs import exports, groups, runs
from store.tables import PaperRow
from store.tables.runs import RunRow, RunSampleRow

TEXT = "text"
_METADATA = ("key", "title", "paper", "figure", "file")
"""Parts of a value about a paper that are no text of it."""


@dataclass(frozen=True, slots=True)
class PrivateTexts:
    """Texts of a run that may not leave the study. `reasons`: reason → papers; `hashes`: of the texts as sent."""

    passages: Passages
    reasons: Mapping[str, int] = field(default_factory=dict)
    hashes: frozenset[str] = frozenset()

    def in_row(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row of an export without passages of these texts."""
        masked: Mapping[str, Any] = self.passages.in_value(row) if self.passages else row
        return masked

    def sentences(self, number: int) -> list[str]:
        """Return what is withheld of run `number` and why; nothing if nothing is."""
        return [
            f"Run {number}: the text of {counted(count, 'paper')} is withheld ({reason})."
            for reason, count in self.reasons.items()
        ]


def private_texts(session: Session, row: RunRow) -> PrivateTexts:
    """Return the private texts of a run, by the papers' licences as they are now."""
    if not get_services(row.protocol).sends_papers:
        return PrivateTexts(Passages(()))
    about = _Papers(session)
    hashes, texts = set[str](), list[str]()
    query = select(RunSampleRow.subject_kind, RunSampleRow.subject_id, RunSampleRow.facts, RunSampleRow.messages).where(
        RunSampleRow.run_id == row.id
    )
    for kind, subject_id, facts, messages in session.execute(query.execution_options(yield_per=100)):
        if about.is_private(kind, subject_id):
            sent = set(hashes_in(map(read, messages or ())))
            own = {str(facts[TEXT])} & sent if facts.get(TEXT) else set()
            hashes |= own or sent
    if groups.has_any(session, row.id):
        for group in exports.groups_made(session, row.id):
            for made in group["made"]:
                texts += about.texts_of(made["value"])
    if not about.reasons:
        return PrivateTexts(Passages(()))
    prompts = {each["text"] for each in row.manifest["prompts"]}
    free = [*runs.texts(session, prompts).values(), *about.titles]
    sent_texts = runs.texts(session, hashes - prompts)
    passages = Passages([*sent_texts.values(), *texts], free)
    return PrivateTexts(passages, about.count_reasons(), frozenset(sent_texts))


class _Papers:
    """The papers that a run is about, each looked up once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reason_of: dict[tuple[str, str], str] = {}
        self.reasons: dict[str, str] = {}  # private paper → reason
        self.titles: list[str] = []

    def is_private(self, kind: str | None, subject_id: str | None) -> bool:
        """Return whether a subject, a figure or a paper, is of a paper whose text may not leave."""
        if kind not in ("figure", "paper") or not subject_id:
            return False
        key = (kind, subject_id)
        if key not in self._reason_of:
            self._reason_of[key] = self._look_up(*key)
        return bool(self._reason_of[key])

    def _look_up(self, kind: str, subject_id: str) -> str:
        if kind == "figure":
            subject = assignments.subjects_of(self._session, [subject_id]).get(subject_id)
            paper = subject[1] if subject else None
        else:
            paper = self._session.get(PaperRow, subject_id)
        if paper is None:
            return ""
        reason = private_reason(paper)
        if reason:
            self.reasons[paper.id] = reason
            self.titles.append(paper.title)
        return reason

    def texts_of(self, value: Any) -> Iterator[str]:
        """Yield the texts in a group's value that is about a private paper."""
        if not isinstance(value, Mapping):
            return
        sample = value.get("sample")
        subject = (sample or {}).get("subject") if isinstance(sample, Mapping) else ("paper", value.get("paper"))
        if subject and self.is_private(*subject):
            yield from _strings({name: each for name, each in value.items() if name not in (*_METADATA, "sample")})

    def count_reasons(self) -> dict[str, int]:
        return dict(sorted(Counter(self.reasons.values()).items()))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)
