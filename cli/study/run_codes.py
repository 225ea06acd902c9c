"""Command for codes of failures: the agreement of people who coded lists of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from cli.study.session import JsonOption, StoreOption, opened_study, say
from core.words import counted

if TYPE_CHECKING:
    from core.agreement.codes import CodeAgreement
    from core.estimate import Estimate


def runs_codes(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show how far the coders of failures agree: Krippendorff's alpha of whole sets of codes, and of each code."""
    from services.failures import coding

    with opened_study(store) as viewer:
        agreement, lists = coding.agreement(viewer)
    say({"lists": lists, **asdict(agreement)}, _in_words(agreement, lists), as_json)


def _in_words(agreement: CodeAgreement, lists: int) -> str:
    if not lists:
        return "No list of failures is coded yet."
    return "\n".join(
        [
            f"{counted(agreement.answers, 'answer')} of {counted(lists, 'list')}: the same codes "
            f"{_number(agreement.same)}, α {_number(agreement.alpha)}",
            *(
                f"  {each.code}: {each.by_all:,} by both, {each.by_any:,} by any of {each.answers:,}, "
                f"α {_number(each.alpha)}"
                for each in agreement.of_codes
            ),
        ]
    )


def _number(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.3f}"
