"""Services of a benchmark in a study: the `SERVICES` of a package in `services/protocols/`.

The package has the name of the protocol's package in `protocols/`; a new benchmark edits no other file. Packages are
imported at their first use, since each loads what it reads from the study."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from core.errors import BadInput
from core.people import Permission, Viewer
from core.words import quoted
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol, package_of
from protocols.step_values import Value
from services.acting import ReadContext, consulting
from services.runs.settings import RunConfig, SampleSource
from services.triplets.trial_files import TrialFiles

if TYPE_CHECKING:
    import pandas as pd
    from sqlmodel import Session

    from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that messages refer to, made from something in the study."""

    sha256: str
    media_type: str
    name: str  # for people
    path: Path  # until a run stores it


@dataclass(frozen=True, slots=True)
class SourceRead:
    """Result of reading a source."""

    values: tuple[Value, ...]  # in order, as input of the protocol
    hashes: Mapping[str, str] = field(default_factory=dict)  # origin, by title, for the run's manifest
    as_json: Callable[[Any], Any] | None = None  # form stored by a run of several steps; None if values are JSON
    files: tuple[SourceFile, ...] = ()  # stored when such a run starts

    @property
    def given(self) -> tuple[Value, ...]:
        """The values as a run of several steps stores them, and passes them to its protocol."""
        if self.as_json is None:
            return self.values
        return tuple(replace(each, value=self.as_json(each.value)) for each in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A kind of input from which a benchmark makes samples.

    Attributes:
        words: its name within a sentence
        read: returns the inputs of a run, with files of a dry run. Raises BadInput or Missing
        offered: returns what the study has of it, for its form in `pages/protocols/`
        tasks: returns the tasks that fit the choice; None means all tasks of the protocol
        fault: returns what is missing in a config; empty if nothing
        make_ready: computes what `read` needs, outside any transaction, within the time of a click
        permission: key of the setting in which an owner names the models that may receive it
            (`store/runs/permissions.py`); empty if every model may"""

    words: str
    read: Callable[[ReadContext, RunConfig, TrialFiles], SourceRead]
    offered: Callable[[ReadContext], object] | None = None
    tasks: Callable[[ReadContext, RunConfig, TrialFiles], Collection[str]] | None = None
    fault: Callable[[RunConfig], str] | None = None
    make_ready: Callable[[Viewer, RunConfig], None] | None = None
    permission: str = ""


Member = tuple[str, Iterable[bytes]]
"""Path of a file in a run's ZIP, and its bytes in pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags:
    """Flags of the command `run`.

    Attributes:
        given: flags of the benchmark by name; for "files" the name and content of each
        options: options of the run, from flags and `--option`"""

    given: Mapping[str, Any]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFiles:
    """Input of a run from flags: options, collections of triplets, and files that only a dry run reads."""

    options: Mapping[str, Any]
    source: SampleSource = field(default_factory=SampleSource)
    trial: TrialFiles = field(default_factory=dict)


class Tell(Protocol):
    """Show a line to the user. A line that `is_passing` replaces the previous one; "" ends such lines."""

    def __call__(self, words: str, *, is_passing: bool = False) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTarget:
    """Destination of an export.

    Attributes:
        path: the named file or folder; None for the default of the form
        open: opens a file that appears only when it is complete
        split: share of the first of two files
        seed: of the random split"""

    path: Path | None
    open: Callable[[Path], AbstractContextManager[BinaryIO]]
    split: float = 1.0
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsFile:
    """A file of finished runs."""

    name: str
    content: bytes
    table: str  # ID of the table of its samples, if one was named
    licence: str
    with_faulty: bool
    is_dry: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an export or import."""

    data: Mapping[str, Any]  # for JSON
    words: str
    is_done: bool = True  # False if nothing was written or imported


ExportForm = Callable[[Viewer, Sequence[str], ExportTarget], Outcome]
"""Exports runs (numbers or IDs; without any, all that fit) in one form. Raises BadInput, Missing or Refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkServices:
    """Functions of a benchmark, each optional.

    Attributes:
        sources: by the names that the protocol uses
        import_files: imports what flags of `run` name and the study lacks, unless the run is dry. Raises BadInput or
            Missing
        output_files: files of a run, name → content, outside its ZIP
        finish: actions that flags of `run` request after a run, with their JSON
        zip_members: further files of a run's ZIP, by the name of the file that they follow; each is read to its end
            before the next is requested
        export_forms: forms of `runs export`, by name
        import_runs: imports finished runs from a file; None for a file of another benchmark
        judged_rows: the rows of a run of judges in the frame of results, from those of a judged run by its ID
        judged_runs: IDs of the runs that a run judges
        sends_papers: True if its requests have texts of papers of the study, which a licence may keep in it"""

    sources: Mapping[str, Source] = field(default_factory=dict)
    import_files: Callable[[Viewer, RunFlags, bool, Tell], ImportedFiles] | None = None
    output_files: Callable[[Viewer, str], Mapping[str, bytes]] | None = None
    finish: Callable[[Viewer, RunFlags, str], Mapping[str, Any]] | None = None
    zip_members: Mapping[str, Callable[[ReadContext, RunRow], Iterator[Member]]] = field(default_factory=dict)
    export_forms: Mapping[str, ExportForm] = field(default_factory=dict)
    import_runs: Callable[[Viewer, RunsFile], Outcome | None] | None = None
    judged_rows: Callable[[Session, RunRow, Callable[[str], pd.DataFrame]], pd.DataFrame] | None = None
    judged_runs: Callable[[RunRow], Collection[str]] | None = None
    sends_papers: bool = False


def refuse_strangers(layer: str, path: Iterable[str]) -> None:
    """Raise ValueError for a package of a layer whose name is not that of a benchmark."""
    known = {package_of(each) for each in PROTOCOLS.values()}
    for module in pkgutil.iter_modules(path):
        if module.name not in known:
            where = f"protocols.{module.name}.benchmark"
            raise ValueError(f"{layer}.{module.name} is of no benchmark: there is no PROTOCOL in {where}")


def find_package(layer: str, protocol: str) -> ModuleType | None:
    """Return the package of a benchmark in a layer such as "services.protocols"; None if it has none, and for a
    protocol that this version of Edgewise does not know."""
    name = f"{layer}.{package_of(PROTOCOLS[protocol])}" if protocol in PROTOCOLS else ""
    return import_module(name) if name and find_spec(name) else None


LOADED: dict[str, BenchmarkServices] = {}
"""Services by name of the protocol."""


def get_services(protocol: str) -> BenchmarkServices:
    """Return the services of a benchmark, imported at their first use; empty ones without such a package."""
    if protocol not in LOADED and (package := find_package("services.protocols", protocol)):
        LOADED[protocol] = package.SERVICES
    return LOADED.get(protocol) or BenchmarkServices()


def import_files(viewer: Viewer, protocol: str, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Import the files that flags of `run` name. Raises like `BenchmarkServices`."""
    _require(viewer, Permission.RUN)
    own = get_services(protocol).import_files
    return own(viewer, flags, is_dry, tell) if own else ImportedFiles(options=flags.options)


def output_files(viewer: Viewer, protocol: str, run_id: str) -> Mapping[str, bytes]:
    """Return the files that the benchmark writes in addition to the ZIP, name → content."""
    _require(viewer, Permission.EXPORT)
    own = get_services(protocol).output_files
    return own(viewer, run_id) if own else {}


def finish(viewer: Viewer, protocol: str, flags: RunFlags, run_id: str) -> Mapping[str, Any]:
    """Do what flags of `run` request after a run; return its JSON."""
    _require(viewer, Permission.RUN)
    own = get_services(protocol).finish
    return own(viewer, flags, run_id) if own else {}


def export_in_form(viewer: Viewer, form: str, runs: Sequence[str], target: ExportTarget) -> Outcome:
    """Export runs in a form of any benchmark. Raises BadInput for an unknown form, and like `ExportForm`."""
    _require(viewer, Permission.EXPORT)
    forms = {name: own for each in PROTOCOLS for name, own in get_services(each).export_forms.items()}
    if form not in forms:
        raise BadInput(f"Unknown form {quoted(form)}; choose from {', '.join(['zip', *forms])}.")
    return forms[form](viewer, runs, target)


def import_runs(viewer: Viewer, file: RunsFile) -> Outcome:
    """Import a file by the first benchmark that reads it. Raises BadInput if none does."""
    _require(viewer, Permission.CURATE)
    for protocol in PROTOCOLS:
        own = get_services(protocol).import_runs
        if own is not None and (outcome := own(viewer, file)) is not None:
            return outcome
    raise BadInput(f"{file.name} holds no finished runs of a benchmark; expected responses or evaluations (Parquet).")


def _require(viewer: Viewer, act: Permission) -> None:
    """Raise Refused unless the viewer has the permission; benchmarks are only called after this check."""
    with consulting(viewer, act):
        pass


def get_sources(protocol: BenchmarkProtocol) -> dict[str, Source]:
    sources = get_services(protocol.name).sources
    return {name: sources[name] for name in protocol.sources}
