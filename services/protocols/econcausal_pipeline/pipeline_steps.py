"""Outputs of another run's steps, from files, in place of these steps.

The study stores no such file; a run stores what they say of each paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import Missing
from core.words import quoted
from protocols.econcausal_pipeline.step_lines import StepLines, read_step_lines
from protocols.econcausal_pipeline.tasks import STEP_FILES
from protocols.samples import content_hash
from protocols.step_values import Value
from services.acting import ReadContext
from services.runs.benchmarks import Source, SourceRead
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles
from store.files import sha256_of


@dataclass(frozen=True, slots=True)
class StepFileRead:
    """A step file as it was read."""

    id: str  # SHA-256 of its content
    name: str
    lines: StepLines


def _read(r: ReadContext, config: RunConfig, trial: TrialFiles) -> SourceRead:
    """Return a value for each paper that a file names (a `Source`). Raises Missing for a file that was not supplied."""
    files = read_files(config, trial)
    keys = papers_named(files)
    values = []
    for key in keys:
        outputs = {name: part for file in files for name, part in file.lines.papers.get(key, {}).items()}
        values.append(Value(key=key, value=outputs, hash=content_hash(outputs)))
    return SourceRead(tuple(values), {file.name: file.id for file in files})


def read_step_file(name: str, content: bytes) -> StepFileRead:
    """Read a supplied file. Raises BadRow like `read_step_lines`."""
    return StepFileRead(sha256_of(content), name, read_step_lines(name, content))


def read_files(config: RunConfig, trial: TrialFiles) -> list[StepFileRead]:
    """Return the files of a config, in their order. Raises Missing for a file that was not supplied."""
    step_files = []
    for part in str(config.options.get(STEP_FILES) or "").split(","):
        kind, _, key = part.strip().partition(":")
        if not kind:
            continue
        read = trial.get(key)
        if not isinstance(read, StepFileRead):
            raise Missing(
                f"The file {quoted(kind)} of an earlier run is not kept. Give it again: edgewise.py run --from FILE."
            )
        step_files.append(read)
    return step_files


def papers_named(files: Iterable[StepFileRead]) -> list[str]:
    return sorted({key for file in files for key in file.lines.papers})


SOURCE = Source(words="files of steps", read=_read)
