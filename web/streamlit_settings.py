"""Streamlit's settings that concern safety: put in force by the server itself, wherever it is started.

Streamlit reads configuration from the working folder and the home folder, and falls back to defaults that show
tracebacks, send usage statistics and take 200 MB uploads. So nothing here is left to a folder: the values below are
set, what other folders' files say is undone, and the look comes from our own file.
"""

from __future__ import annotations

import json
import logging
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

from streamlit import config
from streamlit.components.v2.bidi_component import serialization
from streamlit.runtime.state import common

from components.script_turns import PERSON
from core.errors import Refused

_LOG = logging.getLogger("edgewise")
OWN_FILE = Path(__file__).resolve().parent.parent / ".streamlit" / "config.toml"
PERSON_HEADER = "X-Edgewise-Person"
"""Set by the gate alone on each websocket; what a browser sends under this name is dropped."""
SAFE: Mapping[str, Any] = MappingProxyType(
    {
        "browser.gatherUsageStats": False,
        "client.allowedOrigins": [],
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
        "global.developmentMode": False,
        "server.address": "127.0.0.1",
        "server.allowedHosts": ["127.0.0.1", "localhost", "[::1]"],
        "server.corsAllowedOrigins": [],
        "server.enableAgentApi": False,
        "server.enableCORS": True,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "server.fileWatcherType": "none",
        "server.headless": True,
        "server.maxMessageSize": 50,
        "server.maxUploadSize": 50,
        "server.scriptHealthCheckEnabled": False,
        "server.trustedUserHeaders": {PERSON_HEADER: PERSON},
        "server.unsafeMetricsUserAttributes": [],
    }
)
"""`.streamlit/config.toml` says the same, for `streamlit run`. To `server.allowedHosts` a proxy's names are added."""

QUICK: Mapping[str, Any] = MappingProxyType({"runner.postScriptGC": False})
"""Streamlit would walk everything that is in memory after every run of a page, a third of the run's processor time.
Python looks for garbage by itself, as often as `settings.GARBAGE` says."""


def put_in_force(hosts: list[str]) -> None:
    """Set what is safe and how it looks; `hosts` are the names served.

    Raises Refused, naming it, for an environment variable that says otherwise (somebody believes it is in force) and
    for a setting that Streamlit does not take.
    """
    _leave_out_bad_states()
    wanted = {**SAFE, "server.allowedHosts": hosts}
    for name, value in SAFE.items():
        _check_environment(name, value)
    _undo_other_files()
    for name, value in (*_look(), *QUICK.items(), *wanted.items()):
        config.set_option(name, value, str(OWN_FILE))
    for name, value in wanted.items():
        if name not in config.get_config_options() or config.get_option(name) != value:
            raise Refused(f"Streamlit does not accept the setting {name} = {value!r}, so Edgewise does not start.")


def _leave_out_bad_states() -> None:
    """Have Streamlit take a component's state that is no JSON, or JSON that Python does not read (nested too deeply, an
    integer of thousands of digits), for none, with a line in the log. Streamlit 1.67 lets it end the run of the page,
    with a traceback."""

    def loads(text: str) -> Any:
        try:
            return json.loads(text)
        except (RecursionError, ValueError) as error:
            _LOG.warning("A component's state of %d characters was left out: %s", len(text), error)
            return None

    for module in (common, serialization):  # a state that holds JSON as a text is parsed in both, one after the other
        module.json = SimpleNamespace(**{**vars(json), "loads": loads})  # type: ignore[attr-defined]


def _check_environment(name: str, value: Any) -> None:
    option = config.get_config_options().get(name)
    said = os.environ.get(option.env_var) if option is not None else None
    if option is None or said is None or said.strip().lower() == str(value).lower():
        return
    raise Refused(f"{option.env_var} would replace a setting that keeps Edgewise safe ({name} = {value!r}); unset it.")


def _undo_other_files() -> None:
    """Put back what a configuration file in the working folder or in the home folder has set.

    Without a default of its own, an option's value is worked out by Streamlit (logs, secrets): that one stays.
    """
    for name, option in list(config.get_config_options().items()):
        is_foreign = option.where_defined.endswith(OWN_FILE.name) and option.where_defined != str(OWN_FILE)
        if is_foreign and (option.default_val is not None or name.startswith("theme.")):
            config.set_option(name, option.default_val, option.DEFAULT_DEFINITION)


def _look() -> Iterator[tuple[str, Any]]:
    with OWN_FILE.open("rb") as file:
        yield from _flat("theme", tomllib.load(file)["theme"])


def _flat(path: str, section: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(f"{path}.{name}", value)
        else:
            yield f"{path}.{name}", value
