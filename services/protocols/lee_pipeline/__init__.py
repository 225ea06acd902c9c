"""Abstracts of corpora as a source of relations (Lee et al.), the user's JEL codes, and a run's output.

A value is a `SourceAbstract` as JSON; its hash covers all that questions depend on, and no id. Its key is the paper's
name in its corpus."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.people import Viewer
from core.runs.options import chosen_in
from core.runs.states import RunState
from core.seeded_random import shuffled
from core.triplets.corpus import FIRST_YEAR, LAST_YEAR, LeftOut
from core.triplets.jel import JEL_TITLES
from core.triplets.venues import JOURNALS, venue_name
from core.words import quoted
from exchange.jel_codes import read_codes
from protocols.lee_pipeline.abstracts import SourceAbstract
from protocols.lee_pipeline.tasks import ABSTRACTS, ANY_JOURNAL, CODES, CORPUS, JEL_CODES
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
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
"""Name of the file next to the abstracts with the user's JEL codes."""


@dataclass(frozen=True, slots=True)
class CorpusOption:
    """A corpus of abstracts in use."""

    id: str
    title: str
    papers: int
    taken: int  # papers that a run uses by default
    elsewhere: int  # papers not used because of their journal


def _options(r: ReadContext) -> tuple[CorpusOption, ...]:
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


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the chosen abstracts, each paper once (a `Source`). Raises Missing for an unknown corpus and if no
    abstract is left, Refused for an archived one."""
    chosen = _find_corpora(r.session, str(config.options.get(CORPUS.name) or ""))
    papers: dict[str, SourceAbstract] = {}
    left: Counter[LeftOut] = Counter()
    for key, _about in chosen:
        for row in stored.papers(r.session, key):
            why = _exclusion(row, config)
            if why is not None:
                left[why] += 1
                continue
            codes = (row.jel_codes or "").split(", ")
            abstract = SourceAbstract(
                key=row.external_id,
                title=row.title,
                abstract=row.abstract,
                paper=row.id,
                year=row.year,
                journal=venue_name(row.venue),
                letters=tuple(sorted({code[0].upper() for code in codes if code[:1].upper() in JEL_TITLES})),
            )
            papers.setdefault(abstract.key, abstract)
    if chosen and not papers:
        reasons = ", ".join(f"{many:,} {why.text}" for why, many in left.items())
        hint = f" Choose {ANY_JOURNAL} under journals for all of them." if left[LeftOut.OTHER_JOURNAL] else ""
        raise Missing(f"No abstract is left to extract from: {reasons or 'the corpora are empty'}.{hint}")
    abstracts = list(_draw_abstracts(list(papers.values()), config))
    values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in abstracts)
    return SourceRead(values, {about["title"]: key for key, about in chosen})


def _find_corpora(session: Session, typed: str) -> list[tuple[str, dict[str, str]]]:
    corpora_rows = stored.corpora(session)
    named = chosen_in(typed)
    for name in named:
        matches = [about for key, about, _ in corpora_rows if name in (key, about["title"])]
        if not matches:
            raise Missing(f"No corpus has the ID or the title {quoted(name)}.")
        if matches[0]["archived"]:
            title = quoted(matches[0]["title"])
            raise Refused(f"The corpus {title} is archived. Restore it under Import / export, Triplets.")
    chosen = [
        (key, about)
        for key, about, _ in corpora_rows
        if (key in named or about["title"] in named if named else not about["archived"])
    ]
    if not chosen:
        raise BadInput("No corpus of abstracts yet. Import abstracts under Import / export.")
    return chosen


def _exclusion(row: AbstractRow, config: RunConfig) -> LeftOut | None:
    journals = chosen_in(str(config.options.get("journals") or "")) or list(JOURNALS)
    journals = list(JOURNALS) if journals == ["all"] else journals
    first, last = (int(config.options.get(name) or usual) for name, usual in _YEARS)
    if not row.abstract.strip():
        return LeftOut.NO_ABSTRACT
    if ANY_JOURNAL not in journals and venue_name(row.venue) not in journals:
        return LeftOut.OTHER_JOURNAL
    asks_year = bool(config.options.get("first_year") or config.options.get("last_year"))
    if row.year is None:
        return None if ANY_JOURNAL in journals and not asks_year else LeftOut.OTHER_YEAR
    return None if first <= row.year <= last else LeftOut.OTHER_YEAR


_YEARS = (("first_year", FIRST_YEAR), ("last_year", LAST_YEAR))


def _draw_abstracts(papers: list[SourceAbstract], config: RunConfig) -> Iterator[SourceAbstract]:
    """Draw n abstracts of each year, then n in all, by seed and key; yield them in the order of their keys."""
    seed, per_year = config.seed, config.options.get("most_per_year")
    by_key = {each.key: each for each in papers}
    used: dict[int | None, int] = defaultdict(int)
    keys = []
    for key in shuffled(seed, "abstracts", by_key):
        year = by_key[key].year
        if per_year and used[year] >= int(per_year):
            continue
        used[year] += 1
        keys.append(key)
    for key in sorted(keys[: config.most_samples]):
        yield by_key[key]


def _read_codes(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the JEL codes; no value without codes (a `Source`). Raises BadInput with every faulty line."""
    typed = str(config.options.get(JEL_CODES.name) or "").strip()
    if not typed:
        return SourceRead(())
    codes = read_codes(typed.encode("utf-8", "surrogatepass"), "codes.csv")
    if not codes:
        raise BadInput("codes.csv has no codes.")
    rows = [{"code": each.name, "title": each.title} for each in codes]
    values = tuple(Value(key=each["code"], value=each, hash=content_hash(each)) for each in rows)
    return SourceRead(values, {"JEL codes": content_hash(rows)})


def import_files(viewer: Viewer, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Return the corpora of a folder, new ones imported, and its JEL codes (`BenchmarkServices`). Raises BadInput for a
    folder without abstracts, and for new ones in a dry run."""
    folder: Path | None = flags.given["input_dir"]
    if folder is None:
        return ImportedFiles(options=flags.options)
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in FORMS and each.name != CODES_FILE)
    if not files:
        raise BadInput(f"{folder} contains no file of abstracts ({', '.join(FORMS)}).")
    options = dict(flags.options)
    if (folder / CODES_FILE).is_file():
        options.setdefault(JEL_CODES.name, (folder / CODES_FILE).read_text(encoding="utf-8-sig"))
    keys = []
    for file in files:
        content = file.read_bytes()
        preview = corpora.preview_corpus(viewer, file.name, content)
        if preview.known:
            keys.append(corpora.corpus_id(content))
            continue
        if is_dry:
            raise BadInput(f"{file.name} is not in the study. A dry run imports nothing; import it first.")
        receipt = corpora.import_corpus(viewer, file.name, content, with_faulty=False, act_id=new_id())
        tell(f"Imported {file.name}: {preview.taken:,} of {preview.papers:,} papers taken by runs.")
        keys.append(receipt.subject_id)
    return ImportedFiles(options={**options, "corpus": ",".join(keys)})


def output_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Return relations, entities, codes, questions and tables of a finished run."""
    return question_files(viewer, run_id) if reading.progress(viewer, run_id).state is RunState.DONE else {}


SERVICES = BenchmarkServices(
    sources={
        ABSTRACTS: Source(words="abstracts", offered=_options, read=_read),
        CODES: Source(words="JEL codes", read=_read_codes),
    },
    import_files=import_files,
    output_files=output_files,
)
