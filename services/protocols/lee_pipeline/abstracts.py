"""Abstracts of corpora: relations are extracted from them.

A value is a `SourceAbstract` as JSON; its hash covers all that questions depend on, and no id. Its key is the paper's
name in its corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session

from core.draws import shuffled
from core.errors import BadInput, Missing, Refused
from core.people import Viewer
from core.runs.options import chosen_in
from core.triplets.corpus import FIRST_YEAR, LAST_YEAR, LeftOut
from core.triplets.jel import JEL_TITLES
from core.triplets.venues import JOURNALS, venue_name
from core.words import quoted
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.source_options import ANY_JOURNAL, CORPUS
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, content_hash
from services.acting import Reading
from services.runs.benchmarks import SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.triplets import corpora as stored
from store.triplets.corpora import AbstractRow


@dataclass(frozen=True, slots=True)
class CorpusOption:
    """A corpus of abstracts in use. `taken`: papers of it that a run takes unless it wants others; `elsewhere`: those
    that it does not take because of their journal."""

    id: str
    title: str
    papers: int
    taken: int
    elsewhere: int


class Abstracts:
    words = "abstracts"
    permission = ""

    def offered(self, r: Reading) -> tuple[CorpusOption, ...]:
        """The corpora in use, in the order they came."""
        return tuple(
            CorpusOption(
                key,
                about["title"],
                about["papers"],
                about["taken"],
                about["left_out"].get(LeftOut.OTHER_JOURNAL.value, 0),
            )
            for key, about, _ in stored.corpora(r.session)
            if not about["archived"]
        )

    def fault(self, wanted: RunConfig) -> str:
        return ""

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Nothing."""

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """As `Source`: the wanted abstracts, each paper once. Raises Missing for a corpus that there is not and where
        no abstract is left, Refused for an archived one."""
        chosen = _chosen(r.session, str(wanted.options.get(CORPUS.name) or ""))
        papers: dict[str, SourceAbstract] = {}
        left: Counter[LeftOut] = Counter()
        for key, _about in chosen:
            for row in stored.papers(r.session, key):
                why = _why_not(row, wanted)
                if why is None:
                    papers.setdefault(row.external_id, _abstract(row))
                else:
                    left[why] += 1
        if chosen and not papers:
            said = ", ".join(f"{many:,} {why.told}" for why, many in left.items())
            raise Missing(f"No abstract is left to extract from: {said or 'the corpora are empty'}.")
        found = list(_drawn(list(papers.values()), wanted))
        values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in found)
        return SourceRead(values, {about["title"]: key for key, about in chosen})

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        return tuple(task.name for task in protocol.tasks)


SOURCE = Abstracts()


def _chosen(session: Session, typed: str) -> list[tuple[str, dict[str, str]]]:
    there = stored.corpora(session)
    named = chosen_in(typed)
    for name in named:
        found = [about for key, about, _ in there if name in (key, about["title"])]
        if not found:
            raise Missing(f"No corpus has the ID or the title {quoted(name)}.")
        if found[0]["archived"]:
            title = quoted(found[0]["title"])
            raise Refused(f"The corpus {title} is archived. Restore it under Import / export, Triplets.")
    chosen = [
        (key, about)
        for key, about, _ in there
        if (key in named or about["title"] in named if named else not about["archived"])
    ]
    if not chosen:
        raise BadInput("No corpus of abstracts yet. Import abstracts under Import / export.")
    return chosen


def _why_not(row: AbstractRow, wanted: RunConfig) -> LeftOut | None:
    journals = chosen_in(str(wanted.options.get("journals") or "")) or list(JOURNALS)
    journals = list(JOURNALS) if journals == ["all"] else journals
    first, last = (int(wanted.options.get(name) or usual) for name, usual in _YEARS)
    if not row.abstract.strip():
        return LeftOut.NO_ABSTRACT
    if ANY_JOURNAL not in journals and venue_name(row.venue) not in journals:
        return LeftOut.OTHER_JOURNAL
    asks_year = bool(wanted.options.get("first_year") or wanted.options.get("last_year"))
    if row.year is None:
        return None if ANY_JOURNAL in journals and not asks_year else LeftOut.OTHER_YEAR
    return None if first <= row.year <= last else LeftOut.OTHER_YEAR


_YEARS = (("first_year", FIRST_YEAR), ("last_year", LAST_YEAR))


def _abstract(row: AbstractRow) -> SourceAbstract:
    codes = (row.jel_codes or "").split(", ")
    return SourceAbstract(
        key=row.external_id,
        title=row.title,
        abstract=row.abstract,
        paper=row.id,
        year=row.year,
        journal=venue_name(row.venue),
        letters=tuple(sorted({code[0].upper() for code in codes if code[:1].upper() in JEL_TITLES})),
    )


def _drawn(papers: list[SourceAbstract], wanted: RunConfig) -> Iterator[SourceAbstract]:
    """So many of each year, then so many in all, drawn by seed and key; in the order of their keys."""
    seed, per_year = wanted.seed, wanted.options.get("most_per_year")
    by_key = {each.key: each for each in papers}
    taken: dict[int | None, int] = defaultdict(int)
    kept = []
    for key in shuffled(seed, "abstracts", by_key):
        year = by_key[key].year
        if per_year and taken[year] >= int(per_year):
            continue
        taken[year] += 1
        kept.append(key)
    for key in sorted(kept[: wanted.most_samples]):
        yield by_key[key]
