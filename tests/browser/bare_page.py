"""The bare page: a Streamlit script's components in a browser without Streamlit's own page around them.

Streamlit's page takes seconds of processor time to load, and tests of a component need nothing of it. At `/bare` the
server of a component's test gives a page of our own (bare_page.js), which mounts components as Streamlit's does: in a
shadow root, with Streamlit's theme, called anew when their data changed. All behind it is Streamlit: the page's
websocket is Streamlit's own, its messages told in JSON. What is Streamlit's page's own, the connection that comes back
among it, is tested at `/`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit
from google.protobuf.json_format import ParseDict
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

BARE = "/bare"
STREAM = f"{BARE}/stream"
HERE = Path(__file__).parent
THEME = HERE.parents[1] / ".streamlit" / "config.toml"
FONTS = {"font": '"Source Sans",sans-serif,"Source Sans",sans-serif', "code-font": '"Source Code Pro",monospace'}
ORANGE = {"light": "#9B4519", "dark": "#F2A56D"}
"""Streamlit's own, which our theme leaves as they are; test_bare_page.py compares what a component is told of both."""
PLAIN = """
html { font-size: %(size)spx; }
body { margin: 0; font: 400 1rem/1.6 %(font)s; color: var(--st-text-color); background: var(--st-background-color); }
* { box-sizing: border-box; }
[data-testid=stApp] { background: var(--st-background-color); }
[data-testid=stMain] { height: 100vh; overflow: auto; padding: 1.5rem clamp(1rem, 5vw, 5rem) 40rem; }
@font-face { font-family: "Source Sans"; font-weight: 200 900; src: url("%(file)s") format("woff2"); }
"""


def variables(theme: str) -> dict[str, str]:
    """What Streamlit tells a component of the theme, as far as ours ask for it: names without `--st-`, and values."""
    given = tomllib.loads(THEME.read_text("utf-8"))["theme"]
    named = ("primaryColor", "backgroundColor", "secondaryBackgroundColor", "textColor", "borderColor", "linkColor")
    colours = {_dashed(name): given[theme][name] for name in named}
    return {**colours, **FONTS, "base-radius": given["baseRadius"], "orange-text-color": ORANGE[theme]}


@cache
def _page() -> str:
    given = tomllib.loads(THEME.read_text("utf-8"))["theme"]
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    (font,) = (path.name for path in media.glob("SourceSansVF-Upright.*.woff2"))
    light, dark = (
        "".join(f"--st-{name}: {value}; " for name, value in variables(theme).items()) for theme in ("light", "dark")
    )
    plain = PLAIN % {"size": given["baseFontSize"], "font": FONTS["font"], "file": f"/static/media/{font}"}
    style = f":root {{ {light}color-scheme: light dark; }}\n"
    style += f"@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n{plain}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><style>{style}</style>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<body><div data-testid="stApp" data-test-script-state="initial"><main data-testid="stMain"></main></div>'
        f'<script type="module">{(HERE / "bare_page.js").read_text("utf-8")}</script></body></html>'
    )


async def _bare(_request: Request) -> Response:
    return HTMLResponse(_page())


BARE_ROUTE = Route(BARE, _bare, methods=["GET"])


def in_json(app: ASGIApp) -> ASGIApp:
    """`app`, whose websocket speaks JSON too: at `STREAM`."""

    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or scope["path"] != STREAM:
            await app(scope, receive, send)
            return

        async def receive_binary() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and message.get("text"):
                asked = ParseDict({"rerunScript": json.loads(message["text"])}, BackMsg())
                return {"type": "websocket.receive", "bytes": asked.SerializeToString()}
            return message

        async def send_text(message: Message) -> None:
            if message["type"] == "websocket.send":
                said = _plain(ForwardMsg.FromString(message["bytes"]))
                if said is None:
                    return
                message = {"type": "websocket.send", "text": json.dumps(said)}
            await send(message)

        path = "/_stcore/stream"
        await app({**scope, "path": path, "raw_path": path.encode()}, receive_binary, send_text)

    return told


def _plain(message: ForwardMsg) -> dict[str, Any] | None:
    """A message as the bare page reads it, None for what it has no use for."""
    match message.WhichOneof("type"):
        case "new_session":
            return {"begins": message.new_session.page_script_hash}
        case "delta":
            shown = _shown(message.delta)
            return shown and {"place": list(message.metadata.delta_path), **shown}
        case "script_finished":
            return {"finished": message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY}
        case "session_status_changed":
            return {"running": message.session_status_changed.script_is_running}
        case _:
            return None


def _shown(delta: Delta) -> dict[str, Any] | None:
    if delta.WhichOneof("type") != "new_element":
        return None
    kind = delta.new_element.WhichOneof("type") or ""
    value = getattr(delta.new_element, kind)
    match kind:
        case "bidi_component":
            assert value.WhichOneof("data") in (None, "json", "mixed"), "the bare page knows data in JSON alone"
            given: Mapping[str, Any] = {
                "name": value.component_name,
                "html": value.html_content,
                "css": value.css_content,
                "js": value.js_content,
                "isolated": value.isolate_styles,
                "data": value.mixed.json if value.WhichOneof("data") == "mixed" else value.json,
            }
        case "text" | "markdown":
            given = {"words": value.body}
        case "code":
            given = {"words": value.code_text}
        case "exception":
            given = {"words": f"{value.type}: {value.message}\n{chr(10).join(value.stack_trace)}"}
        case "button" | "checkbox" | "text_input":
            given = {"label": value.label, "value": getattr(value, "default", None)}
        case _:  # what no test of a component looks at
            given = {}
    return {"kind": kind, "id": getattr(value, "id", ""), **given}


def _dashed(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
