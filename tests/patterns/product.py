"""Every regular expression of the product, read from its source, with the way in which each is used.

A pattern is evaluated where it stands, in its module's own names. One that is made of what a function was given cannot
be: it is listed in `MADE_LATER`, with examples. A pattern that is only ever asked to `match` or `fullmatch` a whole
text begins once; one asked to `search`, `find`, `split` or `sub`, or to match from a place or a slice on, begins again
and again, and so, for all we know, does one whose use is not found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.parsed import walked
from tests.patterns.growth import Use
from tests.test_house import ROOT, sources

FUNCTIONS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
ONCE = {"match", "fullmatch"}
_IMPORTS_RE = re.compile(r"(?m)^[ \t]*(?:import|from)\b.*\b(?:re|re2|regex|sre_compile)\b")
NO_USE = {"pattern", "flags", "groups", "groupindex"}


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, where it stands ("exchange/dot.py:35"), its name if it has one, and the use it has to stand."""

    where: str
    name: str
    pattern: str | bytes
    flags: int
    use: Use

    def __str__(self) -> str:
        return f"{self.where} {self.name}".rstrip()

    def compiled(self) -> re.Pattern[Any]:
        return re.compile(self.pattern, self.flags)


@dataclass(frozen=True, slots=True)
class Later:
    """A pattern made when its function is called: of what, and examples of it made by the function's own code."""

    why: str
    examples: Callable[[], list[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Source:
    """One module, parsed: every node in the order of a walk, each with its parent."""

    path: Path
    module: str
    nodes: tuple[ast.AST, ...]
    parents: dict[ast.AST, ast.AST]

    @classmethod
    def read(cls, path: Path, root: Path = ROOT) -> Source:
        nodes = walked(path.read_text(encoding="utf-8"))
        parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        return cls(path, ".".join(path.relative_to(root).with_suffix("").parts), nodes, parents)

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The outermost function a node stands in."""
        found = None
        while (node := self.parents.get(node)) is not None:  # type: ignore[assignment]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found = node
        return found

    def where(self, node: ast.expr) -> str:
        return f"{self.module.replace('.', '/')}.py:{node.lineno}"


def product_sources() -> list[Source]:
    """The modules that make patterns, and those that use one of another module. The scripted models are left out: they
    read only what the demo study and the tests send."""
    scripted = ROOT / "runs" / "scripted"
    texts = {path: path.read_text(encoding="utf-8") for path in sources() if scripted not in path.parents}
    makers = [Source.read(path) for path, text in texts.items() if _IMPORTS_RE.search(text)]
    known = {source.path for source in makers}
    users = re.compile(rf"\b(?:{'|'.join(sorted(set().union(*map(_shared, makers))))})\b")
    return makers + [Source.read(path) for path, text in texts.items() if path not in known and users.search(text)]


def _shared(source: Source) -> set[str]:
    """The names under which other modules can use its patterns."""
    parents = (source.parents[call] for call in _calls(source) if source.function(call) is None)
    targets = (parent.targets[0] for parent in parents if isinstance(parent, ast.Assign))
    return {target.id for target in targets if isinstance(target, ast.Name) and target.id[0] != "_"}


def patterns(read: list[Source], later: dict[str, Later]) -> list[Found]:
    """Every pattern of these modules. Raises LookupError for one that is made when its function is called and is not
    in `later` ("exchange/loopy.py: _decoded"), and for a line of `later` that is none."""
    uses = named_uses(read)
    found: list[Found] = []
    met: set[str] = set()
    for source in read:
        for call in _calls(source):
            value = _evaluated(source, call)
            name, use = _use(source, call, uses)
            if value is not None:
                found.append(Found(source.where(call), name, *value, use))
                continue
            function = source.function(call)
            key = f"{source.where(call).partition(':')[0]}: {function.name if function else ''}"
            if key not in later:
                raise LookupError(f"{source.where(call)}: a pattern made when it is used; say of what in MADE_LATER")
            if key not in met:
                found += [Found(source.where(call), name, *example, use) for example in later[key].examples()]
            met.add(key)
    if unknown := later.keys() - met:
        raise LookupError(f"MADE_LATER names what is not there: {', '.join(sorted(unknown))}")
    return found


def other_imports(read: list[Source]) -> list[str]:
    """Where patterns would be made that `patterns` does not see: names out of `re`, `re` under another name."""
    found = []
    for source in read:
        for node in source.nodes:
            if isinstance(node, ast.ImportFrom) and node.module in ("re", "regex", "sre_compile"):
                found.append(f"{source.module}: from {node.module} import")
            if isinstance(node, ast.Import):
                found += [
                    f"{source.module}: import {alias.name}"
                    for alias in node.names
                    if alias.name in ("regex", "re2") or (alias.name == "re" and alias.asname)
                ]
    return found


def _calls(source: Source) -> Iterator[ast.Call]:
    for node in source.nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in FUNCTIONS
        ):
            yield node


def arguments(name: str, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, Any]:
    """Pattern and flags among what a function of `re` is called with; None for no flags."""
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(name, 2)
    pattern = named["pattern"] if "pattern" in named else given[0]
    return pattern, named.get("flags", given[place] if len(given) > place else None)


def _evaluated(source: Source, call: ast.Call) -> tuple[str | bytes, int] | None:
    """Pattern and flags of a call; None if they depend on what its function was given."""
    named = {word.arg or "": word.value for word in call.keywords}
    pattern, flags = arguments(call.func.attr, call.args, named)  # type: ignore[attr-defined]
    function = source.function(call)
    own = _own_names(function) if function is not None else set()
    for part in (pattern, flags):
        if part is not None and own & {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}:
            return None
    found = _value(source, pattern)
    if isinstance(found, re.Pattern):
        return found.pattern, found.flags & ~re.UNICODE
    assert isinstance(found, str | bytes), source.where(call)
    return found, int(_value(source, flags)) if flags is not None else 0


def _value(source: Source, node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    return eval(compile(ast.Expression(node), source.module, "eval"), vars(import_module(source.module)))


def _own_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names that mean something else within a function than in its module."""
    own = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    return own


# --- how they are used -----------------------------------------------------------------------------------------------


def _use(source: Source, call: ast.Call, uses: dict[tuple[str, str], set[Use]]) -> tuple[str, Use]:
    method = call.func.attr  # type: ignore[attr-defined]
    if method != "compile":
        is_rest = len(call.args) > 1 and _is_slice(call.args[1])
        return "", method if method in ONCE and not is_rest else "search"
    parent = source.parents[call]
    if isinstance(parent, ast.Attribute):
        return "", _of_attribute(source, parent)
    if isinstance(parent, ast.Assign | ast.AnnAssign) and source.function(call) is None:
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            name = targets[0].id
            return name, _hardest(uses.get((source.module, name), set()))
    return "", "search"


def _hardest(uses: set[Use]) -> Use:
    """`search` asks most of a pattern, then `fullmatch`, which ends at the end only."""
    if not uses or "search" in uses:
        return "search"
    return "fullmatch" if "fullmatch" in uses else "match"


def named_uses(read: list[Source]) -> dict[tuple[str, str], set[Use]]:
    """What is done with every name of a module, in it and wherever it is imported: by (module, name)."""
    found: dict[tuple[str, str], set[Use]] = {}
    for source in read:
        known: dict[str, tuple[str, str]] = {}
        modules: dict[str, str] = {}
        for node in source.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    known[alias.asname or alias.name] = (node.module, alias.name)
                    modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in source.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = known.get(node.id, (source.module, node.id))
                use = _of_name(source, node)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                key = (modules[node.value.id], node.attr)
                use = _of_name(source, node)
            else:
                continue
            if use is not None:
                found.setdefault(key, set()).add(use)
    return found


def _of_name(source: Source, node: ast.expr) -> Use | None:
    parent = source.parents[node]
    if isinstance(parent, ast.Attribute):
        return None if parent.attr in NO_USE else _of_attribute(source, parent)
    return "search"


def _of_attribute(source: Source, node: ast.Attribute) -> Use:
    call = source.parents[node]
    if node.attr not in ONCE or not isinstance(call, ast.Call) or call.func is not node:
        return "search"
    is_from_a_place = len(call.args) != 1 or bool(call.keywords) or _is_slice(call.args[0])
    return "search" if is_from_a_place else node.attr  # type: ignore[return-value]


def _is_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
