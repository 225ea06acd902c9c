"""Results that Lee et al. 2025 print of their models, for comparison. Facts from the paper, unchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.presets import PublishedTable
from protocols.lee.tasks import CLOSED, OPEN, TYPE_TITLES, VARIANT_TITLES

ALL = "all"
_COLUMNS = (ALL, *TYPE_TITLES.values())
_MODELS: Mapping[str, Sequence[tuple[float, float]]] = {
    # (accuracy, F1) of all, and of types 1 to 5
    "GPT-5": (
        (0.2935, 0.3202),
        (0.2930, 0.2266),
        (0.3287, 0.2854),
        (0.2471, 0.2103),
        (0.2637, 0.2352),
        (0.3443, 0.3493),
    ),
    "GPT-5-mini": (
        (0.3516, 0.4157),
        (0.2594, 0.2060),
        (0.3100, 0.2568),
        (0.2411, 0.2024),
        (0.2535, 0.2199),
        (0.6532, 0.5216),
    ),
    "DeepSeek-R1-0528": (
        (0.4034, 0.4115),
        (0.4794, 0.3241),
        (0.4372, 0.4334),
        (0.2765, 0.2645),
        (0.3081, 0.3067),
        (0.5019, 0.4412),
    ),
    "Llama-3.3-70B": (
        (0.4782, 0.4521),
        (0.5440, 0.3524),
        (0.4744, 0.4743),
        (0.3187, 0.3089),
        (0.4392, 0.4389),
        (0.5641, 0.4613),
    ),
    "Llama-3.1-8B": (
        (0.5298, 0.3941),
        (0.5686, 0.3625),
        (0.5873, 0.5581),
        (0.6095, 0.5686),
        (0.6452, 0.5720),
        (0.3165, 0.2944),
    ),
    "Mistral-medium-2505": (
        (0.2701, 0.2670),
        (0.1583, 0.1367),
        (0.3765, 0.3537),
        (0.2480, 0.2127),
        (0.3101, 0.2986),
        (0.3150, 0.2759),
    ),
    "QwQ-32B": (
        (0.5416, 0.4874),
        (0.5972, 0.3739),
        (0.5157, 0.5055),
        (0.3049, 0.3048),
        (0.4606, 0.4374),
        (0.7433, 0.5220),
    ),
    "Qwen3-32B": (
        (0.5758, 0.5128),
        (0.7132, 0.4163),
        (0.5299, 0.5235),
        (0.3509, 0.3478),
        (0.4892, 0.4701),
        (0.7016, 0.5256),
    ),
    "Average": (
        (0.4293, 0.4076),
        (0.4516, 0.2986),
        (0.4450, 0.4238),
        (0.3246, 0.3025),
        (0.3824, 0.3723),
        (0.5175, 0.4239),
    ),
}
_TABLE_7: Mapping[str, tuple[Sequence[float], Sequence[float]]] = {
    # closed and open, in per cent, of all and of types 1 to 5
    "accuracy": ((35.16, 25.94, 31.00, 24.11, 25.35, 65.32), (48.86, 58.80, 40.65, 26.68, 33.24, 74.57)),
    "macro_f1": ((41.57, 20.60, 25.68, 20.24, 21.99, 52.16), (47.56, 37.03, 38.84, 24.01, 32.43, 52.22)),
}
_LETTERS = {"A": 0.325, "B": 0.442, "I": 0.354, "P": 0.448, "Y": 0.344, "Z": 0.450}
_ERRORS = {
    "accuracy": "The eight accuracies have a mean of 43.1% over all types and 39.6% in type 4; the averages differ.",
    "macro_f1": "The eight scores of type 1 have a mean of 0.300; the average differs.",
}


def _models(metric: str, place: int) -> PublishedTable:
    return PublishedTable(
        metric=metric,
        source="Tables 5 and 6",
        cells={
            (model, column): pair[place]
            for model, pairs in _MODELS.items()
            for column, pair in zip(_COLUMNS, pairs, strict=True)
        },
        note=_ERRORS[metric],
    )


def _books(metric: str) -> PublishedTable:
    sides = dict(zip((CLOSED, OPEN), _TABLE_7[metric], strict=True))
    return PublishedTable(
        metric=metric,
        source="Table 7",
        cells={
            ("GPT-5-mini", f"{column} · {VARIANT_TITLES[variant]}"): value / 100
            for place, column in enumerate(_COLUMNS)
            for variant, values in sides.items()
            for value in (values[place],)
        },
    )


def _differences(metric: str) -> PublishedTable:
    closed, opened = _TABLE_7[metric]
    return PublishedTable(
        metric=f"difference:{metric}",
        source="Table 7",
        cells={
            ("GPT-5-mini", column): round(after - before, 2)
            for column, before, after in zip(_COLUMNS, closed, opened, strict=True)
        },
        note="Of an open-book sample of 10% beside the whole closed set, so that these are not paired.",
    )


MODELS = (_models("accuracy", 0), _models("macro_f1", 1))
BOOKS = (_differences("accuracy"), _differences("macro_f1"), _books("accuracy"), _books("macro_f1"))
LETTERS = (
    PublishedTable(
        metric="accuracy",
        source="Section 4.5",
        cells={("Average of eight models", letter): value for letter, value in _LETTERS.items()},
        note="The paper names six letters. All are below its average of type 1, 45.2%, which is of the same answers.",
    ),
)
