"""Papers with a file that has text, page by page: triplets are extracted from them.

A value is a `SourcePaper` as JSON; its hash covers file and text, and no id. Its key is the stem of its file's name.
Pages are read before a run begins (`make_ready`), since no dry run waits for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from random import Random

from sqlmodel import Session, col, select

from core.errors import BadInput, Missing, UnreadableDocument
from core.messages import PDF
from core.people import May, Viewer
from core.words import counted, quoted
from documents.reader import PRODUCER, PRODUCER_VERSION
from protocols.econcausal_pipeline.papers import SourcePaper, text_of
from protocols.econcausal_pipeline.tasks import PAPERS, chosen
from protocols.econcausal_pipeline.tasks import PDF as AS_PDF
from protocols.making import Value
from protocols.samples import content_hash
from services.acting import Reading, consulting
from services.papers import figures
from services.papers.figures import facts_from_json
from services.protocols.econcausal_pipeline.pipeline_steps import papers_named, read_files
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store import documents as derived
from store.files import sha256_of
from store.papers import papers
from store.runs import groups
from store.tables import FileRow, PaperRow

NO_FILE, NO_TEXT, PICTURE = "no file", "no text layer", "picture"
LONGEST_KEY = 80
READ_AT_ONCE = 300
"""Pages that a dry run reads: some ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPaper:
    """A paper in use. `key`: what a run calls it; `why_not`: why a run cannot take its text, empty if it can; `unread`:
    pages that nobody has read; `is_included`: by its screening; `was_asked`: a run has taken it."""

    id: str
    key: str
    title: str
    pages: int
    why_not: str = ""
    unread: int = 0
    is_included: bool = False
    was_asked: bool = False


def _offered(r: Reading) -> tuple[TextPaper, ...]:
    """Every paper in use, those that can be taken first, each with its key."""
    there = _there(r.session)
    return tuple(sorted((offer for _, _, offer in there), key=lambda each: bool(each.why_not)))


def _ready(viewer: Viewer, wanted: RunConfig) -> None:
    """Read at most `READ_AT_ONCE` pages that nobody has read; one that cannot be is named by `read`."""
    make_ready(viewer, str(wanted.options.get(PAPERS) or ""), lambda done, _of: done < READ_AT_ONCE)


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`: every wanted paper; with files of steps, those that they name. Raises Missing for one that there
    is not, BadInput for one that cannot be read, and for pages that nobody has read yet."""
    is_pdf = chosen(dict(wanted.options), "paper_as") == AS_PDF
    there = _chosen(r.session, str(wanted.options.get(PAPERS) or ""), is_pdf=is_pdf)
    files = read_files(wanted, trial)
    keys = papers_named(files)
    found = [each for each in there if each[2].key in keys] if files else _drawn(there, wanted)
    unread = [offer for _, _, offer in found if offer.unread]
    if unread:
        named = ", ".join(quoted(each.key) for each in unread[:3]) + (" and others" if len(unread) > 3 else "")
        raise BadInput(
            f"The pages of {counted(len(unread), 'paper')} have not been read yet: {named}. Start the dry run "
            f"again: each reads {READ_AT_ONCE} pages. edgewise.py run reads all of them."
        )
    read = [_paper(r.session, paper, file, offer) for paper, file, offer in found]
    read += _absent(set(keys).difference(each.key for each in read))
    values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in read)
    return SourceRead(values, {each.key: value.hash for each, value in zip(read, values, strict=True)})


def _absent(keys: Collection[str]) -> list[SourcePaper]:
    """Papers that files of steps name and that are not there: whatever asks about one is blocked."""
    return [
        SourcePaper(
            key=key,
            title=key,
            paper="",
            file="",
            pages=(),
            page_count=0,
            trouble=f"No PDF with text is called {quoted(key)}. Add the file, or give its folder with --input-dir.",
        )
        for key in sorted(keys)
    ]


def _wanted_ids(session: Session, typed: str, *, is_pdf: bool) -> list[str]:
    """Ids of the papers that were typed, or of all that can be taken. Raises as `PipelinePapers.read`."""
    return [paper.id for paper, _, _ in _chosen(session, typed, is_pdf=is_pdf)]


def _there(session: Session) -> list[tuple[PaperRow, FileRow | None, TextPaper]]:
    query = (
        select(PaperRow, FileRow)
        .outerjoin(FileRow, col(FileRow.sha256) == col(PaperRow.file_sha256))
        .where(col(PaperRow.archived_at).is_(None), PaperRow.screening != "excluded")
        .order_by(col(PaperRow.id))
    )
    rows = [(paper, file) for paper, file in session.exec(query)]
    keys = _keys(rows)
    read = _read_pages(session, [file for _, file in rows if file is not None])
    asked = groups.keys_of_step(session, PAPERS)
    return [
        (
            paper,
            file,
            TextPaper(
                id=paper.id,
                key=keys[paper.id],
                title=paper.title,
                pages=file.page_count if file else 0,
                why_not=_why_not(file),
                unread=0 if file is None or _why_not(file) else file.page_count - read[file.sha256],
                is_included=paper.screening == "included",
                was_asked=keys[paper.id] in asked,
            ),
        )
        for paper, file in rows
    ]


def _why_not(file: FileRow | None) -> str:
    if file is None:
        return NO_FILE
    if file.media_type != PDF:
        return PICTURE
    return "" if file.has_text else NO_TEXT


def _read_pages(session: Session, files: Sequence[FileRow]) -> Counter[str]:
    """File → how many of its pages have their words; only places are read, no contents."""
    parts = derived.parts_of_sources(session, [file.sha256 for file in files], PRODUCER, str(PRODUCER_VERSION))
    return Counter(sha256 for sha256, part in parts if part.startswith("page ") and part[5:].isdigit())


def _chosen(session: Session, typed: str, *, is_pdf: bool) -> list[tuple[PaperRow, FileRow, TextPaper]]:
    there = _there(session)
    names = list(dict.fromkeys(each.strip() for each in typed.split(",") if each.strip()))
    for name in names:
        if not any(name in (offer.id, offer.key) for _, _, offer in there):
            raise Missing(f"No paper in use has the ID or the file name {quoted(name)}.")
    found = list[tuple[PaperRow, FileRow, TextPaper]]()
    for paper, file, offer in there:
        if names and offer.id not in names and offer.key not in names:
            continue
        if offer.why_not and not names:
            continue
        if file is None or (offer.why_not and not (is_pdf and offer.why_not == NO_TEXT)):
            raise BadInput(_refusal(paper, offer.why_not))
        found.append((paper, file, offer))
    return found


def _refusal(paper: PaperRow, why: str) -> str:
    title = quoted(_short(paper.title) or paper.id)
    if why == NO_FILE:
        return f"Paper {title} has no file. Add its PDF first."
    if why == PICTURE:
        return f"Paper {title} is a picture; triplets are extracted from PDFs."
    return f"Paper {title} has no text layer; run it through OCR, or choose cards that take PDFs."


def _drawn(
    found: list[tuple[PaperRow, FileRow, TextPaper]], wanted: RunConfig
) -> list[tuple[PaperRow, FileRow, TextPaper]]:
    """All, or so many at random; the same for the same seed."""
    if wanted.most_samples is None or wanted.most_samples >= len(found):
        return found
    places = Random(wanted.seed).sample(range(len(found)), wanted.most_samples)  # noqa: S311 - no secret
    return [found[place] for place in sorted(places)]


def _keys(rows: Sequence[tuple[PaperRow, FileRow | None]]) -> Mapping[str, str]:
    """Paper → the stem of its file's name, else its title; told apart by the end of its id."""
    names = {paper.id: _short(_stem(file) or paper.title) or paper.id[-8:] for paper, file in rows}
    often = Counter(names.values())
    return {key: f"{name} {key[-6:]}" if often[name] > 1 else name for key, name in names.items()}


def _stem(file: FileRow | None) -> str:
    return "" if file is None else PurePath(file.original_name).stem


def _short(title: str) -> str:
    flat = " ".join(title.replace(",", " ").split())
    return flat if len(flat) <= LONGEST_KEY else f"{flat[: LONGEST_KEY - 1].rstrip()}…"


def _paper(session: Session, paper: PaperRow, file: FileRow, offer: TextPaper) -> SourcePaper:
    pages = tuple(_text(session, file, number) for number in range(1, file.page_count + 1)) if file.has_text else ()
    return SourcePaper(
        key=offer.key,
        title=paper.title,
        paper=paper.id,
        file=file.sha256,
        pages=pages,
        page_count=file.page_count,
    )


def _text(session: Session, file: FileRow, number: int) -> str:
    kept = derived.derived(session, file.sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}")
    return "" if kept is None else text_of(facts_from_json(kept))


def _unread_pages(session: Session, paper_ids: Collection[str]) -> list[tuple[str, int]]:
    """(paper, page) of each page that nobody has read, of papers that have text."""
    found = list[tuple[str, int]]()
    for paper, file, offer in _there(session):
        if paper.id in paper_ids and file is not None and offer.unread:
            parts = {
                part for _, part in derived.parts_of_sources(session, [file.sha256], PRODUCER, str(PRODUCER_VERSION))
            }
            found += [(paper.id, number) for number in range(1, file.page_count + 1) if f"page {number}" not in parts]
    return found


Progress = Callable[[int, int], bool]
"""Called with the pages read and all that are to be; False stops."""


@dataclass(frozen=True, slots=True)
class ReadyPapers:
    """`read`: pages that were read now; `unreadable`: a sentence for each page that cannot be; `is_stopped`."""

    read: int
    unreadable: tuple[str, ...] = ()
    is_stopped: bool = False


def papers_with_files(viewer: Viewer, contents: Sequence[bytes]) -> tuple[str | None, ...]:
    """The paper that each file is, None for one that the study does not have."""
    with consulting(viewer, May.READ_STUDY) as r:
        found = [papers.paper_with_file(r.session, sha256_of(each)) for each in contents]
        return tuple(None if each is None else each.id for each in found)


def make_ready(viewer: Viewer, papers: str = "", progress: Progress | None = None) -> ReadyPapers:
    """Read every page of these papers (ids or file names with commas; "" for all) that nobody has read; what was read
    stays when it is stopped. A page that cannot be read is told, and has no words. Raises Missing for a paper that
    there is not, BadInput for one without text."""
    with consulting(viewer, May.RUN) as r:
        ids = _wanted_ids(r.session, papers, is_pdf=True)
        unread = _unread_pages(r.session, ids)
    done, faults = 0, list[str]()
    for paper_id, number in unread:
        if progress is not None and not progress(done, len(unread)):
            return ReadyPapers(done, tuple(faults), is_stopped=True)
        try:
            figures.page(viewer, paper_id, number)
        except UnreadableDocument as error:
            faults.append(f"page {number}: {error}")
        done += 1
    return ReadyPapers(done, tuple(faults))


SOURCE = Source(words="papers", offered=_offered, make_ready=_ready, read=_read)
