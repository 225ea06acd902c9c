"""The texts that people read, found in the sources: literals, labels of buttons, help, guides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.parsed import walked

SENTENCE = 3  # words from which a literal of a room without screens is taken for a sentence
LABELLED_IN_GUIDES = "labels in "


@dataclass(frozen=True, kw_only=True)
class Text:
    file: str
    line: int
    text: str
    is_guide: bool = False


# --- Python -----------------------------------------------------------------------------------------------------


def python_texts(file: str, source: str, *, is_screen: bool) -> Iterator[Text]:
    """Literals that are words; a formatted one is one text with … in place of each value. Docstrings only of commands,
    where they are help. A literal without blank or capital is a key, a name of an event or of a format."""
    nodes = walked(source)
    left_out = _docstrings(nodes) | {
        id(part) for each in nodes if isinstance(each, ast.JoinedStr) for part in each.values
    }
    for node in nodes:
        if id(node) in left_out:
            continue
        text = written(node)
        if text is not None and _is_words(text, is_screen=is_screen):
            yield Text(file=file, line=node.lineno, text=text)  # type: ignore[attr-defined]


def written(node: ast.AST) -> str | None:
    """What a literal says, with … for every value put into it; nothing for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
    return None


def _is_words(text: str, *, is_screen: bool) -> bool:
    if not is_screen:
        return len(text.split()) >= SENTENCE
    return bool(re.search(r"[^\W\d_]", text)) and (" " in text.strip() or text[:1].isupper())


def _docstrings(nodes: Sequence[ast.AST]) -> set[int]:
    """Ids of all literals that are a statement, but of those that are the help of a command."""
    loose, helps = set(), set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            loose.add(id(node.value))
        elif isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr):
            decorators = "".join(map(ast.unparse, node.decorator_list))
            if "command(" in decorators or "callback(" in decorators:
                helps.add(id(node.body[0].value))
    return loose - helps


def python_buttons(file: str, source: str) -> Iterator[Text]:
    """Labels of buttons: the first text among the arguments of every call whose name ends in button; names that are
    set in the same file are followed."""
    if "button" not in source:
        return
    nodes = walked(source)
    named: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in nodes:
        if isinstance(node, ast.Call) and _called(node).endswith("button"):
            label = next((each for each in node.args if _labels(each, named)), None)
            for text in _labels(label, named) if label is not None else ():
                yield Text(file=file, line=node.lineno, text=text)


def python_time_formats(file: str, source: str) -> Iterator[Text]:
    """Formats of times: what comes after the colon of a value in a formatted literal, and what strftime is given."""
    if "%" not in source:
        return
    for node in walked(source):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            formats = [node.format_spec]
        elif isinstance(node, ast.Call) and _called(node) == "strftime":
            formats = node.args
        else:
            continue
        for each in formats:
            text = written(each)
            if text is not None and "%" in text:
                yield Text(file=file, line=node.lineno, text=text)


def python_reprs(file: str, source: str) -> Iterator[Text]:
    """Values put into a text as Python writes them (`!r`), but for what was "found" where something else is expected:
    that is shown as data."""
    if "!r" not in source:
        return
    for node in walked(source):
        if not isinstance(node, ast.JoinedStr):
            continue
        said = ""
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") and not said.endswith("found "):
                yield Text(file=file, line=part.lineno, text=f"{said}{{{ast.unparse(part.value)}!r}}")
            said = str(part.value) if isinstance(part, ast.Constant) else "…"


TABLES = {"dataframe", "data_editor", "number_table", "choose_line"}


def python_heads(file: str, source: str) -> Iterator[Text]:
    """Heads of tables: keys of every dictionary of columns in a file that draws tables. A dictionary of columns has
    lists as values, or is what a list is made of, row by row."""
    if not any(table in source for table in TABLES):
        return
    nodes = walked(source)
    if not any(isinstance(node, ast.Call) and _called(node) in TABLES for node in nodes):
        return
    selections = {
        id(part)
        for node in nodes
        if isinstance(node, ast.keyword) and node.arg == "selection_default"
        for part in ast.walk(node.value)
    }
    for node in nodes:
        for key in _heads(node) if id(node) not in selections else ():
            text = written(key)
            if text:
                yield Text(file=file, line=key.lineno, text=text)


def _heads(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Dict) and any(map(_is_column, node.values)):
        return [key for key in node.keys if key is not None]
    if isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Dict):
        return [key for key in node.elt.keys if key is not None]
    if isinstance(node, ast.DictComp) and _is_column(node.value):
        return [node.key]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript) and _is_column(node.value):
        return [node.targets[0].slice]
    return []


def _is_column(value: ast.expr) -> bool:
    return isinstance(value, ast.List | ast.ListComp) or (isinstance(value, ast.Call) and _called(value) == "list")


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _labels(node: ast.expr, named: dict[str, list[ast.expr]]) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_labels(node.body, named), *_labels(node.orelse, named)]
    if isinstance(node, ast.Name):
        return [text for value in named.get(node.id, ()) for text in _labels(value, {})]
    text = written(node)
    return [] if text is None else [text]


# --- JavaScript -------------------------------------------------------------------------------------------------

_BEFORE_REGEX = set("(,=:[!&|?{};+-*%~^<>\n") | {""}


def script_literals(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of every string and template of a script, comments and regular expressions left out. A template is
    one text with … for each value; the literals inside of its values come by themselves."""
    yield from _scan(source, 0, None)[1]


def _scan(source: str, at: int, until: str | None) -> tuple[int, list[tuple[int, str]]]:
    """Reads on to the bracket that closes a value of a template, or to the end."""
    found: list[tuple[int, str]] = []
    depth, before = 0, ""
    while at < len(source):
        char, pair = source[at], source[at : at + 2]
        if pair == "//":
            at = _end(source, "\n", at)
        elif pair == "/*":
            at = _end(source, "*/", at) + 2
        elif char in "\"'":
            stop = _closing(source, at + 1, char)
            found.append((_line(source, at), _unescaped(source[at + 1 : stop])))
            at, before = stop + 1, char
        elif char == "`":
            at, inner = _template(source, at)
            found += inner
            before = "`"
        elif char == "/" and before in _BEFORE_REGEX:
            at, before = _closing(source, at + 1, "/") + 1, "/"
        else:
            if char == until and depth == 0:
                return at, found
            depth += {"{": 1, "}": -1}.get(char, 0)
            before = before if char in " \t\r" else char
            at += 1
    return at, found


def _template(source: str, at: int) -> tuple[int, list[tuple[int, str]]]:
    line, said, found = _line(source, at), [], []
    at += 1
    while at < len(source) and source[at] != "`":
        if source[at : at + 2] == "${":
            at, inner = _scan(source, at + 2, "}")
            found += inner
            said.append("…")
            at += 1
        else:
            step = 2 if source[at] == "\\" else 1
            said.append(source[at : at + step])
            at += step
    return at + 1, [(line, _unescaped("".join(said))), *found]


def _closing(source: str, at: int, mark: str) -> int:
    in_class = False
    while at < len(source) and (source[at] != mark or in_class):
        in_class = mark == "/" and (source[at] == "[" or (in_class and source[at] != "]"))
        at += 2 if source[at] == "\\" else 1
    return at


def _end(source: str, mark: str, at: int) -> int:
    found = source.find(mark, at)
    return len(source) if found < 0 else found


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def script_texts(file: str, source: str) -> Iterator[Text]:
    for line, text in script_literals(source):
        if _is_words(text, is_screen=True):
            yield Text(file=file, line=line, text=text)


def script_buttons(file: str, source: str) -> Iterator[Text]:
    """Labels of buttons of a script: the literal that comes first in a call of a name that ends in button."""
    for found in re.finditer(r"[bB]utton\(\s*(?=[\"'`])", source):
        literal = next(iter(_scan(source[found.end() :], 0, ",")[1]), None)
        if literal is not None:
            yield Text(file=file, line=_line(source, found.start()), text=literal[1])


# --- pages of the sign-in, guides -------------------------------------------------------------------------------


def template_texts(file: str, source: str) -> Iterator[Text]:
    """What is written between tags, with the texts that {{ }} chooses from; style is left out."""
    plain = re.sub(r"<style>.*?</style>", _blank, source, flags=re.DOTALL)
    for found in re.finditer(r">([^<>]+)<", plain):
        yield Text(file=file, line=_line(plain, found.start(1)), text=found[1])


_FROM_SOURCES = "canvas|commands|grammar|keys|permissions|refused|ruling|scoring"
_HIDDEN = (
    re.compile(rf"<!-- generated: (?P<name>{_FROM_SOURCES}) -->.*?<!-- end of (?P=name) -->", re.DOTALL),
    re.compile(r"<!-- figures: (?P<name>\w+) -->.*?<!-- end of (?P=name) -->", re.DOTALL),
    re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"\]\([^)\s]*\)"),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"https?://\S+"),
)
_LABEL = re.compile(r"(?<![*\w])\*(?!\*)([^*]+?)\*(?![*\w])")


def guide_texts(file: str, source: str) -> Iterator[Text]:
    """The prose of a guide as one text in which line numbers can be counted: code, targets of links, tables of
    measurements and sections generated from texts searched elsewhere are blanked. A text in *italics* is a label of a
    screen and comes by itself."""
    for hidden in _HIDDEN:
        source = hidden.sub(_blank, source)
    for label in _LABEL.finditer(source):
        line = _line(source, label.start())
        yield Text(file=f"{LABELLED_IN_GUIDES}{file}", line=line, text=label[1], is_guide=True)
    yield Text(file=file, line=1, text=_LABEL.sub(_blank, source), is_guide=True)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def read(root: Path, rooms: tuple[str, ...], ending: str) -> Iterator[tuple[str, str]]:
    for room in rooms:
        paths = [root / room] if (root / room).is_file() else sorted((root / room).rglob(f"*{ending}"))
        for path in paths:
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
