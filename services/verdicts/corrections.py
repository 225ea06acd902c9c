"""Scores of a run's judges, corrected by people's blind labels of the random draw; and what to draw for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.estimate import undefined
from core.people import Permission, Viewer
from core.scoring.corrected import SAMPLES_NEEDED
from core.scoring.interval import Resampling
from core.verdicts.audit import AuditedItem
from core.verdicts.corrections import CorrectedScores, ItemScore, JudgedItem, correct_scores
from core.verdicts.drawing import blocks_for
from core.verdicts.judged import AnswerVariant
from core.verdicts.labels import Section
from core.verdicts.review import DrawnBy
from core.verdicts.tallies import item_score, weight_of
from core.verdicts.verdict import VerdictItem, read_verdict
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import JUDGE, wording_of
from services.acting import ReadContext, consulting
from services.protocols.recite.judged import judge_names, judged_answers
from services.runs.changes import last_changes
from services.runs.judge_exposure import FEW, settings_in
from services.runs.reading import find_run
from services.study import current_study
from services.verdicts.samples import MOST_ITEMS, random_blocks_left
from store.runs import reviewed_verdicts, runs
from store.runs import verdicts as stored
from store.tables.runs import RunRow

HOW = Resampling(seed=1)
ALL_MODELS = ""
TOO_FEW = "fewer than ten samples"
FIRST_SEED = 1  # of the random draw of a run that has none

AuditKey = tuple[AnswerVariant, str]
"""Variant of the judged answers, and name of the judge."""
ModelScores = Mapping[str, CorrectedScores]
"""Judged model → its scores; ALL_MODELS: those of all together."""
SectionSizes = Mapping[tuple[str, Section], int]
"""Answer and section → number of items."""
Label = tuple[Section, str, float, float]
"""Section, item (answer and number), score and weight of a person's labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredItem:
    """An item as a judge scored it. `key`: as of `AuditedItem`."""

    model: str
    section: Section
    sample: str
    answer: str
    key: str
    score: ItemScore


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherDraw:
    """A random draw of a whole run that adds what the correction of one score is missing.

    Attributes:
        sheets: to draw; 0 if those that wait for labels are enough, or nothing is left
        items: on these sheets, of all models and sections
        waiting: items of this score that are drawn and not labelled yet
        seed: of the run's random draw"""

    sheets: int
    items: int
    waiting: int
    seed: int


def corrections_of(
    r: ReadContext, row: RunRow, blind: Mapping[AuditKey, Sequence[AuditedItem]]
) -> tuple[Mapping[AuditKey, ModelScores], SectionSizes]:
    """Return (scores by variant and judge, number of items of each section of an answer). `blind`: items that people
    labelled blind in the random draw; those of sheets that are not labelled whole are left out, since an annotator
    who stops in the middle chooses what is scored. Of a judge's repeated verdicts the first counts."""
    labels = tuple((key, _labels(items)) for key, items in sorted(blind.items()))
    return _corrections_cached(current_study().store.url, row.id, last_changes(r.session, row), labels)


def _labels(items: Sequence[AuditedItem]) -> tuple[Label, ...]:
    return tuple(
        (each.section, each.key, *_score(each.section, each.person)) for each in items if each.is_on_whole_sheet
    )


def _score(section: Section, item: VerdictItem) -> ItemScore:
    return ItemScore(item_score(section, item), weight_of(section, item))


@lru_cache(maxsize=4)  # a page is rendered again at every click; every reply changes `moment`, every label `labels`
def _corrections_cached(
    url: str, run_id: str, moment: str, labels: tuple[tuple[AuditKey, tuple[Label, ...]], ...]
) -> tuple[Mapping[AuditKey, ModelScores], SectionSizes]:
    by_key, sizes = _scored_cached(url, run_id, moment)
    corrected: dict[AuditKey, ModelScores] = {}
    for key, of_people in labels:
        by_people: dict[tuple[Section, str], list[ItemScore]] = {}
        for section, item, score, weight in of_people:
            by_people.setdefault((section, item), []).append(ItemScore(score, weight))
        by_model: dict[str, list[JudgedItem]] = {ALL_MODELS: []}
        for scored in by_key.get(key, ()):
            judged = JudgedItem(
                section=scored.section,
                sample=scored.sample,
                judge=scored.score,
                person=_mean(by_people.get((scored.section, scored.key), ())),
            )
            by_model.setdefault(scored.model, []).append(judged)
            by_model[ALL_MODELS].append(judged)
        corrected[key] = {
            model: _without_few(correct_scores(items, HOW), is_pooled=model == ALL_MODELS)
            for model, items in by_model.items()
        }
    return corrected, sizes


def _without_few(scores: CorrectedScores, *, is_pooled: bool) -> CorrectedScores:
    """Leave out scores of so few samples that they would show a judge's labels of single answers."""
    few = {section for section, each in scores.sections.items() if each.samples < FEW}
    sections = {
        section: replace(each, measured=undefined(TOO_FEW), corrected=undefined(TOO_FEW)) if section in few else each
        for section, each in scores.sections.items()
    }
    if not few or is_pooled:
        return replace(scores, sections=sections)
    return CorrectedScores(measured_f1=undefined(TOO_FEW), corrected_f1=undefined(TOO_FEW), sections=sections)


def _mean(scores: Sequence[ItemScore]) -> ItemScore | None:
    """The mean weight, and the score that gives the mean weighted score."""
    if not scores:
        return None
    weight = sum(each.weight for each in scores) / len(scores)
    weighed = sum(each.score * each.weight for each in scores) / len(scores)
    return ItemScore(weighed / weight if weight else 0.0, weight)


@lru_cache(maxsize=4)
def _scored_cached(url: str, run_id: str, moment: str) -> tuple[Mapping[AuditKey, Sequence[_ScoredItem]], SectionSizes]:
    by_key: dict[AuditKey, list[_ScoredItem]] = {}
    sizes: dict[tuple[str, Section], int] = {}
    with current_study().store.reading() as session:
        row = runs.run_row(session, run_id)
        names, wording = judge_names(row), wording_of(row.manifest)
        models = {each.answer: each.judged for each in judged_answers(session, row).answers}
        for judged in stored.labels(session, run_id, JUDGE):
            section, answer = Section(judged.facts["section"]), str(judged.facts["answer"])
            if judged.facts.get("control") or judged.repeat or answer not in models:
                continue
            sizes[answer, section] = int(judged.facts["items"])
            verdict = read_verdict(
                {section.key: list(judged.parsed["items"])}, {section: judged.facts["items"]}, wording=wording
            ).sections[section]
            key = ANSWER_VARIANTS[judged.facts["asked"]], names[judged.model, judged.variant]
            by_key.setdefault(key, []).extend(
                _ScoredItem(
                    model=models[answer],
                    section=section,
                    sample=str(judged.facts["paper"]),
                    answer=answer,
                    key=f"{answer}/{item.number}",
                    score=_score(section, item),
                )
                for item in verdict.items
            )
    return by_key, sizes


def further_draw(viewer: Viewer, run_id: str, key: AuditKey, model: str, section: Section, missing: int) -> FurtherDraw:
    """Return the random draw that adds `missing` items of a score, and samples until 20 of them have one. It is a draw
    of the whole run, which continues in the order of its seed: a draw of one section or model alone would make items of
    the others less likely. Raises Missing without such a run."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        by_key, _sizes = _scored_cached(current_study().store.url, row.id, last_changes(r.session, row))
        of_score = {
            each.key: each.sample
            for each in by_key.get(key, ())
            if each.section is section and model in (ALL_MODELS, each.model)
        }
        drawn = [each for each in reviewed_verdicts.sheets(r.session, row.id) if each.drawn_by == DrawnBy.RANDOM]
        seed = drawn[0].seed if drawn and drawn[0].seed is not None else FIRST_SEED
        size = drawn[0].size if drawn else settings_in(r.session).sheet_size
        done = {
            each.id
            for each, work in reviewed_verdicts.labelled_sheets(r.session, [row.id])
            if work.state == "submitted"
        }
        on_sheets = {
            (f"{sheet.answer}/{number}", sheet.id in done)
            for sheet in drawn
            if sheet.section == section
            for number in sheet.numbers
        }
        blocks = random_blocks_left(r, row, drawn, seed, size)
    known = {item for item, _done in on_sheets} & of_score.keys()
    waiting = known - {item for item, is_done in on_sheets if is_done}
    samples = {of_score[item] for item in known}
    missing -= len(waiting)
    sheets = 0
    for place, block in enumerate(blocks, 1):
        if missing <= 0 and len(samples) >= SAMPLES_NEEDED:
            break
        fresh = {f"{block.of}/{number}" for number in block.numbers} if block.section is section else set[str]()
        fresh = (fresh & of_score.keys()) - known
        if fresh:
            known |= fresh
            missing -= len(fresh)
            samples |= {of_score[item] for item in fresh}
            sheets = place
    # Draws are by about a number of items: of blocks of the mean size.
    mean_size = sum(len(each.numbers) for each in blocks) / max(1, len(blocks))
    items = min(MOST_ITEMS, round(sheets * mean_size))
    return FurtherDraw(sheets=blocks_for(blocks, items) if sheets else 0, items=items, waiting=len(waiting), seed=seed)
