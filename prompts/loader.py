"""The one loader of prompt texts: files with placeholders, which are checked, and a hash of what was asked.

A file is one user message, or two parts under the lines `=== system ===` and `=== user ===`. A placeholder is a name
of `PLACEHOLDERS` in braces; other braces are text, so that a file can show JSON. A text put in for a placeholder is
someone else's: it is put in once (a placeholder within it stays as it is), and it cannot close the tags around it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput

FOLDER = Path(__file__).resolve().parent
MOST_CHARACTERS = 1_000_000
PLACEHOLDERS = frozenset(
    {
        "context",
        "context_new",
        "context_selected",
        "evidence_paragraphs",
        "examples",
        "number",
        "outcome",
        "sign",
        "treatment",
    }
)
"""The names that EconCausal's released prompt files use, and `number`, that of an example."""

BUILT_IN, DROP_IN = "built in", "drop-in"

_NAME = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PART = re.compile(r"^=== (system|user) ===[ \t]*\n", re.MULTILINE)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9_-]*)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt's two parts (`system` may be empty). `hash`: SHA-256 of the file's text, with line ends as \\n;
    `origin`: BUILT_IN or DROP_IN; `source`: the file, as an error message names it."""

    name: str
    system: str
    user: str
    placeholders: frozenset[str]
    hash: str
    origin: str
    source: str = ""

    def render(self, **values: str) -> tuple[tuple[str, str], ...]:
        """The messages, (role, text) each, with every value in its place.

        Where a value holds a tag of the prompt itself (`</data>`), its angle brackets become ‹ and ›. Raises BadInput
        for a placeholder without a value and a value without its placeholder.
        """
        for missing in sorted(self.placeholders - values.keys()):
            raise BadInput(f"The prompt {self.name} ({self.source}) has the placeholder {{{missing}}}, and no value.")
        for unknown in sorted(values.keys() - self.placeholders):
            raise BadInput(
                f"The prompt {self.name} ({self.source}) has no placeholder {{{unknown}}}; it would go unsaid."
            )
        safe = {name: self._without_tags(value) for name, value in values.items()}
        parts = (("system", self.system), ("user", self.user))
        return tuple((role, _PLACEHOLDER.sub(lambda found: safe[found[1]], text)) for role, text in parts if text)

    def _without_tags(self, value: str) -> str:
        tags = {found[1].casefold() for found in _TAG.finditer(self.system + self.user)}
        if not tags:
            return value
        named = "|".join(re.escape(tag) for tag in sorted(tags))
        return re.sub(rf"<(\s*(?:/\s*)?(?:{named})\b[^<>]*)>", r"‹\1›", value, flags=re.IGNORECASE)


def load(name: str, *, folder: Path | None = None, also: tuple[str, ...] = ()) -> Prompt:
    """The prompt of this name (`econcausal/task1`): from `folder` if it holds a file for it, else ours.

    In `folder`, `econcausal/task1.txt` goes before `task1.txt`, and that before the file names of `also` (under which
    a benchmark's authors released theirs). Raises BadInput for a folder that is none, a file that is not UTF-8, is
    empty, or has a placeholder that nobody fills.
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name!r} is no name of a prompt; it is made of small letters, digits, _ and /.")
    if folder is not None:
        if not folder.is_dir():
            raise BadInput(f"There is no folder of prompts at {folder}.")
        for each in (f"{name}.txt", f"{name.rpartition('/')[2]}.txt", *also):
            if (folder / each).is_file():
                return _read(name, folder / each, DROP_IN)
    path = FOLDER / f"{name}.txt"
    if not path.is_file():
        raise BadInput(f"There is no prompt {name!r}.")
    return _read(name, path, BUILT_IN)


def read_prompt(name: str, text: str, origin: str, source: str) -> Prompt:
    """The prompt that a file's text makes. Raises BadInput as `load` does."""
    plain = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n").replace("\r", "\n")
    if len(plain) > MOST_CHARACTERS:
        raise BadInput(f"{source} is longer than {MOST_CHARACTERS:,} characters; that is no prompt.")
    system, user = _parts(plain, source)
    for number, line in enumerate(plain.split("\n"), 1):
        for unknown in (found[1] for found in _PLACEHOLDER.finditer(line) if found[1] not in PLACEHOLDERS):
            raise BadInput(
                f"{source}, line {number}: the placeholder {{{unknown}}} is not known; "
                f"there are {', '.join(sorted(PLACEHOLDERS))}."
            )
    placeholders = frozenset(found[1] for found in _PLACEHOLDER.finditer(system + user))
    digest = hashlib.sha256(plain.encode("utf-8")).hexdigest()
    return Prompt(
        name=name, system=system, user=user, placeholders=placeholders, hash=digest, origin=origin, source=source
    )


def _read(name: str, path: Path, origin: str) -> Prompt:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8.") from None
    source = str(path.relative_to(FOLDER.parent)) if origin == BUILT_IN else str(path)
    return read_prompt(name, text, origin, source)


def _parts(text: str, source: str) -> tuple[str, str]:
    """(system, user), without blank lines around them."""
    before, *pieces = _PART.split(text)
    if not pieces:
        user = text.strip()
        if not user:
            raise BadInput(f"{source} is empty; a prompt says something.")
        return "", user
    if before.strip():
        raise BadInput(f"{source}: there is text before the first === line; it would not be sent.")
    named = dict(zip(pieces[::2], (piece.strip() for piece in pieces[1::2]), strict=True))
    if len(named) * 2 != len(pieces) or not named.get("user"):
        raise BadInput(f"{source}: one part === user === with a text is needed, and at most one === system ===.")
    return named.get("system", ""), named["user"]
