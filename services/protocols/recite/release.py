"""A release of the study as a source: one sample per figure, with its graph and frozen text."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import BadInput
from core.papers.releases import hash_of
from core.words import counted
from protocols.recite.samples import SourceSample
from protocols.recite.tasks import OF_RELEASE, READY
from protocols.step_values import Value
from services.acting import ReadContext
from services.protocols.recite.study_texts import StudyTexts, offered_texts, sample_of
from services.protocols.recite.table import TableOption, offered_tables
from services.releases.texts import private_sentences
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store import releases as stored


@dataclass(frozen=True, slots=True)
class ReleaseOption:
    """A release, as a source."""

    number: int
    title: str
    figures: int
    texts: int  # figures with a text


def _options(r: ReadContext) -> tuple[ReleaseOption | StudyTexts | TableOption, ...]:
    """Return every release, newest first, then the texts of the study and the tables of samples."""
    figures = stored.count_items(r.session)
    releases = (
        ReleaseOption(row.number, row.title, figures.get(row.id, 0), row.manifest.get("counts", {}).get("texts", 0))
        for row in stored.releases(r.session)
    )
    return (*releases, offered_texts(r), *offered_tables(r))


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Read every figure of the chosen release, by title; nothing without a choice (a `Source`). Raises Missing without
    such a release, BadInput if none of its figures has a text."""
    number = config.options.get(OF_RELEASE.name)
    if not number:
        return SourceRead(())
    row = stored.release(r.session, int(number))
    contents = stored.contents(r.session, row.id)
    ordered = sorted(contents.items(), key=lambda each: (each[1]["paper"]["title"].casefold(), each[0]))
    if not any(content.get("text") for _figure, content in ordered):
        private = private_sentences(row.number, (content for _figure, content in ordered))
        usable = f"{' '.join(private)} Choose the ready texts of this study (--texts {READY})." if private else ""
        raise BadInput(
            usable
            or f"Release {row.number} holds no text of its {counted(len(ordered), 'figure')}. Make texts ready, then "
            "freeze another release."
        )
    values = tuple(
        Value(key=figure, value=sample_of(figure, content, f"release {row.number}"), hash=hash_of(content))
        for figure, content in ordered
    )
    return SourceRead(values, {f"release {row.number}": row.sha256}, SourceSample.as_json)


SOURCE = Source(words="releases", offered=_options, read=_read)
