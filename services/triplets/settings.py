"""Which triplets experts score, on which form, by how many people, and what they see afterwards: the study's settings.

The sample is drawn by lots over collection and place, which are the same wherever a file is imported.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import May, Receipt, Viewer
from core.transcription.queue import Overlap
from core.triplets.forms import Rubric
from core.words import quoted
from services.acting import Writing, consulting, perform
from services.queue.settings import LARGEST_SEED, MOST_HOURS, MOST_PEOPLE, check_whole
from services.triplets.samples import Draw, sample_in
from store import settings as stored
from store.triplets import triplets

KEY = "scoring"
MOST_PER_YEAR = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings:
    """`overlap` people score each triplet of the sample: `per_year` of every publication year (None: all), drawn by
    `seed`, from `collections` (none: all). `shows_critics`: to an expert, once they have handed in. A claim on which
    nothing was scored for `idle_hours` lapses. `version` 0: never saved."""

    rubric: Rubric = Rubric.ECONCAUSAL
    overlap: int = 2
    per_year: int | None = None
    seed: int = 1
    shows_critics: bool = True
    idle_hours: int = 72
    collections: tuple[str, ...] = ()
    version: int = 0

    @property
    def rule(self) -> Overlap:
        return Overlap(self.overlap, 1.0, self.seed)

    @property
    def draw(self) -> Draw:
        return Draw(self.collections, self.per_year, self.seed)

    @property
    def idle(self) -> timedelta:
        return timedelta(hours=self.idle_hours)


@dataclass(frozen=True, slots=True)
class YearSample:
    """Triplets of one publication year (None: not known), and how many of them the sample holds."""

    year: int | None
    triplets: int
    drawn: int


def settings(viewer: Viewer) -> ScoringSettings:
    """What stands now."""
    with consulting(viewer, May.ASSIGN) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, wanted: ScoringSettings, *, seen: int, act_id: str) -> Receipt:
    """Set what holds from now on; `wanted.version` is not read. Nobody who has a place loses it, and what was scored
    on another form stays.

    Raises BadInput for a number out of its range, Missing for an unknown collection, Conflict after version `seen`.
    """
    _check(wanted)

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        for each in wanted.collections:
            triplets.collection(w.session, each)
        value = _plain(wanted)
        row = stored.set_setting(w.session, KEY, value)
        payload = {"before": _plain(before), "after": value}
        return w.record("scoring.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, May.ASSIGN, act_id, act)


def sample(viewer: Viewer, wanted: ScoringSettings) -> tuple[YearSample, ...]:
    """What settings would draw, year by year, unknown years first; to look at before they are saved."""
    _check(wanted)
    with consulting(viewer, May.ASSIGN) as r:
        found = sample_in(r.session, wanted.draw)
    drawn = Counter(member.year for member in found.members)
    years = sorted(found.years, key=lambda year: year or 0)
    return tuple(YearSample(year, found.years[year], drawn[year]) for year in years)


def settings_in(session: Session) -> ScoringSettings:
    """The settings inside a caller's session."""
    row = stored.setting_row(session, KEY)
    if row is None:
        return ScoringSettings()
    kept: dict[str, Any] = row.value
    return ScoringSettings(
        rubric=Rubric(kept["rubric"]),
        overlap=kept["overlap"],
        per_year=kept["per_year"],
        seed=kept["seed"],
        shows_critics=kept["shows_critics"],
        idle_hours=kept["idle_hours"],
        collections=tuple(kept["collections"]),
        version=row.version,
    )


def _plain(settings: ScoringSettings) -> dict[str, Any]:
    return {
        "rubric": settings.rubric.value,
        "overlap": settings.overlap,
        "per_year": settings.per_year,
        "seed": settings.seed,
        "shows_critics": settings.shows_critics,
        "idle_hours": settings.idle_hours,
        "collections": list(settings.collections),
    }


def _check(wanted: ScoringSettings) -> None:
    if not isinstance(wanted.rubric, Rubric):
        raise BadInput(f"The form is {quoted(wanted.rubric)}; it must be one of {', '.join(Rubric)}.")
    check_whole("The number of raters per triplet", wanted.overlap, 1, MOST_PEOPLE)
    check_whole("The seed", wanted.seed, 0, LARGEST_SEED)
    check_whole("The number of hours after which idle claims expire", wanted.idle_hours, 1, MOST_HOURS)
    if wanted.per_year is not None:
        check_whole("The number of triplets per year", wanted.per_year, 1, MOST_PER_YEAR)
