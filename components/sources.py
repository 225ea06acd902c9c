"""The JavaScript and CSS files that lie beside the components, read once when a component is registered."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

_HERE = Path(__file__).parent
SCRIPTS: dict[str, bytes] = {}
"""Every component's script by its name, which changes with its content; the HTTP door hands them out."""
_LOADER = """\
const load = async (tries) => {
  try {
    return await import(`${location.origin}/script/%s${tries > 0 ? `?again=${tries}` : ""}`);
  } catch (error) { // a browser remembers that an address failed, so each try has its own
    if (tries === 20) throw error;
    await new Promise((done) => setTimeout(done, 250 + 250 * tries));
    return load(tries + 1);
  }
};
export default (await load(0)).default;
"""


def joined(*names: str) -> str:
    """The named files of this folder in the given order as one text. Streamlit takes one script and one style
    sheet per component, so shared pieces are put in front of the component's own."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


def constants(**values: object) -> str:
    """JavaScript that names these values, as JSON, for the scripts after it."""
    return "\n".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())


def script(name: str, *parts: str) -> str:
    """What to give Streamlit as a component's script in place of `parts`: a few lines that fetch them as one file.

    Streamlit sends a component's script again whenever its data changes, and a desk's is two hundred kilobytes. As a
    file of its own a browser fetches it once, and keeps it compiled.
    """
    content = "\n".join(parts).encode()
    file = f"{name}-{hashlib.sha256(content).hexdigest()[:16]}.js"
    SCRIPTS[file] = content
    return _LOADER % file
