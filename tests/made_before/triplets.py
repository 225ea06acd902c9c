"""Forty triplets of our own, as EconCausal's task files hold them. Places, papers and findings are invented."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]
FILES = ("task1", "task2", "task3")
SIGNS = ("+", "-", "None", "mixed")

TOPICS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Minimum wage",
        "Teenage employment",
        (
            ("-", "Orle raised its lowest wage twice within a year; cafés and farms cut hours and hired less."),
            ("None", "In Vask the lowest wage was moved in small steps that had been announced years ahead."),
            ("+", "Employers of the mining town of Tarn had agreed on pay; a higher floor brought young people in."),
            ("mixed", "Across the Lunt islands effects differ: hotels depend on tourists, whereas canneries do not."),
        ),
    ),
    (
        "Minimum wage increase",
        "Employment of teenagers",
        (
            ("-", "A border county of Orle lost jobs to its neighbour after the rise, and schools gained pupils."),
            ("+", "In Vask's capital, shops that had too few people grew once pay improved."),
            ("None", "The plateau villages of Tarn pay most young people in kind."),
            ("-", "Greenhouses on Lunt bought machines, and summer work fell by a third."),
        ),
    ),
    (
        "Bank branch opening",
        "Small firm credit",
        (
            ("+", "A law made branches cheaper in rural Orle; loans to small firms expanded within two years."),
            ("+", "Vask's savings banks were allowed beyond their town, and lending rose."),
            ("None", "In Tarn firms borrowed from relatives before and after the branches came."),
            ("mixed", "Credit varies on Lunt: old firms got more, while new ones got less; it depends on land titles."),
        ),
    ),
    (
        "Branch openings of banks",
        "Credit to small firms",
        (
            ("+", "An auction of licences in Orle brought branches to markets without any; more credit followed."),
            ("-", "In Vask large banks bought the village lenders, and small loans declined."),
            ("mixed", "Tarn's valleys differ: credit increased along the railway and was reduced elsewhere."),
            ("+", "A lottery placed branches on Lunt’s outer islands – the “boat banks” – and lending improved."),
        ),
    ),
    (
        "Policy rate increase",
        "House prices",
        (
            ("-", "Orle's mortgages have variable rates; after each increase fewer homes were sold and prices fell."),
            ("-", "Vask tightened to defend its currency, and prices of flats declined in every district."),
            ("None", "Homes in Tarn are passed on within families and seldom sold."),
            ("+", "On Lunt a rise of the rate drew deposits from abroad, which boosted building land."),
        ),
    ),
    (
        "School meals",
        "Test scores",
        (
            ("+", "Free breakfasts in Orle were drawn by lot among schools; marks in reading improved."),
            ("None", "Vask replaced packed lunches of the same quality."),
            ("mixed", "In Tarn the gains differ by age, vary by sex and depend on the way to school."),
            ("+", "Lunt's cooks were trained for a year, attendance rose, and so did results in arithmetic."),
        ),
    ),
    (
        "Import tariff",
        "Domestic steel output",
        (
            ("+", "Orle put a duty on sheet steel; mills expanded for six years."),
            ("-", "Vask taxed ore and scrap with it: mills paid more, and output was cut."),
            ("None", "Tarn has one mill, which ran at its limit throughout."),
            ("-", "Partners answered the tariff of Lunt with their own, and exports of steel fell."),
        ),
    ),
    (
        "Short selling ban",
        "Stock market liquidity",
        (
            ("-", "During a crisis Orle banned short sales of banks; spreads became worse and fewer orders came."),
            ("-", "Vask's ban covered all shares, and trading was reduced by half."),
            ("None", "Few shares could be lent in Tarn before the ban."),
            ("mixed", "On Lunt liquidity varies: options served large firms, whereas small ones depend on one dealer."),
        ),
    ),
    (
        "Paternity leave",
        "Mothers' earnings",
        (
            ("+", "Orle reserved two months for fathers; mothers returned earlier and earned more."),
            ("None", "In Vask nearly all fathers worked on while on leave."),
            ("+", "A firm in Tarn paid the leave in full, and mothers' hours grew."),
            ("-", "Lunt paid for it by a cut of child benefits; some mothers left work, with lower earnings."),
        ),
    ),
    (
        "Carbon tax",
        "Household energy use",
        (
            ("-", "Orle taxed heating oil and gave the receipts back per head; use fell each winter."),
            ("None", "Rents in Vask include heat, whatever is used."),
            ("mixed", "Effects in Tarn differ: towns have trams, whereas farms depend on cars and vary their crops."),
            ("-", "Ferries of Lunt passed the tax on, and fuel bought by households declined by a tenth. \U0001f6a2"),
        ),
    ),
)
"""Treatment, outcome, and four settings of each with what was found there; neighbours are nearly the same pair."""

VENUES = ("american_economic_review", "Journal of Finance", "Review of Economic Studies", "An invented newsletter")
JEL = ("J, 824", "G21, H2", None, "Q5, q58", "E52")
FIRST_YEAR = 1991


def file_of(name: str) -> bytes:
    """One of `FILES`, as JSON lines."""
    rows = {"task1": task1, "task2": task2, "task3": task3}[name]()
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def task1() -> list[Row]:
    """All forty. One has no context, one no question; the first stands there twice."""
    rows = [{**row, "question": asked(row), "answer": row["sign"]} for row in triplets()]
    rows[38] |= {"context": "", "question": "Which sign has the effect of " + rows[38]["treatment"] + "?"}
    rows[39] |= {"question": None}
    return [*rows, dict(rows[0])]


def task2() -> list[Row]:
    """The first five topics, each beside up to three settings of the pair that is nearly the same."""
    rows = triplets()
    return [with_examples(row, examples_for(rows, number)) for number, row in enumerate(rows[:20])]


def task3() -> list[Row]:
    """Those of the first three topics twice, with examples that all show one sign, which is not the answer."""
    rows, made = triplets(), []
    for number, row in enumerate(rows[:12]):
        wrong = [sign for sign in SIGNS if sign != row["sign"]]
        for shown in wrong[number % 2 : number % 2 + 2]:
            flipped = [{**each, "original_sign": each["sign"], "sign": shown} for each in examples_for(rows, number)]
            made.append(with_examples(row, flipped))
    return made


def triplets() -> list[Row]:
    """One row each. Two neighbouring topics share the papers of their four settings."""
    return [
        {
            **paper(topic // 2 * 4 + place),
            "treatment": treatment,
            "outcome": outcome,
            "sign": sign,
            "context": context,
            "identification_methods": "DiD; event studies" if place % 2 else "others",
        }
        for topic, (treatment, outcome, settings) in enumerate(TOPICS)
        for place, (sign, context) in enumerate(settings)
    ]


def paper(number: int) -> Row:
    return {
        "paper_id": f"m{number + 1:02}",
        "title": f"Invented study {number + 1}: what happened elsewhere",
        "author": "Nobody",
        "publication_year": FIRST_YEAR + number * 7 % 11 if number != 13 else None,
        "published_venue": VENUES[number % 4 if number % 5 else 0],
        "jel_codes": JEL[number % 5],
        "paper_url": f"https://example.org/m{number + 1:02}",
    }


def examples_for(rows: list[Row], number: int) -> list[Row]:
    topic, place = number // 4, number % 4
    other = topic + 1 if topic % 2 == 0 else topic - 1
    near = [rows[other * 4 + each] for each in range(4) if each != place][: 1 + number % 3]
    return [
        {
            "paper_id": each["paper_id"],
            "treatment": each["treatment"],
            "outcome": each["outcome"],
            "sign": each["sign"],
            "avg_similarity": round(0.95 - 0.03 * rank, 4),
        }
        for rank, each in enumerate(near)
    ]


def with_examples(row: Row, examples: list[Row]) -> Row:
    """As released: the examples' contexts are told by the question only."""
    contexts = {(each["paper_id"], each["treatment"]): each["context"] for each in triplets()}
    shown = "\n\n".join(
        f"## Example {number}\nTreatment: {each['treatment']}\nOutcome: {each['outcome']}\n"
        f"Context: {contexts[each['paper_id'], each['treatment']]}\nSign: {each['sign']}"
        for number, each in enumerate(examples, 1)
    )
    question = f"# Reference Examples\n{shown}\n\n{asked(row)}"
    return {**row, "example_details": json.dumps(examples), "question": question, "answer": row["sign"]}


def asked(row: Mapping[str, Any]) -> str:
    return (
        "Say which sign the effect has: '+', '-', 'None' or 'mixed'.\n\n"
        f"# Target Context\n{row['context']}\n\n# Target Pair\nTreatment: {row['treatment']}\n"
        f'Outcome: {row["outcome"]}\n\nAnswer as JSON: {{"predicted_sign": ..., "reasoning": ...}}'
    )
