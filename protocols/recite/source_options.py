"""What a run may choose of releases, tables of samples, and answers to judge."""

from __future__ import annotations

from core.runs.options import OptionKind, RunOption
from protocols.recite.judge.tasks import ANSWERS, asks_for_graphs, judges
from protocols.recite.tasks import NAMES, RELEASE, STANDARD, TABLE, VARIANT_TITLES

ALL_VARIANTS = "all"
OF_RELEASE = RunOption(
    name="release",
    has_flag=True,
    source=RELEASE,
    title="Release",
    kind=OptionKind.WHOLE,
    least=1,
    when=asks_for_graphs,
    help="Number of a release of this study. Its figures with a text are the samples.",
)
OF_TABLE = RunOption(
    name="table",
    has_flag=True,
    source=TABLE,
    title="Table of samples",
    kind=OptionKind.TEXT,
    when=asks_for_graphs,
    help="ID of an imported table of samples; in a command also its title, or a Parquet file, imported if it is new. "
    "Its rows with a text are the samples.",
)
OF_RUNS = RunOption(
    name="of",
    has_flag=True,
    source=ANSWERS,
    title="Runs to judge",
    kind=OptionKind.TEXT,
    help="Numbers or IDs of finished runs, separated by commas. Their answers are judged.",
    when=judges,
)
OF_MODELS = RunOption(
    name="judged_models",
    source=ANSWERS,
    title="Models to judge",
    kind=OptionKind.TEXT,
    help="Names of models and baselines of these runs, separated by commas. Empty: all.",
    when=judges,
)
OF_VARIANTS = RunOption(
    name="judged_variants",
    source=ANSWERS,
    title="Variants to judge",
    kind=OptionKind.SEVERAL,
    default=ALL_VARIANTS,
    choices={name: VARIANT_TITLES[name] for name in (STANDARD, NAMES)},
    help="Of the answers of these runs. Each variant has rows of its own in every table.",
    when=judges,
)
SOURCE_OPTIONS = (OF_RELEASE, OF_TABLE, OF_RUNS, OF_MODELS, OF_VARIANTS)
