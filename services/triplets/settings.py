"""Settings of scoring: which triplets experts score, on which form, by how many people, and what they see afterwards.

The sample is drawn at random over (collection, place), which are the same wherever a file is imported.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
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
    rubric: Rubric = Rubric.ECONCAUSAL
    overlap: int = 2  # people who score each triplet
    per_year: int | None = None  # triplets drawn of each publication year; None: all
    seed: int = 1
    shows_critics: bool = True  # to an expert who has submitted
    idle_hours: int = 72  # without a score, after which a claim expires
    collections: tuple[str, ...] = ()  # none: all
    version: int = 0  # 0: never saved

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
    """Triplets of one publication year (None: unknown), and the number in the sample."""

    year: int | None
    triplets: int
    drawn: int


def settings(viewer: Viewer) -> ScoringSettings:
    with consulting(viewer, Permission.ASSIGN) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: ScoringSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the settings. Existing claims are unaffected, and scores on other forms stay.

    Raises BadInput for a number out of its range, Missing for an unknown collection, Conflict after version `seen`.
    """
    _check(new)

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        for collection in new.collections:
            triplets.collection(w.session, collection)
        value = _plain(new)
        row = stored.set_setting(w.session, KEY, value)
        payload = {"before": _plain(before), "after": value}
        return w.record("scoring.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def sample(viewer: Viewer, proposed: ScoringSettings) -> tuple[YearSample, ...]:
    """Return the sample that settings would draw, by year, unknown years first; to preview unsaved settings."""
    _check(proposed)
    with consulting(viewer, Permission.ASSIGN) as r:
        drawn_sample = sample_in(r.session, proposed.draw)
    drawn = Counter(member.year for member in drawn_sample.members)
    years = sorted(drawn_sample.years, key=lambda year: year or 0)
    return tuple(YearSample(year, drawn_sample.years[year], drawn[year]) for year in years)


def settings_in(session: Session) -> ScoringSettings:
    row = stored.setting_row(session, KEY)
    if row is None:
        return ScoringSettings()
    value: dict[str, Any] = row.value
    return ScoringSettings(
        rubric=Rubric(value["rubric"]),
        overlap=value["overlap"],
        per_year=value["per_year"],
        seed=value["seed"],
        shows_critics=value["shows_critics"],
        idle_hours=value["idle_hours"],
        collections=tuple(value["collections"]),
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


def _check(checked: ScoringSettings) -> None:
    if not isinstance(checked.rubric, Rubric):
        raise BadInput(f"The form is {quoted(checked.rubric)}; it must be one of {', '.join(Rubric)}.")
    check_whole("The number of raters per triplet", checked.overlap, 1, MOST_PEOPLE)
    check_whole("The seed", checked.seed, 0, LARGEST_SEED)
    check_whole("The number of hours after which idle claims expire", checked.idle_hours, 1, MOST_HOURS)
    if checked.per_year is not None:
        check_whole("The number of triplets per year", checked.per_year, 1, MOST_PER_YEAR)
