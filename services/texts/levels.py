"""Levels of nodes as those see them who run the study: by rater, agreed, estimated over texts, and beside models.

Looking at them is others' work seen: who looked labels that text no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import cohen_kappa
from core.agreement.level import Level as Scale
from core.agreement.ratings import Ratings
from core.errors import BadInput
from core.estimate import Estimate
from core.people import May, Receipt, Viewer
from core.texts.explicitness import Level, explicitness, read_levels, trivial_levels
from core.texts.levels import BASELINE, Estimates, RaterKind, agreed, estimates
from core.words import counted
from services.acting import Writing, consulting, perform
from services.queue.work import wanted_for
from services.texts.ready import ReadyText, labelled, ready_text, ready_texts
from services.texts.settings import settings_in
from services.texts.truths import truth_of
from store.assignments import EXPLICITNESS
from store.papers import texts as stored
from store.people import names_of

MODEL = "model:"
"""What the raters that are models begin with."""
PEOPLE = "people, agreed"


@dataclass(frozen=True, slots=True)
class RaterLevels:
    """One rater's levels of a text: a person's are shown once they are submitted."""

    name: str
    kind: RaterKind
    levels: Mapping[str, Level]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLevels:
    """The levels of one ready text. `agreed`: of the people if as many submitted as are `wanted`, else of the models,
    else empty; so a release takes them, and `note` says whose they are or what is missing."""

    figure_id: str
    sha256: str
    nodes: tuple[str, ...]
    raters: tuple[RaterLevels, ...]
    agreed: Mapping[str, Level]
    share: float | None
    strict: float | None
    submitted: int
    wanted: int
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterReport:
    """One rater over all ready texts, and agreement with what the people agreed on, node by node: `kappa` (Cohen,
    unweighted) and `alpha` (Krippendorff, ordinal)."""

    name: str
    kind: RaterKind
    estimates: Estimates
    kappa: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class ExplicitnessReport:
    """The people together first, then each model, then the baseline. `among_people`: α of the people, node by node."""

    texts: int
    rows: tuple[RaterReport, ...]
    among_people: Estimate


@dataclass(frozen=True, slots=True)
class ReleasedLevels:
    """What a release takes of a text's levels: whose, of how many raters, and node → level; or why nothing."""

    by: RaterKind | None
    raters: int
    levels: Mapping[str, Level]
    reason: str


# --- writing -----------------------------------------------------------------------------------------------------


def keep_model_levels(
    viewer: Viewer, figure_id: str, text_sha256: str, model: str, levels: Mapping[str, int], *, act_id: str
) -> Receipt:
    """Keep a model's levels of a text, taken from a run, in place of those it gave before. The text may be a draft: its
    levels count once it is ready as it is.

    Raises BadInput unless every node of the ground truth has one level, and for levels of another text than the
    figure's as it is now; Refused while the ground truth is not finished.
    """
    if not model.strip():
        raise BadInput("The model has no name.")

    def act(w: Writing) -> Receipt:
        plain, _ = truth_of(w.session, figure_id, for_update=True).required()
        head = stored.heads(w.session, [figure_id]).get(figure_id)
        if head is None or head.last.sha256 != text_sha256:
            raise BadInput("These levels are of another text than this figure has now.")
        found, faults = read_levels({"scores": dict(levels)}, plain["nodes"])
        if faults:
            raise BadInput(" ".join(faults))
        rater = f"{MODEL}{model.strip()}"
        stored.forget_levels(w.session, text_sha256, figure_id, rater)
        stored.keep_levels(w.session, text_sha256, figure_id, rater, found, w.now)
        payload = {"text": text_sha256, "model": model.strip(), "levels": {k: int(v) for k, v in found.items()}}
        return w.record("labelling.model", "figure", figure_id, payload=payload)

    return perform(viewer, May.CURATE, act_id, act, asked=(figure_id, text_sha256, model, dict(levels)))


# --- reading -----------------------------------------------------------------------------------------------------


def figure_levels(viewer: Viewer, figure_id: str) -> FigureLevels:
    """Every rater's levels of a figure's text. Raises Refused if the text is not ready."""
    with consulting(viewer, May.REVIEW) as r:
        ready = ready_text(r.session, figure_id)
        r.look_at(figure_id, "level")
        r.look_at(figure_id)
        given = _submitted(r.session, {figure_id: ready})[figure_id]
        row = stored.with_hash(r.session, ready.sha256)
        assert row is not None, "a ready text has its row"
        names = names_of(r.session, set(given))
        released = _released(r.session, ready, given)
        wanted = _wanted(r.session, figure_id)
    raters = [RaterLevels(*_named(rater, names), levels) for rater, levels in given.items()]
    trivial = trivial_levels(ready.nodes, row[0].content)
    found = explicitness(released.levels.values())
    return FigureLevels(
        figure_id=figure_id,
        sha256=ready.sha256,
        nodes=ready.nodes,
        raters=(*raters, RaterLevels(BASELINE, RaterKind.BASELINE, trivial)),
        agreed=released.levels,
        share=found.share,
        strict=found.strict,
        submitted=sum(not rater.startswith(MODEL) for rater in given),
        wanted=wanted,
        note=released.reason or _whose(released),
    )


def _whose(released: ReleasedLevels) -> str:
    if released.by is RaterKind.PERSON:
        return "Labelled by 1 person" if released.raters == 1 else f"Agreed by {released.raters} people"
    return f"Labelled by {counted(released.raters, 'model')}"


def report(viewer: Viewer) -> ExplicitnessReport:
    """Explicitness over all ready texts: of the people, each model and the baseline, and how well these agree with the
    people. Texts are read once each, for the baseline."""
    with consulting(viewer, May.REVIEW) as r:
        ready = ready_texts(r.session)
        given = _submitted(r.session, ready)
        for figure_id, raters in given.items():
            if raters:
                r.look_at(figure_id, "level")
        trivial = {key: _trivial(r.session, each) for key, each in ready.items()}
    people = {key: _people(raters) for key, raters in given.items()}
    agreed_on = {key: agreed(levels.values()) for key, levels in people.items() if levels}
    models = sorted({rater for raters in given.values() for rater in raters if rater.startswith(MODEL)})
    rows = [
        RaterReport(
            name=PEOPLE, kind=RaterKind.PERSON, estimates=estimates([*agreed_on.values()]), kappa=None, alpha=None
        )
    ]
    for model in models:
        of_model = {key: raters[model] for key, raters in given.items() if model in raters}
        rows.append(_row(model.removeprefix(MODEL), RaterKind.MODEL, of_model, agreed_on))
    rows.append(_row(BASELINE, RaterKind.BASELINE, trivial, agreed_on))
    return ExplicitnessReport(len(ready), tuple(rows), _among(people))


def released_levels(session: Session, ready: Mapping[str, ReadyText]) -> dict[str, ReleasedLevels]:
    """What a release takes of each ready text's levels, inside a caller's session."""
    given = _submitted(session, ready)
    return {key: _released(session, each, given[key]) for key, each in ready.items()}


def _released(session: Session, ready: ReadyText, given: Mapping[str, Mapping[str, Level]]) -> ReleasedLevels:
    people = _people(given)
    wanted = _wanted(session, ready.figure_id)
    if people and len(people) >= wanted:
        return ReleasedLevels(RaterKind.PERSON, len(people), agreed(people.values()), "")
    models = [levels for rater, levels in given.items() if rater.startswith(MODEL)]
    if models:
        return ReleasedLevels(RaterKind.MODEL, len(models), agreed(models), "")
    return ReleasedLevels(None, 0, {}, f"{len(people)} of {wanted} people have labelled its nodes")


def _submitted(session: Session, ready: Mapping[str, ReadyText]) -> dict[str, dict[str, dict[str, Level]]]:
    """Figure → rater → levels of its text as it is now: of people who submitted, and of models."""
    people = labelled(session, ready)
    levels = stored.levels_of_texts(session, [each.sha256 for each in ready.values()])
    return {
        key: {
            rater: found
            for rater, found in levels.get((key, each.sha256), {}).items()
            if rater.startswith(MODEL) or rater in people[key]
        }
        for key, each in ready.items()
    }


def _people(given: Mapping[str, Mapping[str, Level]]) -> dict[str, Mapping[str, Level]]:
    return {rater: levels for rater, levels in given.items() if not rater.startswith(MODEL)}


def _wanted(session: Session, figure_id: str) -> int:
    return wanted_for(session, EXPLICITNESS, figure_id, settings_in(session).rule)


def _trivial(session: Session, ready: ReadyText) -> Mapping[str, Level]:
    found = stored.with_hash(session, ready.sha256)
    return trivial_levels(ready.nodes, found[0].content) if found is not None else {}


def _named(rater: str, names: Mapping[str, str]) -> tuple[str, RaterKind]:
    if rater.startswith(MODEL):
        return rater.removeprefix(MODEL), RaterKind.MODEL
    return names.get(rater, rater), RaterKind.PERSON


def _row(
    name: str, kind: RaterKind, given: Mapping[str, Mapping[str, Level]], people: Mapping[str, Mapping[str, Level]]
) -> RaterReport:
    pairs = [
        (int(people[key][node]), int(level))
        for key, levels in sorted(given.items())
        if key in people
        for node, level in sorted(levels.items())
        if node in people[key]
    ]
    ratings = Ratings.of(pairs, _SCALE)
    return RaterReport(
        name=name,
        kind=kind,
        estimates=estimates([*given.values()]),
        kappa=cohen_kappa(ratings),
        alpha=krippendorff_alpha(ratings, Scale.ORDINAL),
    )


def _among(people: Mapping[str, Mapping[str, Mapping[str, Level]]]) -> Estimate:
    """α over nodes; a person's column is their own, gaps where they did not label a text."""
    raters = sorted({rater for of_text in people.values() for rater in of_text})
    rows: Iterable[list[int | None]] = (
        [_level(of_text.get(rater), node) for rater in raters]
        for _, of_text in sorted(people.items())
        for node in sorted({node for levels in of_text.values() for node in levels})
    )
    return krippendorff_alpha(Ratings.of(rows, _SCALE), Scale.ORDINAL)


def _level(levels: Mapping[str, Level] | None, node: str) -> int | None:
    return int(levels[node]) if levels is not None and node in levels else None


_SCALE = tuple(int(level) for level in Level)
