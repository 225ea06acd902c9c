"""A canary key: an endpoint whose server repeats it in errors and in answers; it is nowhere but in the environment."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import inspect, text

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Refused
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import RunState
from exchange.forms import GraphForm
from services import overview
from services.backups import backup
from services.failures import failures
from services.files import TableForm
from services.graphs import exporting
from services.results import files as result_files
from services.results import results
from services.runs import cache, connection_tests, endpoints, model_cards, planning, reading
from services.runs.exports import files
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.services.odd_provider import odd_server
from tests.services.run_parts import act, set_up, start, work
from tests.services.scoring_parts import bring_in, rows_of

pytestmark = pytest.mark.both

KEY = "sk-proj-Canary9Hd3Kx6Wq1Zp8Rt5Yv2Bn4"
MASKED = "sk-proj-Ca...4"
VARIABLE = "EDGEWISE_KEY_CANARY"
ECHOING = tuple(f"fault:{name}" for name in ("echoes_key", "echoes_header", "echoes_partly", "echoes_stars"))
PARTS = (KEY, KEY[8:], KEY[:14], KEY[-10:])
"""The key, and what is left of it where a half is hidden."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def everything_stored(study: Study, tmp_path: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of the study's files; on a server every row of every table as text."""
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()
    if study.store.path is not None:
        return
    with study.store.reading() as session:
        for table in inspect(session.connection()).get_table_names():
            for row in session.execute(text(f'SELECT CAST(t AS TEXT) FROM "{table}" t')):
                yield table, str(row[0]).encode()


def everything_shown(viewer: Viewer, run_ids: list[str]) -> Iterator[tuple[str, str]]:
    """What screens are made of."""
    yield "runs", repr(reading.runs(viewer, with_archived=True))
    yield "options", repr(planning.options(viewer))
    yield "endpoints", repr(endpoints.list_endpoints(viewer)) + repr(model_cards.list_cards(viewer))
    yield "cache", repr(cache.stats(viewer)) + repr(cache.replies(viewer))
    yield "overview", repr(overview.overview(viewer))
    for run_id in run_ids:
        yield "progress", repr(reading.progress(viewer, run_id))
        yield "card", repr(reading.card(viewer, run_id))
        yield "results", repr(results.results(viewer, [run_id], "main"))
    for line in failures.failures(viewer, limit=500).lines:
        yield "item", repr(failures.item(viewer, line.item_id))


def everything_exported(viewer: Viewer, run_ids: list[str], target: Path) -> Iterator[tuple[str, bytes]]:
    for run_id in run_ids:
        written = io.BytesIO()
        files.export_run(viewer, run_id, written)
        with zipfile.ZipFile(written) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        for form in (TableForm.CSV, TableForm.LATEX):
            yield form.value, result_files.export(viewer, [run_id], "main", form).content
    yield "study", exporting.export_study(viewer, GraphForm.CSV).content
    try:
        backup.backup(viewer, target)
    except Exception as error:  # a server's study is backed up by its own tools, and says so
        yield "backup", str(error).encode()
    else:
        with zipfile.ZipFile(target) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        target.unlink()


@pytest.mark.both(usually=False)
def test_a_key_that_is_echoed_in_errors_and_answers_is_kept_nowhere(
    study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    chatty = json.dumps({"predicted_sign": "+", "reasoning": f"I was asked with {KEY}, or {MASKED}."})
    server.play(
        {
            "rules": [
                {"model": "chatty", "answer": chatty, "reasoning": f"Bearer {KEY}"},
                {"model": "wordy", "answer": f"The key {KEY} is no sign."},
            ]
        }
    )
    models = ("chatty", "wordy", "fault:error_in_200", *ECHOING)
    set_up(people.owner, server, models, key_variable=VARIABLE)
    source = SampleSource((bring_in(people.owner, rows_of(4, context="Somewhere, at some time.")),))
    said = [repr(connection_tests.test_connection(people.researcher, "lab", model)) for model in models]
    run_ids = []
    for chosen in (("chatty", "wordy"), *((model,) for model in ECHOING)):
        wanted = RunConfig(title=f"{chosen[0]}", source=source, tasks=("task1",), variants=("context",), models=chosen)
        run_ids.append(start(people.researcher, wanted))
    said.append(work(study, "--log", "debug").stderr)
    states = [reading.progress(people.researcher, run_id) for run_id in run_ids]
    assert states[0].state is RunState.DONE and states[0].requests == 8
    assert [each.state for each in states[1:]] == [RunState.STOPPED] * 4
    assert all(each.errors[0].kind == "unauthorised" and "[key]" in each.errors[0].example for each in states[1:])
    (first,) = failures.failures(people.researcher, FailureFilters(models=("chatty",)), limit=1).lines
    assert "[key]" in failures.item(people.researcher, first.item_id).raw

    found = [("said", each.encode()) for each in said]
    found += everywhere(study, people.owner, run_ids, tmp_path)
    for where, content in found:
        for part in PARTS:
            assert part.encode() not in content, where
    print(f"{len(found)} places, {sum(len(content) for _where, content in found):,} bytes")
    assert any(VARIABLE.encode() in content for _where, content in found)


def everywhere(study: Study, viewer: Viewer, run_ids: list[str], tmp_path: Path) -> Iterator[tuple[str, bytes]]:
    """The one list of places that store, show or export what a model said."""
    yield from everything_stored(study, tmp_path)
    yield from ((where, content.encode()) for where, content in everything_shown(viewer, run_ids))
    yield from everything_exported(viewer, run_ids, tmp_path / "taken.zip")


SLASHED = "Canary9/Hd3Kx6+Wq1Zp8/Rt5Yv2+Bn4"
"""A key as some providers make them, with what PHP and .NET escape in JSON."""
PHP = SLASHED.replace("/", r"\/")
DOT_NET = SLASHED.replace("+", r"\u002B")
ALL = "".join(f"\\u{ord(each):04x}" for each in SLASHED)
ANSWER = r"{\"predicted_sign\": \"+\", \"reasoning\": \"KEY\"}"


def body(content: str, *, more: str = "", choice: str = "", finish: str = "stop") -> str:
    """A chat completion in letters, since no writer of JSON escapes as oddly."""
    return (
        f'{{"choices": [{{"index": 0, "finish_reason": "{finish}", {choice}'
        f'"message": {{"role": "assistant", "content": "{content}"{more}}}}}], "model": "{PHP}", '
        f'"usage": {{"prompt_tokens": 9, "completion_tokens": 5}}}}'
    )


TOKENS = ", ".join(f'{{"token": "{SLASHED[n : n + 4]}", "logprob": -0.1}}' for n in range(0, len(SLASHED), 4))
ESCAPED: dict[str, tuple[int, str]] = {
    "as PHP writes it": (200, body(ANSWER.replace("KEY", PHP))),
    "as .NET writes it": (200, body(ANSWER.replace("KEY", DOT_NET))),
    "each letter": (200, body(ANSWER.replace("KEY", ALL))),
    "escaped twice": (200, body(ANSWER.replace("KEY", ALL.replace("\\", r"\\")))),
    "in an address": (200, body(ANSWER.replace("KEY", SLASHED.replace("/", "%2f").replace("+", "%2b")))),
    "masked": (200, body(ANSWER.replace("KEY", rf"{SLASHED[:6]}\u2022\u2022\u2022{SLASHED[-6:]}"))),
    "in reasoning": (200, body(ANSWER.replace("KEY", "x"), more=f', "reasoning_content": "I saw {ALL}."')),
    "in a refusal": (200, body("", more=f', "refusal": "Not with {DOT_NET}."')),
    "in a finish reason": (200, body(ANSWER.replace("KEY", "x"), finish=ALL)),
    "in tokens": (200, body(ANSWER.replace("KEY", "x"), choice=f'"logprobs": {{"content": [{TOKENS}]}}, ')),
    "in an error": (200, f'{{"error": {{"code": 400, "message": "No {ALL} here."}}}}'),
    "in a status": (400, f'{{"error": {{"message": "Bad {PHP}."}}}}'),
    "in no JSON": (200, f"<html>Key: {ALL}"),
}
PIECES = f'[{{"type": "text", "text": "{SLASHED[:9]}"}}, {{"type": "text", "text": "{SLASHED[9:]}"}}]'
LATE = f'[{{"type": "text", "text": "{SLASHED[:14]}"}}, {{"type": "text", "text": "{SLASHED[14:]}"}}]'
ONE_TOKEN = f'{{"token": "{SLASHED}", "logprob": -0.1, "bytes": {list(SLASHED.encode())}}}'
HTML = "".join(f"&#{ord(each)};" if each.isalpha() else f"&#x{ord(each):X};" for each in SLASHED)
ESCAPED["in late pieces"] = (200, body("PIECES").replace('"PIECES"', LATE))
ESCAPED["in one token"] = (200, body(ANSWER.replace("KEY", "x"), choice=f'"logprobs": {{"content": [{ONE_TOKEN}]}}, '))
ESCAPED["in a page"] = (400, f"<html><td>Authorization</td><td>Bearer {HTML}</td>")
ESCAPED["where a message ends"] = (400, f'{{"error": {{"message": "{"x" * 280}{SLASHED}"}}}}')
ESCAPED["in UTF-16"] = (200, "\x00".join(f"Key {SLASHED}."))
ESCAPED["in pieces"] = (200, body("PIECES").replace('"PIECES"', PIECES))
RESOLVED = re.compile(rb"\\+(?:u00([0-9a-fA-F]{2})|(/))|%([0-9a-fA-F]{2})")


def resolved(content: bytes) -> bytes:
    """The bytes without escapes, by a rule of this test's own."""
    return RESOLVED.sub(lambda found: bytes([int(found[1] or found[3], 16)]) if not found[2] else b"/", content)


@pytest.mark.proof("T7", "a key echoed in escapes, pieces and tokens, all places searched", gate="0 places hold it")
def test_a_key_that_is_echoed_in_escapes_or_pieces_is_kept_nowhere(
    sqlite_study: Study,
    people: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setenv(VARIABLE, SLASHED)
    with odd_server({name: [(status, made, {})] for name, (status, made) in ESCAPED.items()}) as server:
        set_up(people.owner, server, list(ESCAPED), key_variable=VARIABLE)
        source = SampleSource((bring_in(people.owner, rows_of(1, context="Somewhere, at some time.")),))
        wanted = RunConfig(title="Odd", source=source, tasks=("task1",), variants=("context",), models=tuple(ESCAPED))
        run_id = start(people.researcher, wanted)
        said = work(sqlite_study, "--log", "debug").stderr
    assert reading.progress(people.researcher, run_id).state is RunState.DONE
    places = [("said", said.encode()), *everywhere(sqlite_study, people.owner, [run_id], tmp_path)]
    left = [
        (where, read[max(0, at - 80) : at + 40])
        for where, content in places
        for read in (content, resolved(content))
        for part in (SLASHED, SLASHED[-6:], SLASHED[:10], str(list(SLASHED.encode()))[1:-1])
        for at in [read.find(part.encode())]
        if at >= 0
    ]
    record_property("repetitions", len(ESCAPED))
    record_property("figure", f"{len(left)} of {len(places):,} places, {len(ESCAPED)} kinds of echo")
    assert left == []
    answered = failures.failures(people.researcher, FailureFilters(runs=(run_id,)), limit=50).lines
    sheets = {line.model: failures.item(people.researcher, line.item_id) for line in answered}
    assert {name for name, sheet in sheets.items() if "[key]" in repr(sheet)} == set(ESCAPED)
    read = {name for name, sheet in sheets.items() if sheet.line.predicted == "+"}
    assert read >= set(list(ESCAPED)[:6]), "an answer beside the key is read"
    # What a reply holds that was stored before this text was known as a key is hidden where it is shown, too.
    monkeypatch.setenv("LATER_KEY", "predicted_sign")
    sheet = failures.item(people.researcher, sheets["as PHP writes it"].line.item_id)
    assert "predicted_sign" not in sheet.raw + sheet.text and "[key]" in sheet.text


def test_a_title_or_parameter_that_holds_a_key_is_refused(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    set_up(people.owner, server, ["scripted:plus"], key_variable=VARIABLE)
    source = SampleSource((bring_in(people.owner, rows_of(2, context="Here.")),))
    wanted = RunConfig(
        title=f"with {KEY}", source=source, tasks=("task1",), variants=("context",), models=("scripted:plus",)
    )
    with pytest.raises(BadInput) as told:
        planning.start(people.researcher, wanted, **act())
    assert KEY not in str(told.value)
    slipped = RunConfig(
        title="A run",
        source=source,
        tasks=("task1",),
        variants=("context",),
        models=("scripted:plus",),
        parameters={"extra": {"user": KEY}},
    )
    with pytest.raises(BadInput, match="contains the value of a key") as told:
        planning.plan(people.researcher, slipped)
    assert KEY not in str(told.value)


def test_a_drop_in_prompt_that_holds_a_key_is_refused(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_up(people.owner, server, ["scripted:plus"], key_variable=VARIABLE)
    source = SampleSource((bring_in(people.owner, rows_of(2, context="Here.")),))
    file = tmp_path / "home" / "prompts" / "own" / "task1.txt"
    file.parent.mkdir(parents=True)
    file.write_text(f"With {KEY}, in {{context}}: does {{treatment}} raise {{outcome}}? predicted_sign is + or -.\n")
    wanted = RunConfig(
        title="A run",
        source=source,
        tasks=("task1",),
        variants=("context",),
        models=("scripted:plus",),
        prompts_folder="own",
    )
    assert planning.plan(people.researcher, wanted).faults == ()
    monkeypatch.setenv(VARIABLE, KEY)
    (fault,) = planning.plan(people.researcher, wanted).faults
    assert "contains the value of a key" in fault and KEY not in fault
    with pytest.raises((BadInput, Refused), match="contains the value of a key"):
        planning.start(people.researcher, wanted, **act())
