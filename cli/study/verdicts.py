"""Verdicts of judges: sheets for reviewers, quality of judges, and reviewers' work as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.study.session import JsonOption, StoreOption, new_id, opened_study, say
from core.estimate import Estimate
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.review import DrawnBy
from core.words import counted, ends

if TYPE_CHECKING:
    from core.verdicts.agreement import FieldAgreement, Place
    from core.verdicts.audit import JudgeAudit
    from core.verdicts.corrections import CorrectedScores
    from core.verdicts.judges import JudgePair, JudgesCompared
    from services.verdicts.audit import RunAudit
    from services.verdicts.corrections import ModelScores
    from services.verdicts.judges import RunJudges

app = typer.Typer(no_args_is_help=True, help="Verdicts of judges: draw sheets, audit judges, export.")

RunOption = Annotated[str, typer.Option("--run", help="Number or ID of a run of judges.")]


@app.command("draw")
def draw(
    run: RunOption,
    by: Annotated[DrawnBy, typer.Option("--by", help="random, stratified or disagreement.")] = DrawnBy.RANDOM,
    items: Annotated[int, typer.Option("--items", help="About how many items.")] = 48,
    seed: Annotated[int, typer.Option("--seed", help="Random seed; further random draws of a run take the same.")] = 1,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw sheets of verdict items for reviewers. Only those drawn at random say how good a judge is."""
    with opened_study(store) as viewer:
        from services.verdicts import samples

        receipt = samples.draw(viewer, run, by, items, seed, act_id=new_id())
        lines = samples.drawn_of(viewer, run)
    data = {
        "run": run,
        "items": receipt.version,
        "drawn": [
            {
                "by": line.drawn_by.value,
                "seed": line.seed,
                "sheets": line.sheets,
                "items": line.items,
                "submitted": line.submitted,
            }
            for line in lines
        ],
    }
    say(data, f"Drew {counted(receipt.version, 'item')} of run {run} ({by.value}).", as_json)


@app.command("audit")
def audit(run: RunOption, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show how good each judge of a run is, from labels given before its own were shown, and how its judges compare."""
    with opened_study(store) as viewer:
        from services.verdicts import audit as auditing
        from services.verdicts import judges

        report, judges_compared = auditing.audit_run(viewer, run), judges.judges_of(viewer, run)
    words = "\n".join([_in_words(report), *_judges_in_words(judges_compared)])
    say(_as_json(report) | {"between_judges": _judges_json(judges_compared)}, words, as_json)


@app.command("export")
def export(
    run: RunOption,
    folder: Annotated[Path, typer.Option("--to", help="Folder for the files.")] = Path(),
    is_json: Annotated[bool, typer.Option("--as-json", help="One JSON file instead of three CSV files.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write sheets, labels and rulings of a run's reviewers, people by pseudonym."""
    with opened_study(store) as viewer:
        from services.verdicts import exporting

        files = exporting.export(viewer, run, as_json=is_json)
    folder.mkdir(parents=True, exist_ok=True)
    for each in files:
        (folder / each.name).write_bytes(each.content)
    written = [str(folder / each.name) for each in files]
    say({"files": written}, "\n".join(f"Wrote {name}." for name in written), as_json)


# --- the audit in words and JSON -----------------------------------------------------------------------------------


def _as_json(report: RunAudit) -> dict[str, Any]:
    judges: list[dict[str, Any]] = []
    for (variant, judge), each in report.judges.items():
        answers = report.answers[variant, judge]
        figures = {name: _plain(getattr(answers, name)) for name in ("judge", "person", "bias")}
        judges.append(
            {"judge": judge, "variant": variant.title}
            | _judge_json(each, report.corrected[variant, judge])
            | {"whole_answers": {"n": answers.n, **figures}}
        )
    return {
        "run": report.number,
        "raters": report.raters,
        "label_first": report.settings.label_first,
        "hides_models": report.settings.hides_models,
        "left_out": dict(report.left_out),
        "other_items": report.other_items,
        "judges": judges,
        "people": [
            {"variant": variant.title, "per_field": _fields_json(fields)} for variant, fields in report.people.items()
        ],
    }


def _judge_json(judge_audit: JudgeAudit, corrected: ModelScores) -> dict[str, Any]:
    return {
        "n": judge_audit.n,
        "samples": judge_audit.samples,
        "fit_unattended": judge_audit.is_fit_unattended,
        **_scores_json(corrected[""]),
        "models": [
            {
                "model": model,
                **_scores_json(scores),
                "sections": {
                    section.value: {
                        "items": each.items,
                        "labelled": each.labelled,
                        "measured": _plain(each.measured),
                        "corrected": _plain(each.corrected),
                        "labels_missing": _plain(each.labels_missing),
                    }
                    for section, each in scores.sections.items()
                },
            }
            for model, scores in corrected.items()
            if model
        ],
        "sections": {
            section.value: {
                "n": each.n,
                "judge": _plain(each.judge),
                "person": _plain(each.person),
                "bias": _plain(each.bias),
                "sensitivity": _plain(each.sensitivity),
                "specificity": _plain(each.specificity),
            }
            for section, each in judge_audit.sections.items()
        },
        "per_field": _fields_json(judge_audit.fields),
    }


def _scores_json(scores: CorrectedScores) -> dict[str, Any]:
    return {"measured_f1": _plain(scores.measured_f1), "corrected_f1": _plain(scores.corrected_f1)}


def _fields_json(by_place: Any) -> dict[str, Any]:
    fields: dict[Place, FieldAgreement] = dict(by_place)
    return {
        f"{section.value}.{block.value}.{field}": {
            "n": each.n,
            "raw": _plain(each.raw),
            "kappa": _plain(each.kappa),
            "alpha": _plain(each.alpha),
            "ac1": _plain(each.ac1),
            "left_out": each.left_out,
            "confusion": {one: dict(others) for one, others in each.confusion.items()},
        }
        for (section, block, field), each in fields.items()
    }


def _judges_json(run_judges: RunJudges) -> dict[str, Any]:
    return {
        "seed": run_judges.seed,
        "variants": [
            {"variant": variant.title} | _compared_json(compared) for variant, compared in run_judges.compared.items()
        ],
        "order": [
            {
                "judge": each.judge,
                "control": each.control,
                "against": each.against,
                "difference": _plain(each.difference),
                "largest": each.largest,
            }
            for each in run_judges.orders
        ],
    }


def _compared_json(compared: JudgesCompared) -> dict[str, Any]:
    return {
        "judges": list(compared.judges),
        "shared": [_pair_json(each) for each in compared.shared],
        "by_all": {
            "answers": compared.answers_by_all,
            "pairs": [_pair_json(each) for each in compared.by_all],
        },
        "families": [
            {"first": each.first, "second": each.second, "family": each.family, "difference": _plain(each.difference)}
            for each in compared.families
        ],
        "own_family": [
            {
                "judge": each.judge,
                "other": each.other,
                "family": each.family,
                "own": _plain(each.own),
                "others": _plain(each.others),
                "bias": _plain(each.bias),
                "p": _plain(each.p),
                "adjusted": _plain(each.adjusted),
            }
            for each in compared.own
        ],
        "without_family": list(compared.without_family),
        "repeats": [
            {
                "judge": each.judge,
                "answers": each.answers,
                "apart": _plain(each.apart),
                "items": each.items,
                "equal": _plain(each.equal),
            }
            for each in compared.repeats
        ],
        "labels": [
            {"first": first, "second": second, "per_field": _fields_json(fields)}
            for (first, second), fields in compared.labels.items()
        ],
    }


def _pair_json(each: JudgePair) -> dict[str, Any]:
    return {
        "first": each.first,
        "second": each.second,
        "n": each.n,
        "asked": each.asked,
        "r": _plain(each.r),
        "difference": _plain(each.difference),
        "sd": each.sd,
    }


def _plain(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "reason": estimate.reason,
    }


def _in_words(report: RunAudit) -> str:
    from core.verdicts.agreement import format_left_out

    lines = [f"Run {report.number}: {counted(report.raters, 'rater')}. {report.settings.description}"]
    if not report.judges:
        lines.append("No item of a random draw was labelled before the judges' labels were shown.")
    for (variant, judge), each in report.judges.items():
        lines += [
            f"{judge}, {variant.title}: {counted(each.n, 'item')} of {counted(each.samples, 'sample')}",
            *(
                f"  F1 of {model or 'all models'}: measured {_format(scores.measured_f1)}, "
                f"corrected by people's labels {_format(scores.corrected_f1)}"
                for model, scores in report.corrected[variant, judge].items()
            ),
            f"  lowest κ of presence {_format(each.presence)}"
            + ("" if each.is_fit_unattended is not False else ": do not use unattended (below 0.6, a rule of thumb)"),
        ]
        lines += [
            f"  {SECTION_WORDS[section]}: judge {_format(part.judge)}, people {_format(part.person)}, "
            f"bias {_format(part.bias)}, finds {_format(part.sensitivity)} of matches"
            for section, part in each.sections.items()
        ]
        if (whole := report.answers[variant, judge]).n:
            lines.append(f"  F1 of {counted(whole.n, 'answer')} labelled whole: bias {_format(whole.bias)}")
    lines += [f"left out: {counted(many, 'item')}, {why}" for why, many in report.left_out.items()]
    compared = {f"{judge} and people, {variant.title}": each.fields for (variant, judge), each in report.judges.items()}
    compared |= {f"People, {variant.title}": fields for variant, fields in report.people.items()}
    lines += filter(None, (format_left_out(between, fields) for between, fields in compared.items()))
    return "\n".join(lines)


def _judges_in_words(run_judges: RunJudges) -> list[str]:
    from core.verdicts.agreement import format_left_out

    lines, left_out = [], []
    for variant, compared in run_judges.compared.items():
        lines += [
            f"{each.first} − {each.second}, {variant.title}: {_format(each.difference)} over "
            f"{each.n:,} of {counted(each.asked, 'answer')}, r {_format(each.r)}"
            for each in compared.shared
        ]
        own = [each for each in compared.own if each.bias.value is not None]
        lines += [
            f"{each.judge} beside {each.other}, {variant.title}, own family {each.family}: {_format(each.bias)}, "
            f"p {_format(each.p)}, without a line on mean F1 {_format(each.adjusted)}"
            for each in own
        ]
        lines += [
            f"{each.judge} asked again, {variant.title}: {_format(each.equal)} of labels equal"
            for each in compared.repeats
        ]
        left_out += [format_left_out(" and ".join(pair), fields) for pair, fields in compared.labels.items()]
    lines += [
        f"{each.judge}: control {each.control} − {each.against}: {_format(each.difference)}"
        for each in run_judges.orders
    ]
    return [*lines, *filter(None, left_out)]


def _format(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"– ({estimate.reason})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({ends(f'{estimate.low:.3f}', f'{estimate.high:.3f}')})"
