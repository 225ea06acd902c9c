"""Write `ppi.json`: the corrected means of 200 seeded inputs by ppi-python 0.2.3, which is no dependency.

In an environment of its own: `pip install ppi-python==0.2.3`, then `python tests/core/scoring/ppi/make.py`."""

from __future__ import annotations

import json
import random
from pathlib import Path

RESULTS = Path(__file__).with_name("ppi.json")
INPUTS = 200


def drawn(seed: int) -> tuple[list[float], list[float], list[float]]:
    """Return labels of people, a judge's scores of these rows, and its scores of others; of every third seed scores of
    0 and 1, of every fifth a judge that knows nothing."""
    draw = random.Random(seed)

    def row() -> tuple[float, float]:
        person = draw.betavariate(2, 1)
        judge = draw.random() if seed % 5 == 0 else person + draw.gauss(0.1, 0.2)
        return (round(person), round(min(1.0, max(0.0, judge)))) if seed % 3 == 0 else (person, judge)

    labelled, others = ([row() for _ in range(draw.randint(8, 150))] for _ in range(2))
    # Both scores of the judge occur, so that its variance is not 0.
    return [y for y, _ in labelled], [0.0, 1.0, *(f for _, f in labelled[2:])], [f for _, f in others]


def main() -> None:
    import numpy as np
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
    from scipy.stats import norm

    results = []
    for seed in range(INPUTS):
        y, f, others = (np.array(values) for values in drawn(seed))
        low, high = (float(each[0]) for each in ppi_mean_ci(y, f, others, alpha=0.05))
        value = float(np.ravel(ppi_mean_pointestimate(y, f, others))[0])
        results.append({"value": value, "se": (high - low) / 2 / float(norm.ppf(0.975))})
    lines = ",\n".join(json.dumps(each) for each in results)
    RESULTS.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
