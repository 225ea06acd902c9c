"""What a benchmark does in a study, beside its protocol: a package in `services/protocols/` under the name of that in
`protocols/`, with a `SERVICES`. A new benchmark edits no other file.

Packages are imported when they are first needed, since each loads what it reads from the study.
"""

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
from core.people import May, Viewer
from core.words import quoted
from protocols import PROTOCOLS
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, package_of
from services.acting import Reading, consulting
from services.runs.settings import RunConfig, SampleSource
from services.triplets.trial_files import TrialFiles

if TYPE_CHECKING:
    from sqlmodel import Session

    from core.results.items import ResultItem
    from core.results.presets import ProtocolTables
    from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that messages name, made of something in the study: it lies at `path` until a run keeps it. `name`: for
    people."""

    sha256: str
    media_type: str
    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class SourceRead:
    """`values`, in order, as the protocol is given them; `hashes`: what they came from, by its title, for the run's
    manifest. `as_json`: a value as a run of several steps keeps it, None where all are JSON as they are. `files`: what
    the study keeps once such a run begins."""

    values: tuple[Value, ...]
    hashes: Mapping[str, str] = field(default_factory=dict)
    as_json: Callable[[Any], Any] | None = None
    files: tuple[SourceFile, ...] = ()

    @property
    def given(self) -> tuple[Value, ...]:
        """The values as a run of several steps keeps them, and its protocol is then given them."""
        if self.as_json is None:
            return self.values
        return tuple(replace(each, value=self.as_json(each.value)) for each in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What samples of a benchmark are made of.

    Attributes:
        words: what it holds, within a sentence
        read: what a run takes, with the files of a dry run. Raises BadInput or Missing for what there is not
        offered: what the study holds of it, for its form in `pages/protocols/`
        tasks: the tasks that what is chosen can be asked; without it all of the protocol
        fault: what a run lacks that takes this source; empty if nothing
        make_ready: works out what `read` needs, outside of any transaction, as far as a click may take
        permission: the key of the setting by which an owner names the models that may be sent it
            (`store/runs/permissions.py`); empty where any may
    """

    words: str
    read: Callable[[Reading, RunConfig, TrialFiles], SourceRead]
    offered: Callable[[Reading], object] | None = None
    tasks: Callable[[Reading, RunConfig, TrialFiles], Collection[str]] | None = None
    fault: Callable[[RunConfig], str] | None = None
    make_ready: Callable[[Viewer, RunConfig], None] | None = None
    permission: str = ""


Member = tuple[str, Iterable[bytes]]
"""The path of a file in a run's ZIP, and its bytes in pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags:
    """Attributes:
    given: flags of the benchmark by name; of "files" the name and content of each
    options: the options of the run, from flags and `--option`
    """

    given: Mapping[str, Any]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFiles:
    """What flags of `run` bring: the options of the run, its collections of triplets, and files that a dry run only
    read."""

    options: Mapping[str, Any]
    source: SampleSource = field(default_factory=SampleSource)
    trial: TrialFiles = field(default_factory=dict)


class Tell(Protocol):
    """Shows a line to the user; one that `is_passing` replaces the one before it, "" ends such lines."""

    def __call__(self, words: str, *, is_passing: bool = False) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTarget:
    """Attributes:
    path: the file or folder that was named, None for the form's own
    open: opens a file that is there only once it is whole
    split: the share of a file that is written beside another
    seed: of a random split
    """

    path: Path | None
    open: Callable[[Path], AbstractContextManager[BinaryIO]]
    split: float = 1.0
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsFile:
    """A file of finished runs. `table`: the table of samples that it is about, by its ID, where somebody named one."""

    name: str
    content: bytes
    table: str
    licence: str
    with_faulty: bool
    is_dry: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was written or imported: for JSON, and in words. `is_done`: False where nothing was."""

    data: Mapping[str, Any]
    words: str
    is_done: bool = True


ExportForm = Callable[[Viewer, Sequence[str], ExportTarget], Outcome]
"""Write runs (numbers or IDs; without any, all that fit) in a form. Raises BadInput, Missing or Refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkServices:
    """Attributes:
    sources: what its samples are made of, by the names that its protocol takes them by
    import_files: imports what flags of `run` name and the study does not have, unless the run is dry. Raises BadInput
        or Missing
    output_files: files of a run, name → content, beside its ZIP
    finish: what flags of `run` make of a finished run, for its JSON
    zip_members: files of a run in its ZIP, by the name of the file of every run that they follow; each is read to its
        end before the next is asked for
    export_forms: forms of `runs export`, by name
    import_runs: makes finished runs of a file; None for a file that is not of this benchmark
    unasked_items: items of a run, under the run's name, that its tables of results count though no request asked for
        them
    unasked_runs: the IDs of the other runs that such items are read from
    """

    sources: Mapping[str, Source] = field(default_factory=dict)
    import_files: Callable[[Viewer, RunFlags, bool, Tell], ImportedFiles] | None = None
    output_files: Callable[[Viewer, str], Mapping[str, bytes]] | None = None
    finish: Callable[[Viewer, RunFlags, str], Mapping[str, Any]] | None = None
    zip_members: Mapping[str, Callable[[Reading, RunRow], Iterator[Member]]] = field(default_factory=dict)
    export_forms: Mapping[str, ExportForm] = field(default_factory=dict)
    import_runs: Callable[[Viewer, RunsFile], Outcome | None] | None = None
    unasked_items: Callable[[Session, RunRow, ProtocolTables, str], Iterator[ResultItem]] | None = None
    unasked_runs: Callable[[RunRow], Collection[str]] | None = None


def refuse_strangers(layer: str, path: Iterable[str]) -> None:
    """Raise ValueError for a package of a layer that has the name of no benchmark."""
    known = {package_of(each) for each in PROTOCOLS.values()}
    for each in pkgutil.iter_modules(path):
        if each.name not in known:
            where = f"protocols.{each.name}.benchmark"
            raise ValueError(f"{layer}.{each.name} is of no benchmark: there is no PROTOCOL in {where}")


def find_package(layer: str, protocol: str) -> ModuleType | None:
    """Return the package of a benchmark in a layer such as "services.protocols"; None where it has none, and for a
    protocol that this Edgewise does not know."""
    name = f"{layer}.{package_of(PROTOCOLS[protocol])}" if protocol in PROTOCOLS else ""
    return import_module(name) if name and find_spec(name) else None


LOADED: dict[str, BenchmarkServices] = {}
"""By the name of the protocol."""


def get_services(protocol: str) -> BenchmarkServices:
    """Return the services of a benchmark, imported at their first use; none for one that has no such package."""
    if protocol not in LOADED and (package := find_package("services.protocols", protocol)):
        LOADED[protocol] = package.SERVICES
    return LOADED.get(protocol) or BenchmarkServices()


def import_files(viewer: Viewer, protocol: str, flags: RunFlags, is_dry: bool, tell: Tell) -> ImportedFiles:
    """Import what flags of `run` name. Raises as `BenchmarkServices`."""
    _require(viewer, May.RUN)
    own = get_services(protocol).import_files
    return own(viewer, flags, is_dry, tell) if own else ImportedFiles(options=flags.options)


def output_files(viewer: Viewer, protocol: str, run_id: str) -> Mapping[str, bytes]:
    """Return the files of a run that its benchmark writes beside the ZIP, name → content."""
    _require(viewer, May.EXPORT)
    own = get_services(protocol).output_files
    return own(viewer, run_id) if own else {}


def finish(viewer: Viewer, protocol: str, flags: RunFlags, run_id: str) -> Mapping[str, Any]:
    """Make of a finished run what flags of `run` ask for; for its JSON."""
    _require(viewer, May.RUN)
    own = get_services(protocol).finish
    return own(viewer, flags, run_id) if own else {}


def export_in_form(viewer: Viewer, form: str, runs: Sequence[str], target: ExportTarget) -> Outcome:
    """Write runs in a form of any benchmark. Raises BadInput for a form that there is not, and as `ExportForm`."""
    _require(viewer, May.EXPORT)
    forms = {name: own for each in PROTOCOLS for name, own in get_services(each).export_forms.items()}
    if form not in forms:
        raise BadInput(f"Unknown form {quoted(form)}; choose from {', '.join(['zip', *forms])}.")
    return forms[form](viewer, runs, target)


def import_runs(viewer: Viewer, file: RunsFile) -> Outcome:
    """Import a file by the first benchmark whose runs it holds. Raises BadInput for a file of none."""
    _require(viewer, May.CURATE)
    for each in PROTOCOLS:
        own = get_services(each).import_runs
        if own is not None and (made := own(viewer, file)) is not None:
            return made
    raise BadInput(f"{file.name} holds no finished runs of a benchmark; expected responses or evaluations (Parquet).")


def _require(viewer: Viewer, act: May) -> None:
    """Raise Refused unless the viewer may do it: a benchmark is called behind this check only."""
    with consulting(viewer, act):
        pass


def get_sources(protocol: BenchmarkProtocol) -> dict[str, Source]:
    """Return the sources that a protocol takes, in their order."""
    sources = get_services(protocol.name).sources
    return {name: sources[name] for name in protocol.sources}
