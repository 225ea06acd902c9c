"""An endpoint's fields are checked before anything is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.errors import BadInput
from runs.endpoint.endpoints import Endpoint, checked_address, checked_endpoint
from runs.endpoint.redaction import keys_in

LAB = Endpoint(name="lab", base_url="https://models.example/v1", key_variable="LAB_API_KEY")


@pytest.mark.parametrize(
    "variable",
    [
        "",
        "LAB_API_KEY",
        "OPENAI_API_KEY",
        "EDGEWISE_KEY_LAB",
        "EDGEWISE_KEY_2",
        "HF_TOKEN",
        "LITELLM_MASTER_KEY",
        "LAB",
    ],
)
def test_variables_of_keys_and_none_are_taken(variable: str) -> None:
    assert checked_endpoint(replace(LAB, key_variable=variable)).key_variable == variable


@pytest.mark.parametrize(
    "variable", ["sk-abcdefgh12345678", "ABCDEFGH12345678", "lab_api_key", "_API_KEY", "A_API_KEY\n", "EDGEWISE_KEY_"]
)
def test_what_names_no_variable_is_refused(variable: str) -> None:
    with pytest.raises(BadInput, match="such as OPENAI_API_KEY or HF_TOKEN") as caught:
        checked_endpoint(replace(LAB, key_variable=variable))
    assert "abcdefgh" not in str(caught.value).casefold()  # somebody may have typed the key itself


@pytest.mark.parametrize(
    "variable", ["PATH", "HOME", "HTTPS_PROXY", "EDGEWISE_STORE", "PGPASSWORD", "DATABASE_URL", "STREAMLIT_SERVER_PORT"]
)
def test_a_known_setting_is_never_sent_to_an_address(variable: str) -> None:
    with pytest.raises(BadInput, match=f"{variable} is a setting"):
        checked_endpoint(replace(LAB, key_variable=variable))


def test_a_key_is_hidden_by_whatever_name_an_endpoint_gives_its_variable() -> None:
    env = {"LAB_WORD": "correct-horse-battery", "HF_TOKEN": "staple-battery-horse"}
    assert keys_in(env) == ("staple-battery-horse",)
    Endpoint(name="lab", base_url="https://models.example/v1", key_variable="LAB_WORD")
    assert keys_in(env) == ("correct-horse-battery", "staple-battery-horse")


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        (" https://models.example/v1/ ", "https://models.example/v1"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("scripted:demo ", "scripted:demo"),
    ],
)
def test_an_address_is_kept_tidy(address: str, kept: str) -> None:
    assert checked_address(address) == kept


@pytest.mark.parametrize(
    "address",
    [
        "",
        "models.example/v1",
        "ftp://models.example",
        "file:///etc/passwd",
        "http://",
        "https://a b/v1",
        "https://h:port/v1",
        "https://h/v1?key=1",
        "https://h/v1#x",
        "https://h/v1/chat/completions",
        "javascript:1",
        "scripted:other",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="ddress"):
        checked_address(address)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadInput) as caught:
        checked_address("https://me:hunter2secret@models.example/v1")
    assert "hunter2secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("concurrency", 0),
        ("concurrency", 513),
        ("concurrency", 1.5),
        ("deadline_s", 0),
        ("deadline_s", float("nan")),
        ("most_bytes", 10),
        ("requests_per_minute", 0),
        ("tokens_per_minute", True),
    ],
)
def test_a_limit_outside_its_range_is_named(field: str, value: Any) -> None:
    with pytest.raises(BadInput, match=field if field != "name" else "name"):
        checked_endpoint(replace(LAB, **{field: value}))


def test_the_key_is_read_from_the_environment_given() -> None:
    assert LAB.key({"LAB_API_KEY": " abc\n"}) == "abc"
    assert LAB.key({"LAB_API_KEY": ""}) is None
    assert LAB.key({}) is None
    assert replace(LAB, key_variable="").key({"": "abc"}) is None


@pytest.mark.parametrize(
    "variable",
    [
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "GITLAB_TOKEN",
        "CI_JOB_TOKEN",
        "ADMIN_PASSWORD",
        "PASSWORD_OF_LAB",
        "TLS_PRIVATE_KEY",
        "SECRET_KEY",
        "JWT_SECRET",
        "VAULT_TOKEN",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ],
)
def test_a_known_secret_of_another_system_is_never_sent_to_an_address(variable: str) -> None:
    with pytest.raises(BadInput, match=f"{variable} .* secret .* EDGEWISE_KEY_LAB"):
        checked_endpoint(replace(LAB, key_variable=variable))


@pytest.mark.parametrize(
    "variable",
    [
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "LITELLM_MASTER_KEY",
        "AWS_BEARER_TOKEN_BEDROCK",
        "QIANFAN_SECRET_KEY",
        "LABKEY",
        "EDGEWISE_KEY_GITHUB",
        "AZURE_OPENAI_KEY",
        "MAILAB_KEY",
    ],
)
def test_any_other_name_may_hold_a_key(variable: str) -> None:
    assert checked_endpoint(replace(LAB, key_variable=variable)).key_variable == variable
