"""Papers with a text layer, page by page, as a source of triplets.

A value is a `SourcePaper` as JSON; its hash covers file and text, and no id. Its key is the stem of its file's name.
Pages are read before a run starts (`make_ready`), since a dry run does not wait for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sqlmodel import Session, col, select

from core.errors import BadInput, Missing, UnreadableDocument
from core.messages import PDF
from core.people import Permission, Viewer
from core.seeded_random import sample
from core.words import counted, quoted
from documents.reader import PRODUCER, PRODUCER_VERSION
from protocols.econcausal_pipeline.papers import SourcePaper, text_of
from protocols.econcausal_pipeline.tasks import PAPERS, chosen
from protocols.econcausal_pipeline.tasks import PDF as AS_PDF
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext, consulting
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
"""Pages that a dry run reads, in about ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPaper:
    """A paper in use."""

    id: str
    key: str  # name within a run
    title: str
    pages: int
    obstacle: str = ""  # why a run cannot use its text; empty if it can
    unread: int = 0  # pages not read yet
    is_included: bool = False  # by its screening
    was_asked: bool = False  # a run has used it


def _options(r: ReadContext) -> tuple[TextPaper, ...]:
    """Return every paper in use, usable ones first."""
    papers_in_use = _papers_in_use(r.session)
    return tuple(sorted((offer for _, _, offer in papers_in_use), key=lambda each: bool(each.obstacle)))


def _read_some_pages(viewer: Viewer, config: RunConfig) -> None:
    """Read at most `READ_AT_ONCE` unread pages. `read` names a page that cannot be read."""
    make_ready(viewer, str(config.options.get(PAPERS) or ""), lambda done, _of: done < READ_AT_ONCE)


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read the chosen papers, or those that files of steps name (a `Source`). Raises Missing for an unknown paper,
    BadInput for one that cannot be used and for pages not read yet."""
    is_pdf = chosen(dict(config.options), "paper_as") == AS_PDF
    rows = _find_papers(r.session, str(config.options.get(PAPERS) or ""), is_pdf=is_pdf)
    files = read_files(config, trial)
    keys = papers_named(files)
    selected = (
        [each for each in rows if each[2].key in keys] if files else sample(config.seed, rows, config.most_samples)
    )
    unread = [offer for _, _, offer in selected if offer.unread]
    if unread:
        named = ", ".join(quoted(each.key) for each in unread[:3]) + (" and others" if len(unread) > 3 else "")
        raise BadInput(
            f"The pages of {counted(len(unread), 'paper')} have not been read yet: {named}. Start the dry run "
            f"again: each reads {READ_AT_ONCE} pages. edgewise.py run reads all of them."
        )
    read = [_paper(r.session, paper, file, offer) for paper, file, offer in selected]
    # Papers that files of steps name and the study lacks are blocked placeholders.
    read += [
        SourcePaper(
            key=key,
            title=key,
            paper="",
            file="",
            pages=(),
            page_count=0,
            trouble=f"No PDF with text is called {quoted(key)}. Add the file, or give its folder with --input-dir.",
        )
        for key in sorted(set(keys).difference(each.key for each in read))
    ]
    values = tuple(Value(key=each.key, value=each.as_json(), hash=content_hash(each.content)) for each in read)
    return SourceRead(values, {each.key: value.hash for each, value in zip(read, values, strict=True)})


def _papers_in_use(session: Session) -> list[tuple[PaperRow, FileRow | None, TextPaper]]:
    query = (
        select(PaperRow, FileRow)
        .outerjoin(FileRow, col(FileRow.sha256) == col(PaperRow.file_sha256))
        .where(col(PaperRow.archived_at).is_(None), PaperRow.screening != "excluded")
        .order_by(col(PaperRow.id))
    )
    rows = [(paper, file) for paper, file in session.exec(query)]
    keys = _keys(rows)
    hashes = [file.sha256 for _, file in rows if file is not None]
    parts = derived.parts_of_sources(session, hashes, PRODUCER, str(PRODUCER_VERSION))
    read = Counter(sha256 for sha256, part in parts if part.startswith("page ") and part[5:].isdigit())
    asked_keys = groups.keys_of_step(session, PAPERS)
    return [
        (
            paper,
            file,
            TextPaper(
                id=paper.id,
                key=keys[paper.id],
                title=paper.title,
                pages=file.page_count if file else 0,
                obstacle=_obstacle(file),
                unread=0 if file is None or _obstacle(file) else file.page_count - read[file.sha256],
                is_included=paper.screening == "included",
                was_asked=keys[paper.id] in asked_keys,
            ),
        )
        for paper, file in rows
    ]


def _obstacle(file: FileRow | None) -> str:
    if file is None:
        return NO_FILE
    if file.media_type != PDF:
        return PICTURE
    return "" if file.has_text else NO_TEXT


def _find_papers(session: Session, typed: str, *, is_pdf: bool) -> list[tuple[PaperRow, FileRow, TextPaper]]:
    rows = _papers_in_use(session)
    names = list(dict.fromkeys(each.strip() for each in typed.split(",") if each.strip()))
    for name in names:
        if not any(name in (offer.id, offer.key) for _, _, offer in rows):
            raise Missing(f"No paper in use has the ID or the file name {quoted(name)}.")
    selected = list[tuple[PaperRow, FileRow, TextPaper]]()
    for paper, file, offer in rows:
        if names and offer.id not in names and offer.key not in names:
            continue
        if offer.obstacle and not names:
            continue
        if file is None or (offer.obstacle and not (is_pdf and offer.obstacle == NO_TEXT)):
            raise BadInput(_refusal(paper, offer.obstacle))
        selected.append((paper, file, offer))
    return selected


def _refusal(paper: PaperRow, why: str) -> str:
    title = quoted(_short(paper.title) or paper.id)
    if why == NO_FILE:
        return f"Paper {title} has no file. Add its PDF first."
    if why == PICTURE:
        return f"Paper {title} is a picture; triplets are extracted from PDFs."
    return f"Paper {title} has no text layer; run it through OCR, or choose cards that take PDFs."


def _keys(rows: Sequence[tuple[PaperRow, FileRow | None]]) -> Mapping[str, str]:
    """Return paper → the stem of its file's name, else its title; equal ones end with a part of the id."""
    stems = {paper.id: "" if file is None else PurePath(file.original_name).stem for paper, file in rows}
    names = {paper.id: _short(stems[paper.id] or paper.title) or paper.id[-8:] for paper, _ in rows}
    often = Counter(names.values())
    return {key: f"{name} {key[-6:]}" if often[name] > 1 else name for key, name in names.items()}


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
    stored = derived.derived(session, file.sha256, PRODUCER, str(PRODUCER_VERSION), f"page {number}")
    return "" if stored is None else text_of(facts_from_json(stored))


Progress = Callable[[int, int], bool]
"""Called with the pages read and the total; False stops."""


@dataclass(frozen=True, slots=True)
class ReadyPapers:
    """Result of reading pages."""

    read: int  # pages read now
    unreadable: tuple[str, ...] = ()  # a sentence for each unreadable page
    is_stopped: bool = False


def papers_with_files(viewer: Viewer, contents: Sequence[bytes]) -> tuple[str | None, ...]:
    """Return the paper of each file; None for a file that the study does not have."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        rows = [papers.paper_with_file(r.session, sha256_of(each)) for each in contents]
        return tuple(None if each is None else each.id for each in rows)


def make_ready(viewer: Viewer, papers: str = "", progress: Progress | None = None) -> ReadyPapers:
    """Read every unread page of these papers (ids or file names with commas; "" for all). Pages already read are stored
    if it is stopped. An unreadable page is reported, and has no words. Raises Missing for an unknown paper, BadInput
    for one without text."""
    with consulting(viewer, Permission.RUN) as r:
        ids = [paper.id for paper, _, _ in _find_papers(r.session, papers, is_pdf=True)]
        unread = list[tuple[str, int]]()
        for paper, file, offer in _papers_in_use(r.session):
            if paper.id in ids and file is not None and offer.unread:
                parts = {
                    part
                    for _, part in derived.parts_of_sources(r.session, [file.sha256], PRODUCER, str(PRODUCER_VERSION))
                }
                pages = range(1, file.page_count + 1)
                unread += [(paper.id, number) for number in pages if f"page {number}" not in parts]
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


SOURCE = Source(words="papers", offered=_options, make_ready=_read_some_pages, read=_read)
