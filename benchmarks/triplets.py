"""10,490 triplets imported, and a thousand draws of whole papers, compared with pandas and loops.

Import: a file of the size and form of EconCausal's task files, checked, with papers, history and every cell, on SQLite
with every write synced, by a process that collects garbage as the server does; the child that reads files is running,
as it is once the Import screen is open. Peers: pandas.read_json and to_sql (one flat table, no check, no history), and
one Session.add and one commit a row, as tutorials write it. Goal: at least 10 times faster than the latter, at most 3
times as long as the former. Bootstrap of error and alpha over papers, 1,000 draws: goal at least 20 times faster than a
loop over the same draws, every value equal to 1e-12. Memory: peak resident size of a process that only imports.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

import krippendorff
import numpy as np
import pandas as pd
from sqlalchemy import create_engine
from sqlmodel import Session, SQLModel

from benchmarks.harness import quantiles, row
from benchmarks.memory import highest_mb
from core.agreement.alpha import columns_of, statistic_of
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Array, Codes
from core.agreement.scored import ScorePair, pair_table
from core.scoring.interval import Resampling, drawn_units, resampled_sums
from services.acting import new_act_id, terminal_viewer
from services.study import Study, open_study, use_study
from services.triplets import importing
from settings import GARBAGE
from store.tables import TripletPaperRow, TripletRow

TRIPLETS, PAPERS, EACH = 10_490, 2_595, 1_000
"""As many as EconCausal kept; of the peer that commits each row, `EACH` are written and the time is scaled."""
IMPORT_GOAL, PANDAS_GOAL, DRAWS_GOAL = 10, 3, 20
START_S = 1
"""For the child to have loaded its readers."""
HOW = Resampling(seed=1, draws=1_000)
PAIRS, CLUSTERS = 3_000, 800
Result = TypeVar("Result")


def measure() -> None:
    content = made_up()
    print(f"{TRIPLETS:,} triplets of {PAPERS:,} papers, {len(content) / 1e6:.1f} MB of JSON lines")
    with tempfile.TemporaryDirectory() as folder:
        _measure_import(Path(folder), content)
    _measure_draws()


def made_up() -> bytes:
    """Return rows as long as those of task 1, some with signs None, bare NaN and codes older than 1991."""
    rng = random.Random(3)
    words = ["wages", "prices", "trade", "policy", "of", "the", "firms", "in a market", "with", "–", "and", "“more”"]
    signs = ["+", "+", "-", "None", "mixed"]
    lines = []
    for n in range(TRIPLETS):
        context = " ".join(rng.choices(words, k=110))
        row = {
            "paper_id": n % PAPERS,
            "title": f"The effect number {n % PAPERS} of one thing on another",
            "author": "First Author, Second Author",
            "publication_year": 1991 + n % PAPERS % 35,
            "published_venue": "journal_of_finance" if n % PAPERS % 3 else "american_economic_review",
            "jel_codes": float("nan") if n % PAPERS % 16 == 0 else "J31, 820",
            "paper_url": f"https://example.org/w{n % PAPERS}",
            "treatment": f"Treatment {n}",
            "outcome": f"Outcome {n}",
            "sign": rng.choice(signs),
            "context": context,
            "identification_methods": "IV; DiD",
            "question": f"# Role\n{context}\n{context}",
            "answer": "+",
        }
        lines.append(json.dumps(row, ensure_ascii=False))
    return ("\n".join(lines) + "\n").encode()


# --- bringing in --------------------------------------------------------------------------------------------------


def _measure_import(folder: Path, content: bytes) -> None:
    path = folder / "triplets.jsonl"
    path.write_bytes(content)
    edgewise, plain = [], []
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    for number in range(3):
        study = open_study(str(folder / f"{number}.edgewise"), folder)
        study.file_pool.start_ahead()
        time.sleep(START_S)
        edgewise.append(_timed(partial(_import, study, content))[1])
        study.close()
        plain.append(_timed(partial(_by_pandas, folder / f"pandas{number}.db", path))[1])
    each = _timed(lambda: _commit_each(folder / "each.db", content))[1] * TRIPLETS / EACH
    base = quantiles(edgewise)[0]
    print(row("import, checked, papers, history, every cell", edgewise, quantiles(plain)[0], "pandas + to_sql"))
    print(row("pandas.read_json and to_sql, one flat table", plain))
    share = base / quantiles(plain)[0]
    print(f"{'':46} {share:.1f} times as long (goal at most {PANDAS_GOAL}: {_met(share <= PANDAS_GOAL)})")
    print(
        f"{'one add and one commit a row (scaled)':46}     {each:9.1f} ms   {each / base:.1f}x ours "
        f"(goal {IMPORT_GOAL}: {_met(each / base >= IMPORT_GOAL)})"
    )
    with multiprocessing.get_context("spawn").Pool(1) as one:
        before, after = one.apply(_memory, (str(folder / "memory.edgewise"), str(path)))
    size = len(content) / 2**20
    print(
        f"{'memory: highest resident size':46} {before:.0f} MB before, {after:.0f} MB while importing: "
        f"{(after - before) / size:.1f} times the file's {size:.0f} MB"
    )


def _import(study: Study, content: bytes) -> int:
    use_study(study)
    try:
        receipt = importing.import_triplets(
            terminal_viewer(), "triplets.jsonl", content, with_faulty=False, act_id=new_act_id()
        )
        return receipt.seq
    finally:
        use_study(None)


def _by_pandas(store: Path, path: Path) -> int:
    engine = create_engine(f"sqlite:///{store}")
    frame = pd.read_json(path, lines=True)
    frame.to_sql("triplets", engine, index=False)
    engine.dispose()
    return len(frame)


def _commit_each(store: Path, content: bytes) -> int:
    """Import with SQLAlchemy's own settings; papers are looked up among those already written."""
    from datetime import UTC, datetime

    engine = create_engine(f"sqlite:///{store}")
    SQLModel.metadata.create_all(engine)
    papers: dict[int, str] = {}
    with Session(engine) as session:
        for place, line in enumerate(content.decode().split("\n")[:EACH], start=1):
            row = json.loads(line)
            if row["paper_id"] not in papers:
                paper = TripletPaperRow(collection="peer", external_id=str(row["paper_id"]), title=row["title"])
                papers[row["paper_id"]] = paper.id
                session.add(paper)
                session.commit()
            session.add(
                TripletRow(
                    collection="peer",
                    place=place,
                    triplet_paper_id=papers[row["paper_id"]],
                    sign=row["sign"],
                    treatment=row["treatment"],
                    outcome=row["outcome"],
                    context=row["context"],
                    created_by="peer",
                    details={"question": row["question"], "answer": row["answer"]},
                    created_at=datetime.now(UTC),
                )
            )
            session.commit()
    engine.dispose()
    return len(papers)


def _memory(store: str, path: str) -> tuple[float, float]:
    """Return the peak resident size in MB, before and after, of a process of its own."""
    content = Path(path).read_bytes()
    study = open_study(store, Path(store).parent)
    before = highest_mb()
    _import(study, content)
    study.close()
    return before, highest_mb()


# --- draws of whole papers ----------------------------------------------------------------------------------------


def _measure_draws() -> None:
    rng = random.Random(9)
    pairs = [
        ScorePair(f"t{n}", f"p{rng.randrange(CLUSTERS)}", Fraction(rng.randint(0, 9), 3), Fraction(rng.randint(0, 3)))
        for n in range(PAIRS)
    ]
    table = pair_table(pairs, 3, 3)
    counts, values = table.ratings.counts(), np.array(table.ratings.domain)
    numbers = _numbers(pairs)
    gaps = np.array([float(abs(pair.gap)) for pair in pairs])
    print(f"\n{PAIRS:,} pairs of scores, {numbers.max() + 1} papers, {HOW.draws:,} draws of whole papers")
    error = np.stack([gaps, np.ones(PAIRS)], axis=1)
    _compare_times("mean absolute error", lambda: _by_sums(error, numbers, _ratio), lambda: _by_loop(numbers, gaps))
    ordinal = columns_of(counts, values, MeasurementLevel.ORDINAL)
    _compare_times(
        "ordinal alpha",
        lambda: _by_sums(ordinal, numbers, statistic_of(values, MeasurementLevel.ORDINAL)),
        lambda: _alpha_by_loop(numbers, counts),
    )


def _numbers(pairs: list[ScorePair]) -> Codes:
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(pair.cluster, len(seen)) for pair in pairs])


def _compare_times(what: str, work: Callable[[], Array], peer: Callable[[], Array]) -> None:
    values, took = zip(*(_cpu(work) for _ in range(5)), strict=True)
    peer_values, slow = zip(*(_cpu(peer) for _ in range(2)), strict=True)
    apart = float(np.abs(values[0] - peer_values[0]).max())
    if not apart <= 1e-12:
        raise AssertionError(f"{what}: the two differ by {apart}")
    ratio = quantiles(slow)[0] / quantiles(took)[0]
    print(row(f"{what}: a plain loop over draws", slow))
    print(row(f"{what}: ours", took, quantiles(slow)[0], "loop"))
    print(
        f"{'':46} {ratio:.0f} times faster (goal {DRAWS_GOAL}: {_met(ratio >= DRAWS_GOAL)}); "
        f"largest difference {apart:.1e}"
    )


def _by_sums(columns: Array, numbers: Codes, statistic: Callable[[Array], Array]) -> Array:
    sums = np.zeros((int(numbers.max()) + 1, columns.shape[1]))
    np.add.at(sums, numbers, columns)
    (drawn,) = resampled_sums([sums], HOW)
    return statistic(drawn)


def _ratio(sums: Array) -> Array:
    return np.asarray(sums[:, 0] / sums[:, 1])


def _by_loop(numbers: Codes, gaps: Array) -> Array:
    members = [np.flatnonzero(numbers == cluster) for cluster in range(int(numbers.max()) + 1)]
    draws = (drawn for block in drawn_units(len(members), HOW) for drawn in block)
    return np.array([gaps[np.concatenate([members[cluster] for cluster in drawn])].mean() for drawn in draws])


def _alpha_by_loop(numbers: Codes, counts: Codes) -> Array:
    members = [np.flatnonzero(numbers == cluster) for cluster in range(int(numbers.max()) + 1)]
    rows = []
    for block in drawn_units(len(members), HOW):
        for drawn in block:
            units = np.concatenate([members[cluster] for cluster in drawn])
            rows.append(krippendorff.alpha(value_counts=counts[units], level_of_measurement="ordinal"))
    return np.array(rows)


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    began = time.perf_counter()
    done = work()
    return done, (time.perf_counter() - began) * 1000


def _cpu(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of the work and its processor time in ms, which other load on the machine does not change."""
    began = time.process_time()
    done = work()
    return done, (time.process_time() - began) * 1000


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"
