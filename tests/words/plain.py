"""Plain English in the code: `python -m tests.words.plain`, a part of `make check`.

Counts words of `plain_rules` in identifiers, docstrings, comments and guides. No rule may have more hits than
`plain_limits.txt` says, and no commit may raise a limit; a hit that is right has a line in `plain_allowed.txt`.
`--list RULE` shows where; `--subjects REVISIONS` checks the subjects of commits; `--write` lowers the limits.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests import falling_limits
from tests.words.plain_rules import CLASSES, OPENERS, PARTS, PROSE, VAGUE, VERBS

ROOT = Path(__file__).resolve().parents[2]
LIMITS, ALLOWED = "tests/words/plain_limits.txt", "tests/words/plain_allowed.txt"
MOST_ALLOWED = 40
MOST_SUBJECT = 72
# Data, third-party text, generated tables, and the lists of words.
SKIPPED = ("demo/", "prompts/", "docs/glossary.md", "tests/documents/foreign/", "tests/words/", "tests/test_words.py")

_PHRASES = {
    rule: re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE) for rule, (pattern, _instead) in PROSE.items()
}
_ANY = re.compile("|".join(f"(?:{pattern.pattern})" for pattern in _PHRASES.values()), re.IGNORECASE)
_OPENER = re.compile(rf"(?:{OPENERS})\b")
_VERBS = {re.compile(rf"(?:^|_){pattern}"): instead for pattern, instead in VERBS.items()}
_QUOTED = re.compile(r"`[^`]*`|https?://\S+")


class Hit(NamedTuple):
    rule: str
    path: str
    line: int
    text: str
    instead: str


def hits_in_prose(path: str, first_line: int, text: str) -> Iterator[Hit]:
    """Phrases outside backticks and addresses."""
    plain = _QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for number, line in enumerate(plain.split("\n"), first_line):
        if not _ANY.search(line):  # one pass over most lines; thirty would take three times as long
            continue
        for rule, pattern in _PHRASES.items():
            for match in pattern.finditer(line):
                yield Hit(rule, path, number, match[0], PROSE[rule][1])


def hits_in_name(path: str, line: int, name: str, kind: str) -> Iterator[Hit]:
    """At most one hit per identifier; `kind` is class, function, argument, variable, field or module."""
    bare = name.strip("_")
    if kind == "class" and bare in CLASSES:
        yield Hit("class-name", path, line, name, "a noun phrase that is unique in the product")
    elif kind in ("argument", "variable", "field") and bare in VAGUE:
        yield Hit("vague-name", path, line, name, "the noun for what it contains")
    elif instead := next((instead for pattern, instead in _VERBS.items() if pattern.search(bare)), ""):
        yield Hit("verb-name", path, line, name, instead)
    else:
        words = (word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", bare))
        for word in [word for word in words if word in PARTS][:1]:
            yield Hit("word-in-name", path, line, name, PARTS[word])


def hits_in_python(path: str, source: str) -> Iterator[Hit]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring is not None:
                line = node.body[0].lineno
                yield from hits_in_prose(path, line, docstring)
                if _OPENER.match(docstring.lstrip()):
                    yield Hit("opener", path, line, docstring.split("\n")[0][:60], "a noun, or a verb for a function")
        yield from _hits_in_names(path, node)
        body = getattr(node, "body", None)
        for before, item in pairwise(body) if isinstance(body, list) else ():
            match (before, item):
                case (ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text)))):
                    yield from hits_in_prose(path, item.lineno, text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline) if "#" in source else ():
        if token.type == tokenize.COMMENT:
            yield from hits_in_prose(path, token.start[0], token.string)
    if Path(path).stem != "__init__":
        yield from hits_in_name(path, 1, Path(path).stem, "module")


def _hits_in_names(path: str, node: ast.AST) -> Iterator[Hit]:
    match node:
        case ast.ClassDef(name=name):
            yield from hits_in_name(path, node.lineno, name, "class")
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield from hits_in_name(path, item.lineno, item.target.id, "field")
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield from hits_in_name(path, node.lineno, name, "function")
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                yield from hits_in_name(path, argument.lineno, argument.arg, "argument")
        case ast.Name(id=name, ctx=ast.Store()):
            yield from hits_in_name(path, node.lineno, name, "variable")


def hits_in_script(path: str, source: str) -> Iterator[Hit]:
    for match in re.finditer(r"/\*.*?\*/|(?<!:)//[^\n]*", source, re.DOTALL):
        yield from hits_in_prose(path, source.count("\n", 0, match.start()) + 1, match[0])
    for match in re.finditer(r"\b(?:function|const|let|class)\s+([A-Za-z_$][\w$]*)", source):
        yield from hits_in_name(path, source.count("\n", 0, match.start()) + 1, match[1], "variable")


def hits_in_guide(path: str, source: str) -> Iterator[Hit]:
    output = re.compile(r"```.*?```|<!-- generated: ratios -->.*?<!-- end of ratios -->", re.DOTALL)
    yield from hits_in_prose(path, 1, output.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source))


READERS = {".py": hits_in_python, ".js": hits_in_script, ".ts": hits_in_script, ".md": hits_in_guide}


def hits_in(root: Path, files: Sequence[str]) -> list[Hit]:
    """Hits of all files that Git knows below `root`, or of `files`."""
    return [
        hit
        for path in files
        if not path.startswith(SKIPPED) and Path(path).suffix in READERS and (root / path).is_file()
        for hit in READERS[Path(path).suffix](path, (root / path).read_text(encoding="utf-8"))
    ]


def without_allowed(root: Path, hits: Sequence[Hit], rows: Sequence[str]) -> tuple[list[Hit], list[str]]:
    """The hits that no row allows, and the rows that allow nothing. A row: rule | path pattern | text | reason."""
    used, rest = set[str](), []
    for hit in hits:
        line = (root / hit.path).read_text(encoding="utf-8").split("\n")[hit.line - 1]
        for row in rows:
            rule, pattern, text, _reason = (cell.strip() for cell in row.split("|"))
            if rule == hit.rule and fnmatch.fnmatch(hit.path, pattern) and (text in line or text == hit.text):
                used.add(row)
                break
        else:
            rest.append(hit)
    return rest, [row for row in rows if row not in used]


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False).stdout


def _rows(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if line.strip() and not line.startswith("#")]


def check_subjects(root: Path, revisions: str) -> list[str]:
    """Faults in the subjects of commits: their length and their words."""
    wrong = []
    for line in _git(root, "log", "--format=%h %s", revisions).splitlines():
        name, _, subject = line.partition(" ")
        if len(subject) > MOST_SUBJECT:
            wrong.append(f"{name}: {len(subject)} characters, at most {MOST_SUBJECT}: {subject}")
        wrong += [f"{name}: {hit.text!r}, rather {hit.instead}: {subject}" for hit in hits_in_prose(name, 1, subject)]
    return wrong


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="RULE", help="show the hits of a rule, or of all")
    parser.add_argument("--subjects", metavar="REVISIONS", help="check subjects of commits, such as v0.1.0..HEAD")
    parser.add_argument("--write", action="store_true", help="lower the limits to the counts")
    options = parser.parse_args(words)
    if options.subjects:
        wrong = check_subjects(root, options.subjects)
        print(*wrong, f"{len(wrong)} faults in subjects", sep="\n")
        return bool(wrong)
    rows = _rows(root / ALLOWED)
    hits, unused = without_allowed(root, hits_in(root, _git(root, "ls-files").splitlines()), rows)
    for hit in hits if options.list else ():
        if options.list in ("all", hit.rule):
            print(f"{hit.path}:{hit.line}: {hit.rule}: {hit.text!r}, rather {hit.instead}")
    counts = Counter(hit.rule for hit in hits)
    wrong = falling_limits.faults(root, LIMITS, counts, lowers=options.write)
    wrong += [f"{ALLOWED}: allows nothing: {row}" for row in unused]
    if len(rows) > MOST_ALLOWED:
        wrong.append(f"{ALLOWED}: {len(rows)} lines, at most {MOST_ALLOWED}")
    print(*wrong, f"{sum(counts.values())} hits of {len(counts)} rules; --list RULE shows where", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
