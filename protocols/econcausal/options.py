"""Options of runs whose samples are built from triplets."""

from __future__ import annotations

from core.runs.options import OptionFlag, OptionKind, RunOption, Settings
from protocols.econcausal.tasks import CONTEXT, DEFAULTS, FLIP_RULES, TASK2, TASK3


def is_built(settings: Settings) -> bool:
    """Return True if samples are drawn and matched from triplets; otherwise each row of a task file is one."""
    return bool(settings["source"]["is_built"])


def matches(settings: Settings) -> bool:
    """Return True if a requested task shows comparable pairs, which need vectors."""
    tasks, variants = settings.get("tasks") or (), settings.get("variants") or ()
    return CONTEXT in variants and any(task in (TASK2, TASK3) for task in tasks) and is_built(settings)


OPTIONS = (
    RunOption(
        name="per_stratum",
        has_flag=True,
        title="Triplets per year and domain",
        of="task 1",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["per_stratum"],
        least=1,
        most=1_000_000,
        when=is_built,
    ),
    RunOption(
        name="embedder",
        has_flag=True,
        title="Vectors for comparable pairs",
        kind=OptionKind.EMBEDDER,
        help="Built-in vectors compare letters and need no network. Vectors of an endpoint compare meanings.",
        default=DEFAULTS["embedder"],
        when=is_built,
    ),
    RunOption(
        name="flip_rule",
        has_flag=True,
        title="False signs",
        of="task 3",
        kind=OptionKind.CHOICE,
        help=(
            "example-sign: differs from the example's own sign (the paper's rule). target-sign: differs from the "
            "true answer (the released file's rule)."
        ),
        default=DEFAULTS["flip_rule"],
        choices={name: name for name in FLIP_RULES},
        when=is_built,
    ),
    RunOption(
        name="threshold",
        has_flag=True,
        title="Minimum similarity",
        kind=OptionKind.NUMBER,
        default=DEFAULTS["threshold"],
        least=0,
        most=1,
        step=0.05,
        when=is_built,
    ),
    RunOption(
        name="most_examples",
        title="Maximum examples",
        kind=OptionKind.WHOLE,
        default=DEFAULTS["most_examples"],
        least=1,
        most=100,
        when=is_built,
    ),
)
FLAGS = (
    OptionFlag(
        name="input_dir",
        takes="file",
        help="Folder of task files (and jel.csv), of PDFs or of abstracts; a dry run imports none.",
    ),
    OptionFlag(name="collection", takes="values", help="ID or title of a collection in the study; may be repeated."),
    OptionFlag(name="build", takes="switch", help="Build samples from triplets instead of reading task files."),
)
