"""The settings that safety rests on, as Streamlit itself reads them, and ours from the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from core.errors import Refused
from settings import read_settings
from tests.everything import usual
from web import streamlit_settings
from web.streamlit_settings import QUICK, SAFE, apply_settings

ROOT = Path(__file__).resolve().parents[1]
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("EDGEWISE_", "STREAMLIT_"))}
READ = """
import json, server
from streamlit import config
print(json.dumps({name: option.value for name, option in config.get_config_options().items()}))
"""
LOOSE = """
[client]
showErrorDetails = "full"
[server]
maxUploadSize = 2000
baseUrlPath = "elsewhere"
enableXsrfProtection = false
[theme]
base = "dark"
primaryColor = "#FF0000"
[theme.light]
primaryColor = "#FF0000"
"""


def of_the_file() -> tuple[dict[str, object], dict[str, Any]]:
    """What `.streamlit/config.toml` says: its settings by name, and its theme."""
    said = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    theme = said.pop("theme")
    return {f"{section}.{name}": value for section, values in said.items() for name, value in values.items()}, theme


def test_the_server_sets_what_the_configuration_file_says_and_it_is_the_safe_value() -> None:
    said, _theme = of_the_file()
    assert said == {**SAFE, **QUICK}
    for name, value in {
        "browser.gatherUsageStats": False,
        "client.allowedOrigins": [],
        "client.showErrorDetails": "none",
        "server.address": "127.0.0.1",
        "server.allowedHosts": ["127.0.0.1", "localhost", "[::1]"],
        "server.enableAgentApi": False,
        "server.enableCORS": True,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "server.fileWatcherType": "none",
        "server.maxMessageSize": 50,
        "server.maxUploadSize": 50,
    }.items():
        assert SAFE[name] == value, name


PLACES = ["the root", "a folder and a home with other settings"]


@pytest.mark.parametrize("place", usual(PLACES, "the root"))
def test_wherever_it_is_started_the_server_has_its_safe_settings_and_its_look(tmp_path: Path, place: str) -> None:
    cwd, environment = Path("/"), PLAIN  # where a systemd unit without WorkingDirectory starts
    if place != "the root":
        cwd = tmp_path
        (tmp_path / ".streamlit").mkdir()
        (tmp_path / ".streamlit" / "config.toml").write_text(LOOSE)
        environment = {**PLAIN, "HOME": str(tmp_path)}
    proxied = {"EDGEWISE_BEHIND_PROXY": "1", "EDGEWISE_ALLOWED_HOSTS": "edgewise.example", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=cwd,
        env={**environment, **proxied},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    in_force = json.loads(done.stdout)
    hosts = ["127.0.0.1", "localhost", "::1", "edgewise.example"]
    assert {name: in_force[name] for name in SAFE} == {**SAFE, "server.allowedHosts": hosts}
    assert {name: in_force[name] for name in QUICK} == QUICK
    _said, theme = of_the_file()
    assert in_force["theme.baseRadius"] == theme["baseRadius"]
    assert in_force["theme.light.primaryColor"] == theme["light"]["primaryColor"]
    assert in_force["theme.dark.sidebar.backgroundColor"] == theme["dark"]["sidebar"]["backgroundColor"]
    assert (in_force["theme.base"], in_force["theme.primaryColor"], in_force["server.baseUrlPath"]) == (None, None, "")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "200"),
        ("STREAMLIT_CLIENT_SHOW_ERROR_DETAILS", "full"),
        ("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "true"),
        ("STREAMLIT_SERVER_ADDRESS", "0.0.0.0"),
    ],
)
def test_a_variable_that_would_overrule_a_safe_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(Refused, match=rf"^{variable} .+; unset it\.$"):
        apply_settings(["127.0.0.1"])


def test_a_variable_that_says_the_safe_value_is_in_nobodys_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "False")
    monkeypatch.setenv("STREAMLIT_SERVER_HEADLESS", "true")
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "9000")
    apply_settings(list(SAFE["server.allowedHosts"]))


@pytest.mark.parametrize("taken", ["by no option", "with another value"])
def test_a_setting_that_streamlit_does_not_take_keeps_the_server_from_starting(
    monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    if taken == "by no option":
        monkeypatch.setattr(streamlit_settings, "SAFE", {**SAFE, "server.isSafe": True})
    else:
        monkeypatch.setattr(streamlit_settings.config, "get_option", lambda name: 200)
    with pytest.raises(Refused, match=r"does not start\."):
        apply_settings(list(SAFE["server.allowedHosts"]))


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    read = read_settings(
        {
            "EDGEWISE_HOME": str(tmp_path),
            "EDGEWISE_STORE": "postgresql://localhost/study",
            "STREAMLIT_SERVER_PORT": "8600",
            "EDGEWISE_LOCAL": "1",
            "EDGEWISE_BEHIND_PROXY": "1",
        }
    )
    assert (read.home, read.store, read.port) == (tmp_path, "postgresql://localhost/study", 8600)
    assert (read.is_local, read.behind_proxy) == (True, True)


def test_the_demo_study_in_the_home_folder_is_the_default(tmp_path: Path) -> None:
    read = read_settings({"EDGEWISE_HOME": str(tmp_path)})
    assert (read.store, read.port) == (str(tmp_path / "demo.edgewise"), 8501)


def test_home_is_below_the_users_data_folder_if_nothing_names_it() -> None:
    assert read_settings({}).home.name == "edgewise"


@pytest.mark.parametrize("value", ["", "0", "no", "true", "yes"])
def test_nothing_but_1_opens_a_study_without_a_password_or_trusts_a_proxy(value: str) -> None:
    read = read_settings({"EDGEWISE_LOCAL": value, "EDGEWISE_BEHIND_PROXY": value})
    assert (read.is_local, read.behind_proxy) == (False, False)
