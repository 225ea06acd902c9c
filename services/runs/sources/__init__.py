"""What samples are made of: one module a source, which reads what a run takes from the study. A protocol names the
sources that it takes.

Each module here has a `SOURCE`, which goes by the module's name: a new one edits no other file. Its part of the form of
a new run is the module of that name in `pages/runs/sources/`; without one, its options are drawn.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from core.people import Viewer
from protocols.making import Value
from protocols.protocol import BenchmarkProtocol
from services.acting import Reading
from services.runs.settings import RunConfig
from services.triplets.trial_files import TrialFiles


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


def found() -> dict[str, Source]:
    """The sources of this room by their names."""
    modules = (f"{__name__}.{each.name}" for each in pkgutil.iter_modules(__path__))
    return {module.rpartition(".")[2]: import_module(module).SOURCE for module in modules}


SOURCES: Mapping[str, Source] = found()
