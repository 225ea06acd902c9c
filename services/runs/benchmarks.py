"""What a benchmark does in a study, beside its protocol: a package in `services/protocols/` under the name of that in
`protocols/`, with a `SERVICES`. A new benchmark edits no other file.

Packages are imported when they are first needed, since each loads what it reads from the study.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.people import Viewer
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol, package_of
from services.acting import Reading
from services.runs.settings import RunConfig
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
    zip_members: files of its own in the ZIP of a run
    unasked: items that its tables of results count though no request asked for them
    """

    sources: Mapping[str, Source] = field(default_factory=dict)
    zip_members: ZipMembers | None = None
    unasked: UnaskedItems | None = None


LOADED: dict[str, BenchmarkServices] = {}
"""By the name of the protocol."""


def get_services(protocol: BenchmarkProtocol) -> BenchmarkServices:
    """Return the services of a benchmark, imported at their first use; without any for one that has no such package."""
    if protocol.name not in LOADED:
        module = f"services.protocols.{package_of(protocol)}"
        LOADED[protocol.name] = import_module(module).SERVICES if find_spec(module) else BenchmarkServices()
    return LOADED[protocol.name]


def get_sources(protocol: BenchmarkProtocol) -> dict[str, Source]:
    """Return the sources that a protocol takes, in their order."""
    sources = get_services(protocol).sources
    return {name: sources[name] for name in protocol.sources}
