"""Task, form of the answer, options and defaults of figure reading."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.labels import LabelSet
from core.runs.filters import ListedFacts
from core.runs.options import OptionKind, RunOption
from core.steps import Step, StepKind
from prompts.placeholders import Placeholders
from protocols.protocol import FigureTask
from protocols.replies.schema import ReplyField, ReplySchema
from protocols.replies.shapes import Key, LabelShape, ListShape, NumberShape, ObjectShape, TextShape

NAME = "figure-reading"
TITLE = "Figure reading"
VERSION = "figure-reading-1"  # changes whenever a sample or a reading could

FIGURES = "figures"  # the source: figures of the study with the names read in them
ROUNDS = 2  # A faulty answer is requested once more, with its faults
ASK = Step(name="ask", title="Answers", kind=StepKind.ASK, takes=(FIGURES,), rounds=ROUNDS)
TASK, VARIANT = "edges", "with-names"
TASKS = (FigureTask(TASK, "Edges of a figure", (VARIANT,)),)
VARIANT_TITLES: Mapping[str, str] = MappingProxyType({VARIANT: "with the names that were read"})

READ, AGAIN = "figures/read", "figures/again"
NEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {READ: frozenset({"picture", "names", "next"}), AGAIN: frozenset({"faults", "last", "next"})}
)
"""Prompt → its placeholders, all required."""
PLACEHOLDERS = Placeholders(braces=frozenset({name for names in NEEDED.values() for name in names}))

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"repeats": 1, "seed": 1, "prompts": "built in", "temperature": 0.0, "max_tokens": 4_000}
)

WAITING, ALL = "waiting", "all"
USUAL_DPI = "150"
WHICH = RunOption(
    name="figures",
    source=FIGURES,
    title="Figures",
    kind=OptionKind.TEXT,
    default=WAITING,
    help='"waiting": figures for which a transcription is still wanted. "all": every located figure. Otherwise IDs of '
    "figures, separated by commas.",
)
DPI = RunOption(
    name="dpi",
    source=FIGURES,
    title="Resolution (dpi)",
    kind=OptionKind.CHOICE,
    default=USUAL_DPI,
    choices={each: each for each in ("100", "150", "200", "300")},
    help="Of the picture that is sent. A figure that is a picture keeps its own pixels.",
)
OPTIONS = (WHICH, DPI)

MOST_EDGES, MOST_MISSING = 500, 100
LONGEST_MISSING = 300  # characters; as for any name
NO_SIGN = "none"
SIGNS = LabelSet(
    "printed sign",
    ("+", "-"),
    MappingProxyType(
        {"+": "+", "positive": "+", "-": "-", "\N{MINUS SIGN}": "-", "negative": "-", NO_SIGN: NO_SIGN, "": NO_SIGN}
    ),
    (NO_SIGN,),
)
_NUMBER = NumberShape(1, is_whole=True)
SHAPE = ObjectShape(
    (
        Key(
            "edges",
            ListShape(
                ObjectShape((Key("from", _NUMBER), Key("to", _NUMBER), Key("sign", LabelShape(SIGNS)))), most=MOST_EDGES
            ),
        ),
        Key(
            "missing",
            ListShape(
                ObjectShape((Key("number", _NUMBER), Key("name", TextShape(LONGEST_MISSING, fewest=1)))),
                most=MOST_MISSING,
            ),
            is_required=False,
        ),
    )
)
SCHEMA = ReplySchema("figure_reading", (ReplyField("edges"), ReplyField("missing")))
"""The keys; `SHAPE` has their content. No baseline uses it."""

LISTED = ListedFacts(
    filters={},
    searched=("title", "label", "figure"),
    search_words="Paper, figure",
    shown={"title": "Paper", "label": "Figure", "place": "Place", "figure": "Figure ID"},
    is_right_or_wrong=False,
)
