"""Messages of parts on their way: a text kept once, a picture and a PDF reach the server as it wants them."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.running_server import RunningServer
from core.messages import File, Message, Text, TextByHash, message, text_hash
from core.runs.states import RunState
from runs.queues import queue_of
from store.engine import Store
from store.files import FileShelf
from store.runs import runs
from store.tables import FileRow
from tests.runs.begun import begin, model, now, rows, state, statuses, work

PAPER = "Wages rise where firms grow, and fall where they do not. " * 700
SYSTEM = "Answer with one JSON object."
PDF = b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"


def _png() -> bytes:
    """A picture of two grey dots, made here."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\x40\xc0")) + chunk(b"IEND", b"")
    )


PICTURE = _png()


def kept_file(store: Store, cache: Path, content: bytes, media_type: str, name: str, pages: int | None = None) -> File:
    key = sha256(content).hexdigest()
    row = FileRow(
        sha256=key,
        media_type=media_type,
        size_bytes=len(content),
        original_name=name,
        page_count=pages or 1,
        created_at=now(),
    )
    with store.writing() as session:
        FileShelf(store, cache).put(session, row, content)
    return File(key, media_type, name, pages)


def body(model_id: str, content: object) -> str:
    """The hash of the body that chat completions want, written by hand."""
    said = {
        "max_tokens": 50,
        "messages": [{"content": SYSTEM, "role": "system"}, {"content": content, "role": "user"}],
        "model": model_id,
    }
    return sha256(json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


@pytest.mark.both
def test_a_kept_text_a_picture_and_a_pdf_reach_the_server_and_the_text_is_stored_once(
    store: Store, model_server: RunningServer, tmp_path: Path
) -> None:
    picture = kept_file(store, tmp_path, PICTURE, "image/png", "Figure 1.png")
    pdf = kept_file(store, tmp_path, PDF, "application/pdf", "Somebody's paper.pdf", 2)
    kept = TextByHash(text_hash(PAPER))
    with store.writing() as session:
        runs.keep_texts(session, [PAPER])
    system = message("system", SYSTEM)
    asked = [(system, Message("user", (kept, Text(f" Question {number}?")))) for number in range(49)]
    asked.append((system, Message("user", (kept, Text(" Look: "), picture, pdf))))
    card = model(model_server.url, takes_images=True, takes_pdfs=True, tokens_per_image=1_000, tokens_per_page=1_500)
    run = begin(store, {"m": card}, messages=asked)
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert statuses(store, run.run_id) == {"answered": 50}

    uri = {part: base64.b64encode(part).decode() for part in (PICTURE, PDF)}
    parts = [
        {"type": "text", "text": PAPER},
        {"type": "text", "text": " Look: "},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{uri[PICTURE]}"}},
        {
            "type": "file",
            "file": {"filename": f"{pdf.sha256[:12]}.pdf", "file_data": f"data:application/pdf;base64,{uri[PDF]}"},
        },
    ]
    texts = {body("scripted:cycle", f"{PAPER} Question {number}?") for number in range(49)}
    sent = {entry["body_sha256"] for entry in model_server.log()["entries"]}
    assert sent == texts | {body("scripted:cycle", parts)}

    sizes = rows(store, "SELECT length(text) FROM run_text ORDER BY 1 DESC")
    assert sizes[0] == (len(PAPER),) and sum(size for (size,) in sizes[1:]) < 2_000
    most = len(PAPER) + len(" Look: ") + len(SYSTEM) + 3 * 16 + 1_000 + 2 * 1_500 + 50
    assert rows(store, "SELECT max(most_tokens) FROM attempt") == [(most,)]
    again = begin(store, {"m": card}, messages=asked)
    work(store)
    assert statuses(store, again.run_id) == {"answered": 50}
    assert model_server.log()["requests"] == 50  # what was kept answers, files and all


@pytest.mark.both(usually=False)
def test_a_file_that_is_lost_stops_the_run_before_anything_is_sent_without_it(
    store: Store, model_server: RunningServer, tmp_path: Path
) -> None:
    picture = File(sha256(PICTURE).hexdigest(), "image/png", "Figure 1.png")
    card = model(model_server.url, takes_images=True, tokens_per_image=1_000)
    run = begin(store, {"m": card}, messages=[(message("system", SYSTEM), Message("user", (Text("Look: "), picture)))])
    work(store)
    assert state(store, run.run_id) == (RunState.STOPPED, f"There is no file {picture.sha256[:12]}… in this study.")
    assert (model_server.log()["requests"], rows(store, "SELECT count(*) FROM attempt")) == (0, [(0,)])
    kept_file(store, tmp_path, PICTURE, "image/png", "Figure 1.png")
    with store.writing() as session:
        runs.set_state(session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.STOPPED])
        queue_of(store).submit(session, run.run_id, run.shards)
    work(store)
    assert statuses(store, run.run_id) == {"answered": 1}


def test_a_file_whose_bytes_changed_is_not_sent(
    sqlite_store: Store, model_server: RunningServer, tmp_path: Path
) -> None:
    picture = kept_file(sqlite_store, tmp_path, PICTURE, "image/png", "Figure 1.png")
    FileShelf(sqlite_store, tmp_path).place(picture.sha256).write_bytes(PICTURE[:-1])
    card = model(model_server.url, takes_images=True, tokens_per_image=1_000)
    run = begin(sqlite_store, {"m": card}, messages=[(Message("user", (picture,)),)])
    work(sqlite_store)
    ended, reason = state(sqlite_store, run.run_id)
    assert ended is RunState.STOPPED
    assert reason.startswith("The file Figure 1.png is missing from the study's files, or changed; restore it")
    assert model_server.log()["requests"] == 0
