"""Levels of nodes for those who run the study: by rater, agreed, estimated over texts, and compared with models.

Viewing them is an exposure: the viewer can no longer label that text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import cohen_kappa
from core.agreement.level import MeasurementLevel as Scale
from core.agreement.ratings import Ratings
from core.errors import BadInput
from core.estimate import Estimate
from core.people import Permission, Receipt, Viewer
from core.texts.explicitness import ExplicitnessLevel, explicitness, read_levels, trivial_levels
from core.texts.levels import BASELINE, Estimates, RaterKind, agreed, estimates
from core.words import counted
from services.acting import Writing, consulting, perform
from services.queue.work import number_of_people
from services.texts.ready import ReadyText, labelled, ready_text, ready_texts
from services.texts.settings import settings_in
from services.texts.truths import truth_of
from store.assignments import EXPLICITNESS
from store.papers import texts as stored
from store.people import names_of

MODEL = "model:"
"""Prefix of raters that are models."""
PEOPLE = "people, agreed"


@dataclass(frozen=True, slots=True)
class RaterLevels:
    """Levels that one rater gave a text; a person's are visible after submission."""

    name: str
    kind: RaterKind
    levels: Mapping[str, ExplicitnessLevel]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLevels:
    """Levels of one ready text."""

    figure_id: str
    sha256: str
    nodes: tuple[str, ...]
    raters: tuple[RaterLevels, ...]
    agreed: Mapping[
        str, ExplicitnessLevel
    ]  # as in a release: of people once `wanted` submitted, otherwise of models or empty
    share: float | None
    strict: float | None
    submitted: int
    wanted: int
    note: str  # whose levels `agreed` has, or what is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterReport:
    """One rater over all ready texts, compared with the people's agreed levels, node by node."""

    name: str
    kind: RaterKind
    estimates: Estimates
    kappa: Estimate | None  # Cohen, unweighted
    alpha: Estimate | None  # Krippendorff, ordinal


@dataclass(frozen=True, slots=True)
class ExplicitnessReport:
    """Report on explicitness: the people together, then each model, then the baseline."""

    texts: int
    rows: tuple[RaterReport, ...]
    among_people: Estimate  # α of the people, node by node


@dataclass(frozen=True, slots=True)
class ReleasedLevels:
    """Levels of a text in a release, or the reason why there are none."""

    by: RaterKind | None
    raters: int  # number
    levels: Mapping[str, ExplicitnessLevel]
    reason: str


# --- writing -----------------------------------------------------------------------------------------------------


def keep_model_levels(
    viewer: Viewer, figure_id: str, text_sha256: str, model: str, levels: Mapping[str, int], *, act_id: str
) -> Receipt:
    """Store a model's levels of a text, taken from a run, in place of its earlier ones. The text may be a draft: the
    levels count once it is ready unchanged. Raises BadInput unless every node of the ground truth has one level, and
    for levels of another text than the figure's current one; Refused while the ground truth is not finished."""
    if not model.strip():
        raise BadInput("The model has no name.")

    def act(w: Writing) -> Receipt:
        plain, _ = truth_of(w.session, figure_id, for_update=True).required()
        head = stored.heads(w.session, [figure_id]).get(figure_id)
        if head is None or head.last.sha256 != text_sha256:
            raise BadInput("These levels are of another text than this figure has now.")
        model_levels, faults = read_levels({"scores": dict(levels)}, plain["nodes"])
        if faults:
            raise BadInput(" ".join(faults))
        rater = f"{MODEL}{model.strip()}"
        stored.forget_levels(w.session, text_sha256, figure_id, rater)
        stored.keep_levels(w.session, text_sha256, figure_id, rater, model_levels, w.now)
        payload = {"text": text_sha256, "model": model.strip(), "levels": {k: int(v) for k, v in model_levels.items()}}
        return w.record("labelling.model", "figure", figure_id, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act, asked=(figure_id, text_sha256, model, dict(levels)))


# --- reading -----------------------------------------------------------------------------------------------------


def figure_levels(viewer: Viewer, figure_id: str) -> FigureLevels:
    """Return every rater's levels of a figure's text. Raises Refused if the text is not ready."""
    with consulting(viewer, Permission.REVIEW) as r:
        ready = ready_text(r.session, figure_id)
        r.record_exposure(figure_id, "level")
        r.record_exposure(figure_id)
        submitted = _submitted_levels(r.session, {figure_id: ready})[figure_id]
        row = stored.with_hash(r.session, ready.sha256)
        assert row is not None, "a ready text has its row"
        names = names_of(r.session, set(submitted))
        released = _levels_for_release(r.session, ready, submitted)
        people_needed = _people_needed(r.session, figure_id)
    raters = [
        RaterLevels(rater.removeprefix(MODEL), RaterKind.MODEL, levels)
        if rater.startswith(MODEL)
        else RaterLevels(names.get(rater, rater), RaterKind.PERSON, levels)
        for rater, levels in submitted.items()
    ]
    trivial = trivial_levels(ready.nodes, row[0].content)
    shares = explicitness(released.levels.values())
    return FigureLevels(
        figure_id=figure_id,
        sha256=ready.sha256,
        nodes=ready.nodes,
        raters=(*raters, RaterLevels(BASELINE, RaterKind.BASELINE, trivial)),
        agreed=released.levels,
        share=shares.share,
        strict=shares.strict,
        submitted=sum(not rater.startswith(MODEL) for rater in submitted),
        wanted=people_needed,
        note=released.reason or _description(released),
    )


def _description(released: ReleasedLevels) -> str:
    if released.by is RaterKind.PERSON:
        return "Labelled by 1 person" if released.raters == 1 else f"Agreed by {released.raters} people"
    return f"Labelled by {counted(released.raters, 'model')}"


def report(viewer: Viewer) -> ExplicitnessReport:
    """Return explicitness over all ready texts: of people, each model and the baseline, compared with the people.
    Each text is read once, for the baseline."""
    with consulting(viewer, Permission.REVIEW) as r:
        ready = ready_texts(r.session)
        submitted = _submitted_levels(r.session, ready)
        for figure_id, raters in submitted.items():
            if raters:
                r.record_exposure(figure_id, "level")
        trivial: dict[str, Mapping[str, ExplicitnessLevel]] = {}
        for key, each in ready.items():
            row = stored.with_hash(r.session, each.sha256)
            trivial[key] = trivial_levels(each.nodes, row[0].content) if row is not None else {}
    people = {key: _people(raters) for key, raters in submitted.items()}
    agreed_on = {key: agreed(levels.values()) for key, levels in people.items() if levels}
    models = sorted({rater for raters in submitted.values() for rater in raters if rater.startswith(MODEL)})
    rows = [
        RaterReport(
            name=PEOPLE, kind=RaterKind.PERSON, estimates=estimates([*agreed_on.values()]), kappa=None, alpha=None
        )
    ]
    for model in models:
        of_model = {key: raters[model] for key, raters in submitted.items() if model in raters}
        rows.append(_row(model.removeprefix(MODEL), RaterKind.MODEL, of_model, agreed_on))
    rows.append(_row(BASELINE, RaterKind.BASELINE, trivial, agreed_on))
    return ExplicitnessReport(len(ready), tuple(rows), _agreement_among_people(people))


def released_levels(session: Session, ready: Mapping[str, ReadyText]) -> dict[str, ReleasedLevels]:
    """Return the levels of each ready text for a release."""
    submitted = _submitted_levels(session, ready)
    return {key: _levels_for_release(session, each, submitted[key]) for key, each in ready.items()}


def _levels_for_release(
    session: Session, ready: ReadyText, by_rater: Mapping[str, Mapping[str, ExplicitnessLevel]]
) -> ReleasedLevels:
    people = _people(by_rater)
    people_needed = _people_needed(session, ready.figure_id)
    if people and len(people) >= people_needed:
        return ReleasedLevels(RaterKind.PERSON, len(people), agreed(people.values()), "")
    models = [levels for rater, levels in by_rater.items() if rater.startswith(MODEL)]
    if models:
        return ReleasedLevels(RaterKind.MODEL, len(models), agreed(models), "")
    return ReleasedLevels(None, 0, {}, f"{len(people)} of {people_needed} people have labelled its nodes")


def _submitted_levels(
    session: Session, ready: Mapping[str, ReadyText]
) -> dict[str, dict[str, dict[str, ExplicitnessLevel]]]:
    """Return figure → rater → levels of its current text: of people who submitted, and of models."""
    people = labelled(session, ready)
    levels = stored.levels_of_texts(session, [each.sha256 for each in ready.values()])
    return {
        key: {
            rater: of_rater
            for rater, of_rater in levels.get((key, each.sha256), {}).items()
            if rater.startswith(MODEL) or rater in people[key]
        }
        for key, each in ready.items()
    }


def _people(by_rater: Mapping[str, Mapping[str, ExplicitnessLevel]]) -> dict[str, Mapping[str, ExplicitnessLevel]]:
    return {rater: levels for rater, levels in by_rater.items() if not rater.startswith(MODEL)}


def _people_needed(session: Session, figure_id: str) -> int:
    return number_of_people(session, EXPLICITNESS, figure_id, settings_in(session).rule)


def _row(
    name: str,
    kind: RaterKind,
    rater_levels: Mapping[str, Mapping[str, ExplicitnessLevel]],
    people: Mapping[str, Mapping[str, ExplicitnessLevel]],
) -> RaterReport:
    pairs = [
        (int(people[key][node]), int(level))
        for key, levels in sorted(rater_levels.items())
        if key in people
        for node, level in sorted(levels.items())
        if node in people[key]
    ]
    ratings = Ratings.of(pairs, _SCALE)
    return RaterReport(
        name=name,
        kind=kind,
        estimates=estimates([*rater_levels.values()]),
        kappa=cohen_kappa(ratings),
        alpha=krippendorff_alpha(ratings, Scale.ORDINAL),
    )


def _agreement_among_people(people: Mapping[str, Mapping[str, Mapping[str, ExplicitnessLevel]]]) -> Estimate:
    """Return α over nodes, one column per person, with gaps for texts that they did not label."""
    raters = sorted({rater for of_text in people.values() for rater in of_text})
    rows: Iterable[list[int | None]] = (
        [int(of_text[rater][node]) if node in of_text.get(rater, {}) else None for rater in raters]
        for _, of_text in sorted(people.items())
        for node in sorted({node for levels in of_text.values() for node in levels})
    )
    return krippendorff_alpha(Ratings.of(rows, _SCALE), Scale.ORDINAL)


_SCALE = tuple(int(level) for level in ExplicitnessLevel)
