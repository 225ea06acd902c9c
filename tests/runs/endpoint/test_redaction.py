"""Keys stay out of texts and logs, whole and in part."""

from __future__ import annotations

import html
import io
import json
import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.endpoint.redaction import WithoutKeys, guard_logs, holds_key, keys_in, redacted, without_keys
from tests.processor_time import within
from tests.runs.conftest import KEY

OTHER = "9f86d081884c7d659a2feaa0c55ad015"
"""A key without any usual beginning."""


@pytest.mark.parametrize("key", [KEY, OTHER])
@pytest.mark.parametrize(
    "form",
    [
        "{key}",
        "Bearer {key}",
        "'{key}'",
        "{head6}...{tail4}",
        "{head3}************{tail4}",
        "{head12}",
        "{head16}…",
        "****{tail4}",
        "{head2}**{tail2}",
        "{tail20}",
        "...{tail4}",
        "key={key}&x=1",
        "{head6}••••••{tail6}",
    ],
)
def test_no_form_of_a_key_is_left(key: str, form: str) -> None:
    parts = {f"head{n}": key[:n] for n in (2, 3, 6, 12, 16)} | {f"tail{n}": key[-n:] for n in (2, 4, 6, 20)}
    text = f"Incorrect API key provided: {form.format(key=key, **parts)}. You can find it elsewhere."
    hidden = without_keys(text, [key])
    assert "[key]" in hidden
    assert hidden.startswith("Incorrect API key provided: ")
    assert hidden.endswith("You can find it elsewhere.")
    for part in (key[-4:], key[:12], key[3:12]):
        assert part not in hidden


def test_a_percent_encoded_key_is_hidden() -> None:
    assert without_keys("x?k=ab%2Fcd%2Bef%3D%3D12", ["ab/cd+ef==12"]) == "x?k=[key]"
    assert without_keys("x?k=ab%2fcd%2bef==12", ["ab/cd+ef==12"]) == "x?k=[key]"


PRINTABLE = st.characters(min_codepoint=0x21, max_codepoint=0x7E)


@given(key=st.text(PRINTABLE, min_size=12, max_size=40), times=st.integers(0, 3), data=st.data())
def test_json_with_a_key_in_any_escapes_reads_as_json_without_it(key: str, times: int, data: st.DataObject) -> None:
    ways = [data.draw(st.integers(0, 2)) for _ in key]
    inner = "".join(
        f"\\u{ord(each):04x}" if way == 1 or each in '"\\' else ("\\/" if each == "/" and way == 2 else each)
        for each, way in zip(key, ways, strict=True)
    )
    for _ in range(times):
        inner = json.dumps(inner)[1:-1]
    body = f'{{"said": "é {inner} é", "count": 1}}'
    read = json.loads(without_keys(body, [key]))
    assert read["count"] == 1
    found = read["said"]
    for _ in range(times + 1):
        assert key not in found
        found = json.loads(f'"{found}"') if times else found
    assert holds_key(body, [key])


@pytest.mark.parametrize(
    "key", ["Zx81%2Fq%2BvvLm40%3D", r"Qw12\/er34\u0041ty56", 'Ab"cd"ef12', "Zx81&amp;q3vv&#x2B;Lm"]
)
@pytest.mark.parametrize("way", ["plain", "JSON", "every letter", "in an address", "HTML", "twice", "masked"])
def test_a_key_that_looks_escaped_itself_is_hidden(key: str, way: str) -> None:
    letters = "".join(f"\\u{ord(each):04x}" for each in key)
    said = {
        "plain": key,
        "JSON": json.dumps(key)[1:-1],
        "every letter": letters,
        "in an address": quote(key, safe=""),
        "HTML": html.escape(key),
        "twice": json.dumps(json.dumps(key)[1:-1])[1:-1],
        "masked": f"{key[:6]}****{key[-4:]}",
    }[way]
    if way == "twice" and '"' in key:
        return  # a quotation mark must stay escaped, once or twice, for JSON to stay JSON
    assert without_keys(f"It is {said}.", [key]) == "It is [key]."
    assert way == "masked" or holds_key(f"It is {said}.", [key])


def test_escapes_of_a_text_without_a_key_stay() -> None:
    body = r'{"said": "na\u00efve, a\/b, \\beta, 50%25"}'
    assert without_keys(body, [KEY, OTHER]) == body
    assert not holds_key(body, [KEY, OTHER])


@pytest.mark.parametrize(
    "text",
    [
        "The sign is + because wages rise...",
        '{"predicted_sign": "-", "reasoning": "see sk, pro and 9f"}',
        "a **bold** word, x.x and xxl",
        "",
    ],
)
def test_evidence_without_a_key_is_left_as_it_is(text: str) -> None:
    assert without_keys(text, [KEY, OTHER, "short"]) == text


def test_a_row_of_dots_is_searched_once() -> None:
    """An answer of 260,000 dots took a minute for each key."""
    program = f"""
from runs.endpoint.redaction import without_keys
print(without_keys("." * 260_000 + " ****{KEY[-4:]}", ["{KEY}"])[-6:])
"""
    assert within(10, program) == [" [key]"]


def test_what_looks_like_somebody_s_key_is_hidden_in_messages() -> None:
    for text in ("sk-1234567890abcdef", "sk-pro****wxyz", "Authorization: Bearer abcdefgh.ijk", "AIzaSyD-1234567890"):
        assert "[key]" in redacted(f"provider said: {text}", [])
    assert redacted("a task-based risk of 5", []) == "a task-based risk of 5"


def test_only_variables_named_like_keys_are_keys() -> None:
    env = {
        "LAB_API_KEY": OTHER,
        "EDGEWISE_KEY_LAB": KEY,
        "HOME": "/home/somebody",
        "EMPTY_API_KEY": "",
        "X_API_KEY": "abc",
    }
    assert keys_in(env) == (KEY, OTHER)


@pytest.fixture
def written() -> tuple[logging.Logger, io.StringIO]:
    stream = io.StringIO()
    logger = logging.getLogger("edgewise.test.redaction")
    logger.handlers = [logging.StreamHandler(stream)]
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    return logger, stream


def test_a_log_hides_keys_in_messages_arguments_and_tracebacks(
    written: tuple[logging.Logger, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    logger, stream = written
    monkeypatch.setenv("CANARY_API_KEY", KEY)
    monkeypatch.setenv("EDGEWISE_KEY_LAB", OTHER)
    guard_logs(logger)
    guard_logs(logger)
    assert sum(isinstance(one, WithoutKeys) for one in logger.handlers[0].filters) == 1
    logger.info("asked with %s", {"Authorization": f"Bearer {KEY}"})
    logger.warning(f"refused {OTHER[:6]}...{OTHER[-4:]}")
    try:
        raise ValueError(f"bad header {KEY}")
    except ValueError:
        logger.exception("it failed")
    said = stream.getvalue()
    assert "asked with" in said
    assert "Traceback" in said
    assert "ValueError: bad header" in said
    for part in (KEY, OTHER, KEY[:12], KEY[-6:], OTHER[-4:]):
        assert part not in said
