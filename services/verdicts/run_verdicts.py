"""Verdicts on the page of a run: of a run of judges how far each can be believed, of a run of answers their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.people import Permission, Viewer
from core.runs.states import RunState
from core.verdicts.judged import HEADLINE, AnswerVerdict, Judged
from protocols.recite.judge.tables import check_words, wrong_by_judge
from protocols.recite.judge.tasks import ERROR_LIMIT, GENERATION_TASKS, USUAL_ERROR_LIMIT
from services.acting import ReadContext, consulting
from services.protocols.recite.answers import judged_run_ids
from services.protocols.recite.judged import judge_names, judged_answers
from services.results.results import results
from services.runs.judge_exposure import is_judges, record_run_exposure, withheld
from services.runs.reading import find_run
from store.runs import runs
from store.tables.runs import RunRow

LabelPairs = Mapping[tuple[str, str, str, str], int]
"""(judge, control, expected label, given label) → how many."""


class VerdictPart(StrEnum):
    """Role of a run in judging: none, its answers can be judged, or it is of judges."""

    NONE = ""
    ANSWERS = "answers"
    JUDGES = "judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRun:
    """A run of judges. `checks`: judge → how far it can be believed, and whether it failed; `sections`: status → how
    many were asked about; `labels`: of its controls."""

    run_id: str
    number: int
    checks: Mapping[str, tuple[str, bool]]
    sections: Mapping[str, int]
    labels: LabelPairs


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """F1 of an answer by one judge, or after review; None where it has none, as its `state` says."""

    judge: str
    f1: float | None
    state: Judged
    is_reviewed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLine:
    """An answer of a run, with its scores by each judge, and after review where something was ruled. `variant`: the
    answer's own."""

    item_id: str
    paper: str
    title: str
    model: str
    variant: str
    scores: tuple[JudgeScore, ...]

    @property
    def mean(self) -> float | None:
        """Over the judges that have one, by themselves."""
        own = [each.f1 for each in self.scores if each.f1 is not None and not each.is_reviewed]
        return sum(own) / len(own) if own else None


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run of answers and those that judge it. `lines`: its judged answers by F1, the highest first, those without at
    the end; `can_be_judged`: whether it is over and has graphs of texts; `withholds`: there are no lines because the
    viewer labels verdicts about some."""

    number: int
    protocol: str
    judges: tuple[JudgeRun, ...]
    lines: tuple[JudgedLine, ...]
    can_be_judged: bool
    withholds: bool = False


def part_of(viewer: Viewer, run_id: str) -> VerdictPart:
    """`run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
    if is_judges(row):
        return VerdictPart.JUDGES
    return VerdictPart.ANSWERS if _asks_for_graphs(row) else VerdictPart.NONE


def judge_run(viewer: Viewer, run_id: str) -> JudgeRun:
    """A run of judges. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        found = judged_answers(r.session, row)
        limit = (row.settings.get("wanted") or {}).get(ERROR_LIMIT)
        judges = dict.fromkeys(each.judge for each in found.answers) or dict.fromkeys(judge_names(row).values())
    wrong = wrong_by_judge(results(viewer, [row.id], "controls", with_interval=False)[0])
    limit = USUAL_ERROR_LIMIT if limit is None else float(limit)
    labels: Counter[tuple[str, str, str, str]] = Counter()
    for answer in found.answers:
        for section in answer.sections.values() if answer.control else ():
            for (expected, given), many in section.pairs.items():
                labels[answer.judge, answer.control, expected, given] += many
    return JudgeRun(
        run_id=row.id,
        number=row.number,
        checks={
            judge: (check_words(of, limit), any(share > limit for share in of.values()))
            for judge in judges
            for of in [wrong.get(judge, {})]
        },
        sections=found.sections,
        labels=labels,
    )


def judged_run(viewer: Viewer, run_id: str) -> JudgedRun:
    """Return the verdicts on a run's answers and record an exposure to all of them. `run_id` may be its number. Raises
    Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        if is_judges(row) or not _asks_for_graphs(row):
            return JudgedRun(row.number, row.protocol, (), (), can_be_judged=False)
        rows = [each for each in runs.runs(r.session) if is_judges(each) and row.number in judged_run_ids(each)]
        withholds = not withheld(r).runs.isdisjoint(each.id for each in rows)
        lines = () if withholds else _lines(r, row, rows)
        for each in rows if lines else ():
            record_run_exposure(r, each.settings, each.id)
    judges = tuple(judge_run(viewer, each.id) for each in rows)
    is_done = RunState(row.state) is RunState.DONE
    return JudgedRun(row.number, row.protocol, judges, lines, can_be_judged=is_done, withholds=withholds)


def _asks_for_graphs(row: RunRow) -> bool:
    return bool(set(GENERATION_TASKS) & set((row.settings.get("wanted") or {}).get("tasks", ())))


def _lines(r: ReadContext, row: RunRow, judging: Sequence[RunRow]) -> tuple[JudgedLine, ...]:
    """A judge of several runs is named with its run."""
    form, figure = HEADLINE
    scores: dict[str, list[JudgeScore]] = {}
    about: dict[str, AnswerVerdict] = {}
    for each in judging:
        found = judged_answers(r.session, each)
        of_run = f", run {each.number}" if len(judging) > 1 else ""
        for answers, is_reviewed in ((found.answers, False), (found.reviewed or (), True)):
            for answer in answers:
                if answer.judged_item and answer.answer.startswith(f"run {row.number}/"):
                    value = None if answer.scores is None else getattr(getattr(answer.scores, form), figure).value
                    about.setdefault(answer.judged_item, answer)
                    score = JudgeScore(f"{answer.judge}{of_run}", value, answer.state, is_reviewed)
                    scores.setdefault(answer.judged_item, []).append(score)
    lines = [
        JudgedLine(
            item_id=item,
            paper=about[item].paper,
            title=about[item].title,
            model=about[item].judged,
            variant=about[item].variant.title,
            scores=tuple(of_item),
        )
        for item, of_item in scores.items()
    ]
    return tuple(sorted(lines, key=lambda line: (line.mean is None, -(line.mean or 0.0))))
