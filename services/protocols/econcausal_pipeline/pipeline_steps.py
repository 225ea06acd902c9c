"""What the steps of another run wrote, from files: it stands for these steps. The files are of the moment; a run keeps
what they say of each paper, and the study keeps no file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import Missing
from core.words import quoted
from protocols.econcausal_pipeline.step_lines import StepLines, read_step_lines
from protocols.econcausal_pipeline.tasks import STEP_FILES
from protocols.making import Value
from protocols.samples import content_hash
from services.acting import Reading
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.files import sha256_of


@dataclass(frozen=True, slots=True)
class StepFileRead:
    """A file as it was read. `id`: the SHA-256 of its content."""

    id: str
    name: str
    lines: StepLines


def _read(r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
    """As `Source`: a value for each paper that a file names. Raises Missing for a file that is not given along."""
    files = read_files(wanted, trial)
    keys = papers_named(files)
    values = []
    for key in keys:
        said = {name: part for file in files for name, part in file.lines.papers.get(key, {}).items()}
        values.append(Value(key=key, value=said, hash=content_hash(said)))
    return SourceRead(tuple(values), {file.name: file.id for file in files})


def read_step_file(name: str, content: bytes) -> StepFileRead:
    """A file that somebody gives along. Raises BadRow as `read_step_lines`."""
    return StepFileRead(sha256_of(content), name, read_step_lines(name, content))


def read_files(wanted: RunConfig, trial: TrialFiles) -> list[StepFileRead]:
    """The files that a run takes in, in the order given. Raises as `PipelineSteps.read`."""
    found = []
    for part in str(wanted.options.get(STEP_FILES) or "").split(","):
        kind, _, key = part.strip().partition(":")
        if not kind:
            continue
        read = trial.get(key)
        if not isinstance(read, StepFileRead):
            raise Missing(
                f"The file {quoted(kind)} of an earlier run is not kept. Give it again: edgewise.py run --from FILE."
            )
        found.append(read)
    return found


def papers_named(files: Iterable[StepFileRead]) -> list[str]:
    """Keys of all papers that the files name, in order."""
    return sorted({key for file in files for key in file.lines.papers})


SOURCE = Source(words="files of steps", read=_read)
