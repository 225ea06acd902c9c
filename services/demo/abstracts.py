"""The demo's abstracts: 30 invented papers from which relations can be extracted without a key."""

from __future__ import annotations

from pathlib import Path

from core.people import Viewer
from services.triplets import corpora
from store.tables import new_id

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "abstracts"
ABSTRACTS = "invented-abstracts.jsonl"
TITLE = "Synthetic abstracts (invented for this demo)"
LICENCE = "CC0-1.0"


def add_abstracts(owner: Viewer) -> None:
    # Cue phrases yield relations of every kind, so that each type of question and each table of the paper has rows.
    content = (FOLDER / ABSTRACTS).read_bytes()
    corpora.import_corpus(owner, ABSTRACTS, content, with_faulty=False, title=TITLE, licence=LICENCE, act_id=new_id())
