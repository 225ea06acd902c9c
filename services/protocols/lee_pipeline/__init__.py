"""Abstracts of corpora, from which relations are extracted (Lee et al.), the user's JEL codes, and what a run gives.

A value is a `SourceAbstract` as JSON; its hash covers all that questions depend on, and no id. Its key is the paper's
name in its corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session

from core.draws import shuffled
from core.errors import BadInput, Missing, Refused
from core.people import Viewer
from core.runs.options import chosen_in
from core.runs.states import RunState
from core.triplets.corpus import FIRST_YEAR, LAST_YEAR, LeftOut
from core.triplets.jel import JEL_TITLES
from core.triplets.venues import JOURNALS, venue_name
from core.words import quoted
from exchange.jel_codes import read_codes
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.tasks import ABSTRACTS, ANY_JOURNAL, CODES, CORPUS, JEL_CODES
from protocols.making import Value
from protocols.samples import content_hash
from services.acting import Reading
from services.extraction.question_files import question_files
from services.runs import reading
from services.runs.benchmarks import BenchmarkServices, ImportedFiles, RunFlags, Source, SourceRead, Tell
from services.runs.settings import RunConfig
from services.triplets import corpora
from services.triplets.trial_files import TrialFiles
from store.tables import new_id
from store.triplets import corpora as stored
from store.triplets.corpora import AbstractRow

FORMS = (".csv", ".json", ".jsonl", ".ris", ".bib")
CODES_FILE = "jel_codes.csv"
"""Beside the abstracts: the user's JEL codes."""


@dataclass(frozen=True, slots=True)
class CorpusOption:
    """A corpus of abstracts in use. `taken`: papers of it that a run takes unless it wants others; `elsewhere`: those
    that it does not take because of their journal."""

    id: str
    title: str
    papers: int
    taken: int
    elsewhere: int


def _offered(r: Reading) -> tuple[CorpusOption, ...]:
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


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
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


def _read_codes(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`: nothing without codes. Raises BadInput with every faulty line."""
    typed = str(wanted.options.get(JEL_CODES.name) or "").strip()
    if not typed:
        return SourceRead(())
    codes = read_codes(typed.encode("utf-8", "surrogatepass"), "codes.csv")
    if not codes:
        raise BadInput("codes.csv has no codes.")
    rows = [{"code": each.name, "title": each.title} for each in codes]
    values = tuple(Value(key=each["code"], value=each, hash=content_hash(each)) for each in rows)
    return SourceRead(values, {"JEL codes": content_hash(rows)})


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """As `BenchmarkServices`: the corpora of a folder, new ones imported, and its JEL codes. Raises BadInput for a
    folder without abstracts, and for new ones in a dry run."""
    folder: Path | None = flags.given["input_dir"]
    if folder is None:
        return ImportedFiles(options=flags.options)
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in FORMS and each.name != CODES_FILE)
    if not files:
        raise BadInput(f"{folder} contains no file of abstracts ({', '.join(FORMS)}).")
    found = dict(flags.options)
    if (folder / CODES_FILE).is_file():
        found.setdefault(JEL_CODES.name, (folder / CODES_FILE).read_text(encoding="utf-8-sig"))
    keys = []
    for file in files:
        content = file.read_bytes()
        look = corpora.preview_corpus(viewer, file.name, content)
        if look.known:
            keys.append(corpora.corpus_id(content))
            continue
        if is_dry:
            raise BadInput(f"{file.name} is not in the study. A dry run imports nothing; import it first.")
        receipt = corpora.import_corpus(viewer, file.name, content, with_faulty=False, act_id=new_id())
        tell(f"Imported {file.name}: {look.taken:,} of {look.papers:,} papers taken by runs.")
        keys.append(receipt.subject_id)
    return ImportedFiles(options={**found, "corpus": ",".join(keys)})


def output_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Relations, entities, codes, questions and tables of a run that is done."""
    return question_files(viewer, run_id) if reading.progress(viewer, run_id).state is RunState.DONE else {}


SERVICES = BenchmarkServices(
    sources={
        ABSTRACTS: Source(words="abstracts", offered=_offered, read=_read),
        CODES: Source(words="JEL codes", read=_read_codes),
    },
    import_files=import_files,
    output_files=output_files,
)
