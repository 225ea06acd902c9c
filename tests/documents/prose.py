"""Sentences of a made paper: about its system, about numbers and places, with names of nodes or without any.

None of them names a figure, a diagram or a loop, so that whatever a paper's text gives away was planted in it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

PLACES = ("the valley", "the northern districts", "the two towns", "the coastal plain", "the lower basin", "the city")
PEOPLE = ("the farmers", "most households", "the managers", "local officials", "the nurses", "the operators")
THINGS = ("a second survey", "the monthly records", "our interviews", "the archive", "the budget reports")
TIMES = ("in most years", "after the reform", "within two seasons", "before the census", "during the drought")
NUMBERS = ("12", "27", "3.5", "41", "1,204", "68", "0.7", "19", "2.25", "350")
CLEAN = (
    "{Things} cover {number} cases from {place}, and {people} confirmed them {time}.",
    "{People} described the same events in other words, although {things} disagree about their order.",
    "A sensitivity analysis with {number} runs changed none of the conclusions.",
    "It is not obvious why {place} should differ from the rest of the country, yet {things} leave little doubt.",
    "We coded each answer twice; where two coders disagreed, a third one decided.",
    "In {place} the share rose to {number} %, which {people} regard as an upper limit.",
    "What follows rests on {things} and on conversations with {people} {time}.",
    "The well-known argument of the older literature does not hold for {place}.",
    "{People} had expected this outcome {time}, but hardly anyone had prepared for it.",
    "Costs per household ranged from {number} to 4,800 (median 910) and were reported by {people} themselves.",
    "Three of these decisions, e.g. the closure of the old station, were reversed {time}.",
    "Such behaviour is slow to start and slow to end: it took {people} years to notice it.",
    "The model was calibrated on {things}; its mean absolute error was {number} units.",
    "Readers who know {place} will recognise the pattern, and those who do not can find it in {things}.",
    "Because records begin in 1987, earlier years could not be compared.",
)
ABOUT_ONE = (
    "{A} was measured {time} and stayed near {number} units.",
    "According to {people}, {a} is what matters most in {place}.",
    "No single indicator captures {a}, so {number} of them were combined.",
    "The level of {a} differs between {place} and its neighbours.",
)
ABOUT_TWO = (
    "When {a} goes up, {b} tends to follow {time}.",
    "{People} in {place} believe that {a} changes {b}, and {things} support them.",
    "A rise in {a} was followed by a change of {b} in {number} of the cases.",
    "Whether {a} acts on {b} directly, or only through what people expect, remains open.",
    "Without {a} there would be no reason to discuss {b} at all.",
)
NEGATIVES = (
    "The scale runs 1 -> 5, where 5 means full agreement.",
    "Rates fell from 14 → 9 per thousand between the two counts.",
    "Wards R1 and B2 were left out because their records are incomplete.",
    "{A}, {b} and other quantities were taken from {things}.",
    "We read {a}, {b} and the rest of the list aloud to {people}.",
    "The word loop has no meaning for {people}; they speak of habits.",
    "The district (R2) reported {a} every month, and {number} other districts did not.",
)
"""What a careless search would take for a leak."""
ASKED = (
    "How often did you travel to {place} {time}, and why?",
    "Would you show us {things} if we asked again next spring?",
    "Please rank {number} items on the card from worst to best.",
    "Do you agree that {people} ought to be consulted {time}?",
)
HEADINGS = (
    "Introduction",
    "Study area",
    "Earlier work",
    "How the interviews were made",
    "What people told us",
    "Measurement",
    "Behaviour over time",
    "Sensitivity of the outcome",
    "Policies and their side effects",
    "Limits of this study",
    "Discussion",
    "Conclusions",
)
ADJECTIVES = (
    "river", "staff", "seed", "public", "seasonal", "household", "perceived", "urban", "soil", "market", "school",
    "night", "winter", "reported", "shared", "planned", "private", "rural",
)  # fmt: skip
NOUNS = (
    "inflow", "workload", "price", "trust", "migration", "income", "risk", "density", "moisture", "share", "enrolment",
    "traffic", "demand", "absence", "capacity", "investment", "debt", "employment",
)  # fmt: skip
SURNAMES = ("Adeyemi", "Brandt", "Costa", "Dvořák", "Eriksen", "Fontaine", "Gupta", "Hayashi", "Ibarra", "Jansen")
TOPICS = ("Feedback and delay", "Slow variables", "Growth and its limits", "Shared resources", "Learning to wait")


def sentence(draw: random.Random, forms: Sequence[str], a: str = "", b: str = "") -> str:
    """One of `forms` filled in."""
    place, people, things = draw.choice(PLACES), draw.choice(PEOPLE), draw.choice(THINGS)
    text = draw.choice(forms).format(
        place=place, people=people, things=things, time=draw.choice(TIMES), number=draw.choice(NUMBERS), a=a, b=b,
        People=people.capitalize(), Things=things.capitalize(), A=a[:1].upper() + a[1:],
    )  # fmt: skip
    return text[0].upper() + text[1:]
