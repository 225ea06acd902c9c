"""Scripts and style sheets of the components, as the browser gets them.

Scripts are native modules. Each is served with the modules that it imports in it, under one folder whose name is a hash
of them all: a browser fetches it once and caches it, and a new version of any module is a new folder."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from functools import cache, partial
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
_LIBRARY = "graph/vis_network.js"
"""The drawing library, served unchanged as a file of its own."""
# Forms of import and export, as the formatter writes them.
_IMPORT = re.compile(r'^import (\w+|\{[^{}]*\}) from "(\.[^"]+)";', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_AT_ONCE = re.compile(r'^(?:import \w+ from |const \w+ = import\()"(\.[^"]+)"', re.MULTILINE)
"""A file that another one needs at once: the library, or by an import called as it is loaded."""
# All files are requested at once, not one after the other; and a browser remembers that an
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


SCRIPTS[_LIBRARY] = (
    f"const exports = {{}};\nconst module = {{ exports }};\n{vis_network()}\nexport default exports;\n".encode()
)


def script(name: str) -> str:
    """Return a component's script for Streamlit: a few lines that import the module `name` of this folder.

    Streamlit sends a component's script again whenever its data changes, and a desk's are 200 kB. As files a browser
    fetches them once and caches them compiled."""
    if name not in SCRIPTS:
        raise LookupError(f"components/{name} is not a script.")
    needed = " ".join(sorted(each.removesuffix(".js") for each in files_of(name)))
    return _LOADER % (_VERSION, needed, name)


def files_of(name: str) -> set[str]:
    """Return the file of the script `name` and those that it needs as it is loaded."""
    paths = _AT_ONCE.findall(content_of(_VERSION, name) or "")
    return {name}.union(*(files_of(_resolved(name, path)) for path in paths))


@cache
def joined(name: str) -> str:
    """Return the script `name` and all modules that it imports as one module, in which each has a scope of its own. A
    browser needs half a millisecond for each module that it requests, also for one that it has cached, and a desk has
    60. Raises LookupError for an import of a script that is not there, ValueError for a form that is not read here."""
    scopes: dict[str, str] = {}  # in the order in which they are evaluated
    uses_library = False

    def scope_of(module: str) -> str:
        if module not in scopes:
            text = _IMPORT.sub(partial(imported, module), SCRIPTS[module].decode())
            text = _LATER.sub(lambda match: f'import("{_relative(name, _resolved(module, match[1]))}")', text)
            names = [*_EXPORT.findall(text), *(["default: byDefault"] if _DEFAULT.search(text) else [])]
            text = _DEFAULT.sub("const byDefault = ", _EXPORT.sub("", text))
            if _OTHER_FORM.search(text):
                raise ValueError(f"components/{module} has an import or export that cannot be joined.")
            scope = f"$module{len(scopes)}"
            scopes[module] = f"const {scope} = (() => {{\n{text}return {{ {', '.join(names)} }};\n}})();\n"
        return f"$module{list(scopes).index(module)}"

    def imported(module: str, match: re.Match[str]) -> str:
        nonlocal uses_library
        path = _resolved(module, match[2])
        if path == _LIBRARY:
            uses_library = True
            return f"const {match[1]} = library;"
        return f"const {match[1].replace(' as ', ': ')} = {scope_of(path)};"

    last = scope_of(name)
    exported = [f"export const {each} = {last}.{each};\n" for each in _EXPORT.findall(SCRIPTS[name].decode())]
    if _DEFAULT.search(SCRIPTS[name].decode()):
        exported.append(f"export default {last}.default;\n")
    library = f"import library from {json.dumps(_relative(name, _LIBRARY))};\n" if uses_library else ""
    return "".join((library, *scopes.values(), *exported))


def _resolved(module: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))


def _relative(module: str, other: str) -> str:
    path = posixpath.relpath(other, posixpath.dirname(module))
    return path if path.startswith(".") else f"./{path}"


def content_of(folder: str, name: str) -> str | None:
    """Return the script `name` in this version's folder or that of a retry; None in any other folder, whose scripts
    were different."""
    if not _FOLDER.fullmatch(folder) or name not in SCRIPTS:
        return None
    return SCRIPTS[name].decode() if name == _LIBRARY else joined(name)
