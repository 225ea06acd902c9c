"""Export of a run: every item with its messages and replies, the ledger, the texts and a manifest.

The same state of a run yields the same bytes, without keys and names of people. The replies of a run can be
gigabytes, so rows are read a few at a time, and the ZIP is written piece by piece."""

from __future__ import annotations

import hashlib
import json
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, BinaryIO

from sqlmodel import Session

from core.errors import EdgewiseError, StoreUnavailable
from core.messages import hashes_in, read, stored
from core.people import Permission, Viewer
from exchange.archive import stream_archive
from runs.endpoint.redaction import keys_in, shown
from runs.numbered.derived import DerivedMessages
from runs.run_plan import parameters_sent
from services.acting import ReadContext, consulting
from services.runs.benchmarks import Member, get_services
from services.runs.exports.noted_truths import note_truths
from services.runs.exports.private_texts import PrivateTexts, private_texts
from services.runs.exports.stored_samples import sample_as_stored
from services.runs.judge_exposure import record_run_exposure, refuse_run
from services.runs.reading import find_run
from services.runs.sample_flags import shown_flags
from services.study import Study, current_study
from store.runs import exports, groups, runs
from store.runs.asked_again import AskedAgain, earlier_replies, items_asked_again, sent_hash
from store.runs.codes import codes_in_tables
from store.runs.replies import usage_fault
from store.sqlite.disk import is_no_room
from store.tables.runs import RunRow
from store.triplets import triplets

FORMAT, VERSION = "edgewise run", 1
PIECE = 256 * 1024
"""Size in bytes up to which short lines are hashed and packed together."""
README = """\
This is one run of models on one protocol, as Edgewise stores it.

items.jsonl      one line for each sample asked of each model: what was asked (hashes of prompt, sample and request),
                 the reply (raw, text, reasoning, tokens, cost, latency, finish reason) and how it was read (status,
                 predicted label, whether it is right, score, parse stage, repaired text, probabilities, flags);
                 usage_fault says why the usage that the provider reported cannot be true: tokens and cost are then
                 null;
                 asked_again says how many replies came before this one, since they could not be read; sample_flags
                 lists why people flagged the sample as bad; codes, by which codes of people's codebook the answer
                 counts, unsettled where its coders differ
rounds.jsonl     where items have several requests: one line for each further one, numbered from 2, with its reply;
                 fault_before says what was wrong with the reply before it. The file is missing where there are none
replaced.jsonl   where items were asked again after a reply that could not be read: one line for each earlier reply,
                 numbered from 1. The file is missing where there are none
samples.jsonl    one line for each sample: its messages by the hash of their text (if a message has several parts:
                 each text by its hash, each file by the SHA-256 of its bytes), the step that asks it, the true answer
                 (and what else an answer is compared with), and what tables group by
groups.jsonl     for a run of several steps: one line for each group, with its state, the values it made or put before
                 people (value, hash, flags, what it is based on, ruling), and the places of its samples
queries.jsonl    for a run of queries about graphs: one line for each, with its number, its key, the variables it names
                 as they were shown, and what is true
texts.jsonl      every text that messages and prompts refer to by its hash, once; for a run that numbers its samples and
                 keeps no texts of theirs, those are made again from each sample's slots and come last
attempts.jsonl   the ledger: one line for each attempt to send a request; with state "unsent" it was not sent, because
                 no connection was made, or the run was stopped first; with kind "implausible_usage" the reported usage
                 cannot be true: message has it as it was reported, and most_tokens and most_usd are what the request
                 may have cost at most
review_*.csv     for a run of judges whose verdicts people reviewed: the sheets that were drawn, the labels that people
                 gave (saw_verdict: a judge's label of that item had been shown to them), and their rulings (overrides
                 with labels before and after, and what was taken back), people by pseudonym; review.json has the same,
                 and whether own labels come first and judged models' names are hidden, now and before every change
manifest.json    settings, prices, hashes of everything above, sources and their licences; withheld says of how many
                 papers the text is not in these files, and why: [withheld] stands for every passage of it of eight
                 words or more, and the hashes of texts and requests are those of what was sent

Undefined values are null. Times are UTC. Costs are in US dollars. Every number in a table can be derived from
items.jsonl.
"""


OF_REPLY = (
    "raw",
    "text",
    "reasoning",
    "refusal",
    "finish_reason",
    "logprobs",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "tokens_reasoning",
    "cost_usd",
    "usage_fault",
    "latency_s",
    "provider_model",
    "provider_id",
    "received_at",
)


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """Description of a written export."""

    name: str
    size_bytes: int
    withheld: tuple[str, ...] = ()  # sentences on texts that a licence keeps in the study
    media_type: str = "application/zip"


@dataclass(frozen=True, slots=True)
class RunToSend:
    """A run's export in an unnamed file, positioned at its start and deleted when it is closed."""

    about: WrittenRun
    file: BinaryIO


def export_name(viewer: Viewer, run_id: str) -> str:
    """Return the file name of a run's export. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.EXPORT) as r:
        return _name(r.study, find_run(r.session, run_id))


class Abandoned(EdgewiseError):
    """The client that requested a file has disconnected."""


def export_run(
    viewer: Viewer, run_id: str, into: BinaryIO, should_continue: Callable[[], bool] = lambda: True
) -> WrittenRun:
    """Write a run as a zip of JSON lines with its manifest into an empty file. `run_id` may be its number. Raises
    Missing if there is none, Refused while the viewer labels verdicts of it or about it, StoreUnavailable if the disk
    is full. Raises Abandoned if `should_continue`, called before each piece, returns False; the file is then
    incomplete."""
    with consulting(viewer, Permission.EXPORT) as r:
        row = find_run(r.session, run_id)
        refuse_run(r, row.id)
        record_run_exposure(r, row.settings, row.id)
        note_truths(r, [row])
        private = private_texts(r.session, row)
        try:
            stream_archive(into, _until_abandoned(run_members(r, row, private), should_continue))
        except OSError as error:
            # Generators that read rows end now, with their session still open, not with this exception.
            traceback.clear_frames(error.__traceback__)
            if is_no_room(error):
                raise StoreUnavailable("The run was not exported: the disk is full or cannot be written.") from error
            raise
        return WrittenRun(_name(r.study, row), into.tell(), tuple(private.sentences(row.number)))


def export_to_send(viewer: Viewer, run_id: str, should_continue: Callable[[], bool] = lambda: True) -> RunToSend:
    """Write the export into a temporary file on the study's disk. Raises like `export_run`."""
    file = tempfile.TemporaryFile(dir=current_study().cache)  # noqa: SIM115 - the caller closes it
    try:
        about = export_run(viewer, run_id, file, should_continue)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return RunToSend(about, file)


def _until_abandoned(members: Iterable[Member], should_continue: Callable[[], bool]) -> Iterator[Member]:
    def checked(pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if not should_continue():
                raise Abandoned("The export was stopped, because its reader has left.")
            yield piece

    return ((name, checked(pieces)) for name, pieces in members)


def _name(study: Study, row: RunRow) -> str:
    return f"{study.name}-run-{row.number}.zip"


def run_members(r: ReadContext, row: RunRow, private: PrivateTexts) -> Iterator[Member]:
    """Yield the files of a run's export without its private texts, the manifest last. Read each to its end before
    requesting the next."""
    session = r.session
    digests: dict[str, Any] = {}

    def member(name: str, pieces: Iterable[bytes]) -> Member:
        digests[name] = digest = hashlib.sha256()
        return name, _noted(pieces, digest)

    def lines(name: str, rows: Iterable[Mapping[str, Any]]) -> Member:
        return member(name, json_lines(map(private.in_row, rows)))

    def own_members(after: str) -> Iterator[Member]:
        if own := get_services(row.protocol).zip_members.get(after):
            yield from (member(name, pieces) for name, pieces in own(r, row))

    yield member("README.txt", [README.encode()])
    again = items_asked_again(session, row.id)
    flagged = {name: each.reasons for name, each in shown_flags(r).items()}
    of_answers = codes_in_tables(session, row.id)
    items = (_item(row, again, flagged, of_answers, *each) for each in exports.items(session, row.id))
    yield lines("items.jsonl", items)
    texts = {each["text"] for each in row.manifest["prompts"]}
    if exports.has_rounds(session, row.id):
        further = exports.rounds(session, row.id)
        yield lines("rounds.jsonl", (_round(*each, texts) for each in further))
    if again:
        yield lines("replaced.jsonl", _replaced(session, again))
    derived = DerivedMessages.of(session, row)
    samples = exports.samples(session, row.id) if derived is None else _derived(session, row.id, derived)
    yield lines("samples.jsonl", _noting_texts(samples, texts))
    yield from own_members("samples.jsonl")
    if groups.has_any(session, row.id):
        yield lines("groups.jsonl", exports.groups_made(session, row.id))
    stored_texts = exports.texts(session, runs.text_sizes(session, texts))
    derived_texts = iter(()) if derived is None else _made_texts(session, row.id, derived, texts)
    yield lines("texts.jsonl", ({"hash": key, "text": text} for key, text in chain(stored_texts, derived_texts)))
    yield lines("attempts.jsonl", exports.attempts(session, row.id))
    yield from own_members("attempts.jsonl")
    manifest = _manifest(session, row, {name: digest.hexdigest() for name, digest in digests.items()}, private)
    yield "manifest.json", [manifest]


def _noted(pieces: Iterable[bytes], digest: Any) -> Iterator[bytes]:
    for piece in pieces:
        digest.update(piece)
        yield piece


def _noting_texts(samples: Iterable[dict[str, Any]], texts: set[str]) -> Iterator[dict[str, Any]]:
    for sample in samples:
        texts.update(hashes_in(map(read, sample["messages"])))
        yield sample


def _derived(session: Session, run_id: str, derived: DerivedMessages) -> Iterator[dict[str, Any]]:
    """Yield samples with their messages, for a run that stores only the slots from which messages are made."""
    for row in exports.samples(session, run_id, with_slots=True):
        messages, _texts = derived.by_hash(sample_as_stored(row))
        shown = {name: value for name, value in row.items() if not name.startswith("subject_")}
        yield {**shown, "messages": [stored(each) for each in messages.messages]}


def _made_texts(session: Session, run_id: str, derived: DerivedMessages, named: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (hash, text) of texts that messages refer to and the store lacks, each once, in the order of samples."""
    left = named - runs.text_sizes(session, named).keys()
    for row in exports.samples(session, run_id, with_slots=True):
        for key, text in derived.by_hash(sample_as_stored(row))[1].items():
            if key in left:
                left.remove(key)
                yield key, text


def _replaced(session: Session, again: Mapping[str, AskedAgain]) -> Iterator[dict[str, Any]]:
    for item_id, earlier in earlier_replies(session, again):
        for number, reply in enumerate(earlier, 1):
            yield {
                "item": item_id,
                "reply": number,
                "request_hash": sent_hash(reply.request_hash),
                "attempt": reply.attempt_id,
                **{name: getattr(reply, name) for name in OF_REPLY if name != "usage_fault"},
                "usage_fault": usage_fault(session, reply) or None,
            }


def _item(
    row: RunRow,
    again: Mapping[str, AskedAgain],
    flagged: Mapping[str, list[str]],
    of_answers: Mapping[str, Sequence[str]],
    item: Mapping[str, Any],
    sample: Mapping[str, Any],
    reply: Mapping[str, Any],
) -> dict[str, Any]:
    about = row.settings["models"].get(item["model"], {})
    endpoint = about.get("endpoint", {})
    request = reply.get("request", {})
    return {
        "run": row.id,
        "run_number": row.number,
        "protocol": row.protocol,
        "protocol_version": row.protocol_version,
        "item": item["id"],
        "sample_place": sample["place"],
        "step": sample["step"],
        "task": sample["task"],
        "variant": sample["variant"],
        "key": sample["key"],
        "sample_hash": sample["sample_hash"],
        "sample_flags": flagged.get(f"{sample['sample_hash']}/{sample['key']}", []),
        "prompt": sample["prompt"],
        "prompt_hash": sample["prompt_hash"],
        "model": item["model"],
        "kind": about.get("kind"),
        "provider": about.get("provider"),
        "endpoint": endpoint.get("name"),
        "base_url": endpoint.get("base_url"),
        "asked_as": about.get("model"),
        "parameters": request["parameters"]
        if "parameters" in request
        else parameters_sent(row, item["model"], sample["step"]),
        "repeat": item["repeat"],
        "request_hash": item["request_hash"] and sent_hash(item["request_hash"]),
        "asked_again": again[item["id"]].times if item["id"] in again else 0,
        "answer": sample["answer"],
        "truth": sample["truth"],
        "status": item["status"],
        "predicted": item["predicted"],
        "error": item["fault"] or None,
        "is_right": item["is_right"],
        "score": item["score"],
        "parts": item["parts"],
        "flags": item["flags"],
        "codes": of_answers.get(item["id"], ()),
        "rung": item["rung"] or None,
        "parsed": item["parsed"],
        "repaired": item["repaired"],
        "probabilities": item["probabilities"],
        "attempts": item["attempts"],
        "was_cached": item["was_cached"],
        "done_at": item["done_at"],
        **{name: reply.get(name) for name in OF_REPLY},
    }


def _round(row: Mapping[str, Any], reply: Mapping[str, Any], texts: set[str]) -> dict[str, Any]:
    """Return a further request of an item; its text hashes are added to `texts`."""
    messages = reply.get("request", {}).get("messages")
    texts.update(hashes_in(map(read, messages or ())))
    return {
        "item": row["item_id"],
        "round": row["number"],
        "purpose": row["purpose"],
        "model": row["model"],
        "request_hash": sent_hash(row["request_hash"]),
        "status": row["status"],
        "fault_before": row["fault"] or None,
        "messages": messages,
        **{name: reply.get(name) for name in OF_REPLY},
    }


def _manifest(session: Session, row: RunRow, digests: Mapping[str, str], private: PrivateTexts) -> bytes:
    sources = {key: about for key, about, _version in triplets.collections(session)}
    collections = row.settings["wanted"]["source"]["collections"]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "run": {
            "id": row.id,
            "number": row.number,
            "title": row.title,
            "protocol": row.protocol,
            "protocol_version": row.protocol_version,
            "state": row.state,
            "reason": row.reason or None,
            "created_at": row.created_at,
            "started_at": row.started_at,
            "finished_at": row.finished_at,
        },
        "settings": row.settings,
        "made_of": row.manifest,
        "sources": [
            {"collection": key, "title": sources[key]["title"], "licence": sources[key]["licence"] or None}
            for key in collections
            if key in sources
        ],
        "files": digests,
        **({"withheld": dict(private.reasons)} if private.reasons else {}),
    }
    written = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, default=_plain) + "\n"
    return shown(written, keys_in()).encode("utf-8", "surrogatepass")


def json_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield JSON lines, short ones joined to pieces."""
    keys, lines, size = keys_in(), list[bytes](), 0
    for row in rows:
        line = json.dumps(row, ensure_ascii=False, sort_keys=True, default=_plain) + "\n"
        lines.append(shown(line, keys).encode("utf-8", "surrogatepass"))
        size += len(lines[-1])
        if size >= PIECE:
            yield b"".join(lines)
            lines, size = [], 0
    yield b"".join(lines)


def _plain(value: object) -> str:
    assert isinstance(value, datetime), f"no form in JSON: found {value!r}"
    return value.isoformat()
