"""What a benchmark does in a study, beside its protocol: a package in `services/protocols/` under the name of that in
`protocols/`, with a `SERVICES`. A new benchmark edits no other file.

Packages are imported when they are first needed, since each loads what it reads from the study.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from core.errors import BadInput
from core.people import Viewer
from core.words import quoted
from protocols import PROTOCOLS
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, package_of
from services.acting import Reading
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


class Source(Protocol):
    @property
    def words(self) -> str:
        """What it holds, within a sentence."""
        ...

    def offered(self, r: Reading) -> object:
        """What the study holds of it, for its form in `pages/protocols/`; nothing where that needs none."""
        ...

    @property
    def permission(self) -> str:
        """The key of the setting by which an owner names the models that may be sent it (`store/runs/permissions.py`);
        empty where any may."""
        ...

    def fault(self, wanted: RunConfig) -> str:
        """What a run lacks that takes this source; empty if nothing."""
        ...

    def ready(self, viewer: Viewer, wanted: RunConfig) -> None:
        """Whatever must be worked out before `read`, outside of any transaction, as far as a click may take."""
        ...

    def read(self, r: Reading, wanted: RunConfig, trial: TrialFiles) -> SourceRead:
        """What the run takes. `trial`: files of a dry run. Raises BadInput or Missing for what there is not."""
        ...

    def tasks(self, r: Reading, protocol: BenchmarkProtocol, wanted: RunConfig, trial: TrialFiles) -> tuple[str, ...]:
        """The tasks that what is chosen can be asked, where nobody names any."""
        ...


Member = tuple[str, Iterable[bytes]]
"""The path of a file in a run's ZIP, and its bytes in pieces."""
ZipMembers = Callable[[Reading, "RunRow"], Iterator[Member]]
"""Files of a run beside those of every run; each is read to its end before the next is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFiles:
    """What flags of `run` bring: the options of the run, its collections of triplets, and files that a dry run only
    read."""

    options: Mapping[str, Any]
    source: SampleSource = field(default_factory=SampleSource)
    trial: TrialFiles = field(default_factory=dict)


class Tell(Protocol):
    """Tells whoever waits; `is_passing`: in place of what was told before, "" for its end."""

    def __call__(self, words: str, *, is_passing: bool = False) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags:
    """Attributes:
    given: flags of the benchmark by name; of "files" the name and content of each
    options: the options of the run, from flags and `--option`
    """

    given: Mapping[str, Any]
    options: Mapping[str, Any]


ImportFiles = Callable[[Viewer, RunFlags, bool, Tell], ImportedFiles]
"""Import what flags name that the study does not have, unless the run is dry. Raises BadInput or Missing."""
OutputFiles = Callable[[Viewer, str], Mapping[str, bytes]]
"""Files of a run, name → content, beside its ZIP."""
Finish = Callable[[Viewer, RunFlags, str], Mapping[str, Any]]
"""What flags have made of a finished run, for its JSON."""


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


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: for JSON, and in words."""

    data: Mapping[str, Any]
    words: str


ExportForm = Callable[[Viewer, Sequence[str], ExportTarget], Exported]
"""Write runs (numbers or IDs; without any, all that fit) in a form. Raises BadInput, Missing or Refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnaskedItems:
    """Attributes:
    runs: the IDs of the other runs that such items of a run are read from
    items: these items, of a run in the tables of its protocol, under the run's name
    """

    runs: Callable[[RunRow], Collection[str]]
    items: Callable[[Session, RunRow, ProtocolTables, str], Iterator[ResultItem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkServices:
    """Attributes:
    sources: what its samples are made of, by the names that its protocol takes them by
    import_files: takes in what flags of `run` name
    output_files: files of its own in the folder of results
    finish: makes of a finished run what flags of `run` ask for
    zip_members: files of its own in the ZIP of a run
    export_forms: forms of `runs export`, by name
    unasked: items that its tables of results count though no request asked for them
    """

    sources: Mapping[str, Source] = field(default_factory=dict)
    import_files: ImportFiles | None = None
    output_files: OutputFiles | None = None
    finish: Finish | None = None
    zip_members: ZipMembers | None = None
    export_forms: Mapping[str, ExportForm] = field(default_factory=dict)
    unasked: UnaskedItems | None = None


LOADED: dict[str, BenchmarkServices] = {}
"""By the name of the protocol."""


def get_services(protocol: BenchmarkProtocol) -> BenchmarkServices:
    """Return the services of a benchmark, imported at their first use; without any for one that has no such package."""
    if protocol.name not in LOADED:
        module = f"services.protocols.{package_of(protocol)}"
        LOADED[protocol.name] = import_module(module).SERVICES if find_spec(module) else BenchmarkServices()
    return LOADED[protocol.name]


def find_export_form(name: str) -> ExportForm:
    """Return the form of this name of any benchmark. Raises BadInput for one that there is not."""
    forms = {key: form for each in PROTOCOLS.values() for key, form in get_services(each).export_forms.items()}
    if name not in forms:
        raise BadInput(f"Unknown form {quoted(name)}; choose from {', '.join(['zip', *forms])}.")
    return forms[name]


def get_sources(protocol: BenchmarkProtocol) -> dict[str, Source]:
    """Return the sources that a protocol takes, in their order."""
    sources = get_services(protocol).sources
    return {name: sources[name] for name in protocol.sources}
