"""Settings from the environment as one frozen object, read once; imports no module of Edgewise."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

GARBAGE = (5_000, 10, 10)
"""When the server and a worker look for garbage (`gc.set_threshold`): a page, or a window of a run, makes thousands of
rows that soon go by themselves; looking through them at every 700, as Python does, is a twentieth of a run's time."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`home`: folder for studies and caches. `store`: SQLite path or PostgreSQL URL. `port`: of the server.
    `is_local`: the study opens signed in as its owner, on loopback only. `allowed_hosts`: names under which a
    proxy reaches the server."""

    home: Path
    store: str
    port: int
    is_local: bool
    behind_proxy: bool
    allowed_hosts: tuple[str, ...] = ()


def read_settings(environment: dict[str, str] | None = None) -> Settings:
    """Settings from `EDGEWISE_HOME`, `EDGEWISE_STORE`, `STREAMLIT_SERVER_PORT`, `EDGEWISE_LOCAL`,
    `EDGEWISE_BEHIND_PROXY` and `EDGEWISE_ALLOWED_HOSTS` (comma-separated)."""
    env = dict(os.environ) if environment is None else environment
    named = env.get("EDGEWISE_HOME")
    home = Path(named).expanduser() if named else user_data_path("edgewise", appauthor=False)
    return Settings(
        home=home,
        store=env.get("EDGEWISE_STORE") or str(home / "demo.edgewise"),
        port=int(env.get("STREAMLIT_SERVER_PORT") or 8501),
        is_local=env.get("EDGEWISE_LOCAL") == "1",
        behind_proxy=env.get("EDGEWISE_BEHIND_PROXY") == "1",
        allowed_hosts=tuple(filter(None, (host.strip() for host in env.get("EDGEWISE_ALLOWED_HOSTS", "").split(",")))),
    )
