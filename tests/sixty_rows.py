"""Sixty rows of ours in the form of the published task files, and each file in both of its forms.

Every paper has two questions of a task; those of task1_econ stand in tasks 2 and 3 too, so that a table that adds tasks
up shows it.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
SIGNS = ("+", "-", "None", "mixed", "+")
SAMPLES = {"task1_econ": 20, "task1_finance": 16, "task2": 12, "task3": 12}
FINANCE = "task1_finance"


def sixty_files() -> dict[str, list[Row]]:
    """Name → rows: 20 and 16 of task 1, 12 of task 2, 12 of task 3."""
    return {name: [_row(name, number) for number in range(count)] for name, count in SAMPLES.items()}


def as_jsonl(rows: list[Row]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_csv(rows: list[Row]) -> bytes:
    """As the release writes it: a missing cell is empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: "" if row.get(name) is None or row[name] != row[name] else row[name] for name in columns} for row in rows
    )
    return text.getvalue().encode()


def nine_files(files: dict[str, list[Row]]) -> dict[str, bytes]:
    """Each file in both forms, and one file with all rows together."""
    found = {f"{name}.jsonl": as_jsonl(rows) for name, rows in files.items()}
    found |= {f"{name}.csv": as_csv(rows) for name, rows in files.items()}
    return found | {"together.jsonl": as_jsonl([row for rows in files.values() for row in rows])}


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def _row(name: str, number: int) -> Row:
    sign = SIGNS[(number + len(name)) % len(SIGNS)]
    paper = number // 2 + (200 if name == FINANCE else 100)
    row: Row = {
        "paper_id": paper,
        "title": f"Paper {paper}",
        "publication_year": 1989 + paper % 7,
        "published_venue": "journal_of_finance" if name == FINANCE else "american_economic_review",
        "jel_codes": ("J, C", "G", "C, 820")[paper % 3],
        "treatment": f"Cause {name} {number}",
        "outcome": f"Effect {number}",
        "sign": sign,
        "context": f"A country in the year {1960 + number}, “quoted”, and with a comma.",
    }
    if name in ("task2", "task3"):
        shown = [("+", "-", "None")[(number + place) % 3] for place in range(1 + number % 2)]
        beside = [
            {
                "paper_id": str(900 + place),
                "treatment": "Cause elsewhere",
                "outcome": "Effect elsewhere",
                "context": f"Elsewhere {place}.",
                "sign": each,
                "avg_similarity": 0.8125,
                **({"original_sign": sign} if name == "task3" else {}),
            }
            for place, each in enumerate(shown)
        ]
        row["example_details"] = json.dumps(beside)
    return row | {"question": f"What is the sign of {row['treatment']} on {row['outcome']}?", "answer": sign}
