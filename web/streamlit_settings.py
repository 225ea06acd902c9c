"""Streamlit's security settings, set by the server itself, however it is started. Streamlit reads configuration from
the working folder and the home folder, and its defaults show tracebacks, send usage statistics and accept 200 MB
uploads. So the values below are set, other folders' files are undone, and the theme comes from Edgewise's own file."""

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
"""Set by the gate on each websocket; a header of this name from a browser is dropped."""
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
"""`.streamlit/config.toml` has the same values, for `streamlit run`. A proxy's names are added to
`server.allowedHosts`."""

QUICK: Mapping[str, Any] = MappingProxyType({"runner.magicEnabled": False, "runner.postScriptGC": False})
"""Streamlit would collect garbage after every script run, a third of its processor time. Python collects by itself,
as often as `settings.GARBAGE` says. It would also rewrite the script, to draw its bare expressions; app.py has none."""


def apply_settings(hosts: list[str]) -> None:
    """Apply the security settings and the theme; `hosts` are the served names. Raises Refused for an environment
    variable with another value (its author expects it to apply) and for a setting that Streamlit does not accept."""
    _leave_out_bad_states()
    required = {**SAFE, "server.allowedHosts": hosts}
    for name, value in SAFE.items():
        option = config.get_config_options().get(name)
        set_value = os.environ.get(option.env_var) if option is not None else None
        if option is not None and set_value is not None and set_value.strip().lower() != str(value).lower():
            raise Refused(
                f"{option.env_var} would replace a setting that keeps Edgewise safe ({name} = {value!r}); unset it."
            )
    _undo_other_files()
    with OWN_FILE.open("rb") as file:
        theme = _flat("theme", tomllib.load(file)["theme"])
    for name, value in (*theme, *QUICK.items(), *required.items()):
        config.set_option(name, value, str(OWN_FILE))
    for name, value in required.items():
        if name not in config.get_config_options() or config.get_option(name) != value:
            raise Refused(f"Streamlit does not accept the setting {name} = {value!r}, so Edgewise does not start.")


def _leave_out_bad_states() -> None:
    """Make Streamlit treat a component's state that is invalid JSON, or that Python cannot parse (nested too deeply,
    an integer of thousands of digits), as none, and log it. Streamlit 1.67 ends the script run with a traceback."""

    def loads(text: str) -> Any:
        try:
            return json.loads(text)
        except (RecursionError, ValueError) as error:
            _LOG.warning("A component's state of %d characters was left out: %s", len(text), error)
            return None

    for module in (common, serialization):  # a state that holds JSON as a text is parsed in both, one after the other
        module.json = SimpleNamespace(**{**vars(json), "loads": loads})  # type: ignore[attr-defined]


def _undo_other_files() -> None:
    """Reset options set by a configuration file in the working or home folder. Options without a default of their
    own are computed by Streamlit (logs, secrets), and stay."""
    for name, option in list(config.get_config_options().items()):
        is_foreign = option.where_defined.endswith(OWN_FILE.name) and option.where_defined != str(OWN_FILE)
        if is_foreign and (option.default_val is not None or name.startswith("theme.")):
            config.set_option(name, option.default_val, option.DEFAULT_DEFINITION)


def _flat(path: str, section: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(f"{path}.{name}", value)
        else:
            yield f"{path}.{name}", value
