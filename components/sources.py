"""Scripts and style sheets of the components, as the browser gets them.

Scripts are native modules, served unchanged under one folder whose name is a hash of them all: a browser fetches each
once and caches it, and a new version of any is a new folder."""

from __future__ import annotations

import hashlib
import posixpath
import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).parent
SCRIPTS: dict[str, bytes] = {
    path.relative_to(_HERE).as_posix(): path.read_bytes() for path in sorted(_HERE.rglob("*.js"))
}
"""Every script by its path in this folder, for the HTTP server."""
_VERSION = hashlib.sha256(
    b"\n".join([*(name.encode() + b"\n" + content for name, content in SCRIPTS.items()), version("pyvis").encode()])
).hexdigest()[:16]
_FOLDER = re.compile(rf"{_VERSION}(-\d{{1,2}})?")
_IMPORT = re.compile(
    rb'^(?:(?:import|export|\}) (?:[^"\n]{0,200} )?from|const \w{1,80} =) (?:import\()?"(\.[^"\n]{1,200})"',
    re.MULTILINE,
)
"""A module that another one needs at once: by a static import, or by one called as it is loaded."""
# All modules are requested at once, not one after the other; and a browser remembers that an
# address failed, so each retry has a folder of its own.
_LOADER = """\
const folder = `${location.origin}/script/%s`;
for (const name of "%s".split(" ")) {
  const href = `${folder}/${name}.js`;
  if (document.head.querySelector(`link[href="${href}"]`)) continue;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
const load = async (tries) => {
  try {
    return await import(`${folder}${tries > 0 ? `-${tries}` : ""}/%s`);
  } catch (error) {
    if (tries === 20) throw error;
    await new Promise((done) => setTimeout(done, 250 + 250 * tries));
    return load(tries + 1);
  }
};
export default (await load(0)).default;
"""


def sheets(*names: str) -> str:
    """Return the named style sheets, in the given order, as one text: Streamlit takes one per component."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


def vis_network() -> str:
    """Return the script of vis-network 9.1.2 as pyvis ships it, without the request for its source map."""
    pyvis = find_spec("pyvis")  # its place alone: importing it would load networkx and IPython
    assert pyvis is not None
    assert pyvis.origin is not None
    source = Path(pyvis.origin).with_name("lib").joinpath("vis-9.1.2", "vis-network.min.js").read_text(encoding="utf-8")
    return source.replace("//# sourceMappingURL=vis-network.min.js.map", "")


SCRIPTS["graph/vis_network.js"] = (
    f"const exports = {{}};\nconst module = {{ exports }};\n{vis_network()}\nexport default exports;\n".encode()
)


def script(name: str) -> str:
    """Return a component's script for Streamlit: a few lines that import the module `name` of this folder.

    Streamlit sends a component's script again whenever its data changes, and a desk's are 200 kB. As files a browser
    fetches them once, in one round trip, and caches them compiled."""
    if name not in SCRIPTS:
        raise LookupError(f"components/{name} is not a script.")
    needed = " ".join(sorted(each.removesuffix(".js") for each in needed_by(name)))
    return _LOADER % (_VERSION, needed, name)


def needed_by(name: str) -> set[str]:
    """Return the script `name` and every script that it imports, directly or not."""
    needed: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in needed:
            continue
        needed.add(each)
        room = posixpath.dirname(each)
        waiting += [posixpath.normpath(f"{room}/{path.decode()}") for path in _IMPORT.findall(SCRIPTS[each])]
    return needed


def content_of(folder: str, name: str) -> bytes | None:
    """Return the script `name` in this version's folder or that of a retry; None in any other folder, whose scripts
    were different."""
    return SCRIPTS.get(name) if _FOLDER.fullmatch(folder) else None
