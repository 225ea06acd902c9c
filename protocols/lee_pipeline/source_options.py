"""What a run may choose of abstracts and JEL codes."""

from __future__ import annotations

from core.runs.options import OptionKind, RunOption
from core.triplets.corpus import FIRST_YEAR, LAST_YEAR
from core.triplets.venues import JOURNALS
from protocols.lee_pipeline.tasks import ABSTRACTS
from protocols.lee_pipeline.tasks import CODES as JEL_TITLES

ANY_JOURNAL = "any"
CORPUS = RunOption(
    name="corpus",
    source=ABSTRACTS,
    title="Corpora",
    kind=OptionKind.TEXT,
    help="IDs or titles of corpora of abstracts, separated by commas. Empty: every corpus.",
)
CODES = RunOption(
    name="codes",
    source=JEL_TITLES,
    title="JEL codes",
    kind=OptionKind.TEXT,
    help="Lines of code and title, with the heading code,title. Empty: letters are those of the papers.",
)
SOURCE_OPTIONS = (
    CORPUS,
    RunOption(
        name="journals",
        source=ABSTRACTS,
        title="Journals",
        kind=OptionKind.SEVERAL,
        default=",".join(JOURNALS),
        choices={**{name: name for name in JOURNALS}, ANY_JOURNAL: "Any journal"},
    ),
    RunOption(
        name="first_year",
        source=ABSTRACTS,
        title="First year",
        kind=OptionKind.WHOLE,
        default=FIRST_YEAR,
        least=1500,
        most=2200,
    ),
    RunOption(
        name="last_year",
        source=ABSTRACTS,
        title="Last year",
        kind=OptionKind.WHOLE,
        default=LAST_YEAR,
        least=1500,
        most=2200,
    ),
    RunOption(
        name="most_per_year",
        source=ABSTRACTS,
        title="Maximum abstracts per year",
        kind=OptionKind.WHOLE,
        least=1,
        most=100_000,
        help="Drawn at random.",
        empty="all",
    ),
    CODES,
)
