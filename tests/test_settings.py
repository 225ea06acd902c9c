"""The settings that safety rests on, as Streamlit itself reads them, and ours from the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
SAFE = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "server.address": "127.0.0.1",
    "server.allowedHosts": ["127.0.0.1", "localhost", "[::1]"],
    "server.enableAgentApi": False,
    "server.enableCORS": True,
    "server.enableStaticServing": False,
    "server.enableXsrfProtection": True,
    "server.fileWatcherType": "none",
    "server.headless": True,
    "server.maxMessageSize": 50,
    "server.maxUploadSize": 50,
    "server.scriptHealthCheckEnabled": False,
}


def test_streamlit_reads_every_safe_value_from_our_configuration() -> None:
    read = "import json, sys; from streamlit import config; "
    read += "print(json.dumps({name: config.get_option(name) for name in json.loads(sys.argv[1])}))"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    done = subprocess.run(
        [sys.executable, "-c", read, json.dumps(list(SAFE))],
        cwd=ROOT, env=plain, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == SAFE


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
