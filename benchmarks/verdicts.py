"""A thousand verdicts of 205 items read and scored, compared with PyYAML and a loop; tallies to all tables."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import yaml

from benchmarks.harness import quantiles, row
from core.analysis import analyse
from core.analysis.slices import Slice
from core.runs.states import ItemStatus
from core.verdicts.judged import AnswerVariant, JudgedSection, answers_of
from core.verdicts.labels import Section
from core.verdicts.rows import rows_of
from core.verdicts.scores import score_verdict
from core.verdicts.tallies import read_tally, tally_of
from core.verdicts.verdict import read_verdict
from protocols.recite.tables import TABLES
from protocols.replies.verdicts import read_verdict_reply
from tests.core.verdicts import slow_reference
from tests.core.verdicts.made import drawn

VERDICTS, SHOWN, OF_PEER = 1_000, 40, 10
ITEMS = 205
PAPERS, MODELS = 292, 10
ROUNDS = 3
REASON = "The two concepts are the same but for their wording; the second paragraph says so. "


def measure() -> None:
    texts = [_text(number) for number in range(SHOWN)]
    edgewise = [_took_ms(lambda: [_scored(texts[n % SHOWN]) for n in range(VERDICTS)]) for _round in range(ROUNDS)]
    peer = [
        _took_ms(lambda: [_by_peer(texts[n]) for n in range(OF_PEER)]) * VERDICTS / OF_PEER for _round in range(ROUNDS)
    ]
    size = sum(map(len, texts)) / SHOWN / 1000
    base = quantiles(edgewise)[0]
    print(row(f"{VERDICTS:,} verdicts of {size:.0f} kB, ours", edgewise))
    print(row("the same, SafeLoader and a loop over items", peer, base, "ours"))
    broken = [text.replace("\n  reasoning: ", '\n  evidence: ["a "net" price"]\n  reasoning: ') for text in texts]
    loose = [_took_ms(lambda: [_scored(broken[n % SHOWN]) for n in range(VERDICTS)]) for _round in range(ROUNDS)]
    print(row("the same with evidence that is no YAML, ours", loose, base, "ours"))
    tallies = _tallies()
    tables = [_took_ms(lambda: _tables(tallies)) for _round in range(ROUNDS)]
    print(row(f"{len(tallies):,} tallies to all tables", tables))


def _text(number: int) -> str:
    """Return a verdict about 205 edges as judges write it, each item with its reason."""
    section = Section.EDGE_PRECISION
    draw = random.Random(number)
    one = [drawn(draw, most=1)[section.key][0] for _ in range(ITEMS)]
    items = [{**item, section.number_key: place, "reasoning": REASON} for place, item in enumerate(one, 1)]
    return f"```yaml\n{yaml.safe_dump({section.key: items}, sort_keys=False)}```"


def _scored(text: str) -> object:
    return score_verdict(read_verdict(read_verdict_reply(text).value, {Section.EDGE_PRECISION: ITEMS}))


def _by_peer(text: str) -> object:
    verdict: Any = yaml.load(text.removeprefix("```yaml\n").removesuffix("```"), yaml.SafeLoader)
    return slow_reference.scores(verdict, None)


def _tallies() -> list[tuple[str, str, Section, dict[str, Any]]]:
    labels = []
    draw = random.Random(1)
    for paper in range(PAPERS):
        for model in range(MODELS):
            sections = read_verdict(drawn(draw, most=12)).sections
            labels += [
                (f"paper {paper}", f"model {model}", section, tally_of(entries).as_json())
                for section, entries in sections.items()
            ]
    return labels


def _tables(tallies: list[tuple[str, str, Section, dict[str, Any]]]) -> object:
    sections = [
        JudgedSection(
            judge="judge",
            judged=model,
            paper=paper,
            answer=f"{paper}/{model}",
            section=section,
            status=ItemStatus.ANSWERED,
            gold_nodes=10,
            judged_item=f"{paper}/{model}",
            variant=AnswerVariant(0, "standard", "standard"),
            tally=read_tally(entries),
        )
        for paper, model, section, entries in tallies
    ]
    ready = analyse.prepared(rows_of(answers_of(sections)), TABLES, {"standard": "standard"}, Slice())
    presets = (TABLES.presets[name] for name in ("verdicts", "forms", "labels"))
    return [analyse.tables(ready, preset, Slice(), analyse.INTERVALS) for preset in presets]


def _took_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
