"""The scripts and style sheets that lie beside the components, as a browser gets them.

Scripts are native modules, served as they lie here under one folder whose name is a hash of them all: a browser fetches
each once and keeps it, and a new version of any is a new folder.
"""

from __future__ import annotations

import hashlib
import re
from importlib.metadata import version
from pathlib import Path

_HERE = Path(__file__).parent
SCRIPTS: dict[str, bytes] = {
    path.relative_to(_HERE).as_posix(): path.read_bytes() for path in sorted(_HERE.rglob("*.js"))
}
"""Every script by its path in this folder; the HTTP door hands them out."""
_VERSION = hashlib.sha256(
    b"\n".join([*(name.encode() + b"\n" + content for name, content in SCRIPTS.items()), version("pyvis").encode()])
).hexdigest()[:16]
_FOLDER = re.compile(rf"{_VERSION}(-\d{{1,2}})?")
_LOADER = """\
const load = async (tries) => {
  try {
    return await import(`${location.origin}/script/%s${tries > 0 ? `-${tries}` : ""}/%s`);
  } catch (error) { // a browser remembers that an address failed, so each try has a folder of its own
    if (tries === 20) throw error;
    await new Promise((done) => setTimeout(done, 250 + 250 * tries));
    return load(tries + 1);
  }
};
export default (await load(0)).default;
"""


def sheets(*names: str) -> str:
    """The named style sheets of this folder, in the given order, as one text: Streamlit takes one per component."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


def provide(name: str, content: str) -> None:
    """Hand out a script that is made and does not lie here. It may change only with the version of pyvis."""
    SCRIPTS[name] = content.encode()


def script(name: str) -> str:
    """What to give Streamlit as a component's script: a few lines that import the module `name` of this folder.

    Streamlit sends a component's script again whenever its data changes, and a desk's are two hundred kilobytes. As
    files of their own a browser fetches them once, and keeps them compiled.
    """
    if name not in SCRIPTS:
        raise LookupError(f"components/{name} is no script.")
    return _LOADER % (_VERSION, name)


def content_of(folder: str, name: str) -> bytes | None:
    """The script `name` as the browser asks for it, in this version's folder or that of a further try; None in any
    other folder, whose scripts were different."""
    return SCRIPTS.get(name) if _FOLDER.fullmatch(folder) else None
