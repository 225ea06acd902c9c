"""Test functions that compare whole sentences; run as `python -m tests.sentences`.

A sentence is a string of at least four words with letters, on one line (several lines are the content of a file),
written in the test or as a constant of its module; an f-string counts by its literal parts. A test compares it in an
`assert`, as `match=` of `pytest.raises`, or in a browser's `expect(…)`. The arguments of other functions, and an index,
are what is tested, not what is compared.

The checks of a test are its asserts, split at `and`; each `pytest.raises` with `match=`, or whose error gets no name;
and each `expect(…)`. A test compares sentences only if each of its checks contains a sentence, and no constant but
strings: it fails when a message is reworded, and may pass when the behaviour breaks. A test that also checks a number,
a state, a row or a count is not one of these, nor is one whose `match=` is a word or a field of the message.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORDS = 4
COMPARING = {
    "expect",
    "startswith",
    "endswith",
    "match",
    "fullmatch",
    "search",
    "escape",
    "escaped",
    "set",
    "sorted",
    "tuple",
}
WORD = re.compile(r"\S*[^\W\d_]\S*")


@dataclass(frozen=True)
class SentenceTest:
    """A test function that compares a sentence."""

    path: Path
    line: int
    name: str
    is_only_sentences: bool


def is_sentence(text: str) -> bool:
    return len(WORD.findall(text)) >= WORDS and "\n" not in text.strip()


def text_of(node: ast.AST) -> str | None:
    """The text of a string, and the literal parts of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or "0" for part in node.values)
    return None


def constants(tree: ast.Module) -> dict[str, str]:
    """The module's own names of strings."""
    named = (node for node in tree.body if isinstance(node, ast.Assign) and len(node.targets) == 1)
    texts = ((node.targets[0], text_of(node.value)) for node in named)
    return {target.id: text for target, text in texts if isinstance(target, ast.Name) and text is not None}


def values(check: ast.AST, named: dict[str, str]) -> Iterator[object]:
    """The constants that a check compares."""
    text = named.get(check.id) if isinstance(check, ast.Name) else text_of(check)
    if text is not None:
        yield text
    elif isinstance(check, ast.Constant):
        yield check.value
    elif isinstance(check, ast.Subscript):
        yield from values(check.value, named)
    elif isinstance(check, ast.Call) and not takes_expected(check):
        yield from values(check.func, named)
    else:
        for child in ast.iter_child_nodes(check):
            yield from values(child, named)


def takes_expected(call: ast.Call) -> bool:
    """Return True if a test expects the arguments: of a class, a comparison of texts, or a browser's check."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name[:1].isupper() or name in COMPARING or name.startswith(("get_by_", "to_"))


def checks(node: ast.AST) -> Iterator[ast.AST]:
    """The checks of a test, as the docstring of this module defines them."""
    if isinstance(node, ast.Assert):
        yield from conjuncts(node.test)
        return
    if isinstance(node, ast.withitem) and is_raises(node.context_expr):
        match = match_of(node.context_expr)
        if match is not None or node.optional_vars is None:
            yield match or ast.Constant(None)
        return
    if isinstance(node, ast.Call) and is_raises(node):
        yield match_of(node) or ast.Constant(None)
        return
    if isinstance(node, ast.Call) and is_expected(node):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from checks(child)


def conjuncts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def is_raises(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in {"pytest.raises", "raises"}


def match_of(call: ast.AST) -> ast.expr | None:
    assert isinstance(call, ast.Call)
    return next((each.value for each in call.keywords if each.arg == "match"), None)


def is_expected(call: ast.Call) -> bool:
    """Return True for a call such as `expect(page.get_by_text(…)).to_be_visible()`."""
    function = call.func
    while isinstance(function, ast.Attribute | ast.Call):
        if isinstance(function, ast.Call) and ast.unparse(function.func) == "expect":
            return True
        function = function.value if isinstance(function, ast.Attribute) else function.func
    return False


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The tests of a module and of its classes."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for node in (each for body in bodies for each in body):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def sentence_tests_in(path: Path) -> list[SentenceTest]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = constants(tree)
    tests = []
    for node in functions(tree):
        compared = [list(values(check, named)) for statement in node.body for check in checks(statement)]
        has_sentence = [any(isinstance(each, str) and is_sentence(each) for each in one) for one in compared]
        is_text = [all(isinstance(each, str) for each in one) for one in compared]
        if any(has_sentence):
            tests.append(SentenceTest(path, node.lineno, node.name, all(has_sentence) and all(is_text)))
    return tests


def sentence_tests(root: Path = ROOT) -> list[SentenceTest]:
    return [test for path in sorted((root / "tests").rglob("test_*.py")) for test in sentence_tests_in(path)]


def main() -> None:
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    tests = sentence_tests(root)
    only = [test for test in tests if test.is_only_sentences]
    for test in only:
        print(f"{test.path.relative_to(root)}:{test.line}: {test.name}")
    print(f"{len(tests)} test functions compare a sentence, {len(only)} sentences only")


if __name__ == "__main__":
    main()
