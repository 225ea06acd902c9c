"""The one loader of prompt texts: files with placeholders, which are checked, and a hash of what was asked.

A file is one user message, or two parts under the lines `=== system ===` and `=== user ===`. Which placeholders there
are, and how they are written, is its protocol's to say; other braces are text, so that a file can show JSON. A text put
in for a placeholder is someone else's: it is put in once (a placeholder within it stays as it is), and it cannot close
the tags around it.

A first line `=== apart: paper ===` names placeholders whose value is a part of its own in the message: a long text is
then kept once however many requests say it, and a picture or PDF can take its place. What a model is sent of texts is
the same either way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from core.errors import BadInput
from core.messages import File, Message, Messages, Part, Text, TextByHash
from core.words import quoted
from prompts.placeholders import Piece, Placeholders, pieces

FOLDER = Path(__file__).resolve().parent
MOST_CHARACTERS = 1_000_000
BUILT_IN, DROP_IN = "built in", "drop-in"

_NAME = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
_APART = re.compile(r"\s*^=== apart: ([A-Za-z0-9_, ]+) ===[ \t]*\n", re.MULTILINE)
_LATE_APART = re.compile(r"^=== apart\b", re.MULTILINE)
_PART = re.compile(r"^=== (system|user) ===[ \t]*\n", re.MULTILINE)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9_-]*)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt's two parts (`system` may be empty), as the file has them. `hash`: SHA-256 of the file's text, with line
    ends as \\n; `origin`: BUILT_IN or DROP_IN; `source`: the file, as an error message names it; `known`: what its
    protocol may leave open; `apart`: the placeholders that are parts of their own; `is_doubled`: {{ and }} are sent as
    single braces."""

    name: str
    system: str
    user: str
    placeholders: frozenset[str]
    hash: str
    origin: str
    source: str = ""
    known: Placeholders = field(default_factory=Placeholders)
    apart: frozenset[str] = frozenset()
    is_doubled: bool = False

    def render(self, **values: str | TextByHash | File) -> Messages:
        """The messages, with every value in its place.

        Where a text holds a tag of the prompt itself (`</data>`), its angle brackets become ‹ and ›; a kept text is put
        in as it was kept. Raises BadInput for a placeholder without a value, a value without its placeholder, and a
        kept text or file where the prompt does not name the placeholder apart.
        """
        if self.placeholders != values.keys():
            self._refuse(values.keys())
        safe = {name: self._without_tags(each) if isinstance(each, str) else each for name, each in values.items()}
        said = (("system", self.system), ("user", self.user))
        return tuple(Message(role, tuple(self._parts(text, safe))) for role, text in said if text)

    def check(self, needed: Set[str], also: Set[str] = frozenset()) -> None:
        """Raise BadInput unless it leaves open all that is `needed`, and besides at most `also`."""
        for missing in sorted(needed - self.placeholders):
            raise BadInput(f"{self.source} has no {self.known.written(missing)}, which {self.name} needs.")
        for strange in sorted(self.placeholders - needed - also):
            raise BadInput(f"{self.source} has {self.known.written(strange)}, which {self.name} does not provide.")

    def _refuse(self, values: Set[str]) -> None:
        for missing in sorted(self.placeholders - values):
            raise BadInput(
                f"The prompt {self.name} ({self.source}) has the placeholder {self.known.written(missing)}, "
                "and no value."
            )
        for unknown in sorted(values - self.placeholders):
            raise BadInput(
                f"The prompt {self.name} ({self.source}) has no placeholder {self.known.written(unknown)}; "
                "it would go unsaid."
            )

    def _parts(self, text: str, values: Mapping[str, str | TextByHash | File]) -> Iterator[Part]:
        so_far, has_part = "", False
        for piece in _pieces(text, self.known, self.is_doubled):
            value = values[piece.name] if piece.name else piece.text
            if piece.name in self.apart:
                if so_far:
                    yield Text(so_far)
                yield Text(value) if isinstance(value, str) else value
                so_far, has_part = "", True
            elif isinstance(value, str):
                so_far += value
            else:
                raise BadInput(
                    f"{self.source} has {self.known.written(piece.name)} within a text; a file or a kept text needs a "
                    f"first line === apart: {piece.name} ===."
                )
        if so_far or not has_part:
            yield Text(so_far)

    def _without_tags(self, value: str) -> str:
        tags = _tags_in(self.system + self.user) if "<" in value else ()
        if not tags:
            return value
        named = "|".join(map(re.escape, tags))
        return re.sub(rf"<(\s*(?:/\s*)?(?:{named})\b[^<>]*)>", r"‹\1›", value, flags=re.IGNORECASE)


@lru_cache(maxsize=64)  # a run renders a few prompts a hundred thousand times
def _tags_in(text: str) -> tuple[str, ...]:
    """The tags of a prompt, in small letters and sorted."""
    return tuple(sorted({found[1].casefold() for found in _TAG.finditer(text)}))


@lru_cache(maxsize=128)
def _pieces(text: str, known: Placeholders, is_doubled: bool) -> tuple[Piece, ...]:
    return tuple(pieces(text, known, is_doubled=is_doubled))


def find_prompt(prompts: Mapping[str, Prompt], name: str) -> Prompt:
    """Return the prompt of this name. Raises BadInput where it is missing."""
    if name not in prompts:
        raise BadInput(f"The prompt {name} is missing.")
    return prompts[name]


def load(name: str, *, placeholders: Placeholders, folder: Path | None = None, also: tuple[str, ...] = ()) -> Prompt:
    """The prompt of this name (`paper/task1`): from `folder` if it holds a file for it, else ours. `placeholders`:
    those of its protocol.

    In `folder`, `paper/task1.txt` goes before `task1.txt`, and that before the file names of `also` (under which
    a benchmark's authors released theirs). Raises BadInput for a folder that is none, a file that is not UTF-8, is
    empty, or has a placeholder that nobody fills.
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"{quoted(name)} is not the name of a prompt: small letters, digits, _ and / are allowed.")
    if folder is not None:
        if not folder.is_dir():
            raise BadInput(f"There is no folder of prompts at {folder}.")
        for each in (f"{name}.txt", f"{name.rpartition('/')[2]}.txt", *also):
            if (folder / each).is_file():
                return _read(name, folder / each, DROP_IN, placeholders)
    path = FOLDER / f"{name}.txt"
    if not path.is_file():
        raise BadInput(f"There is no prompt {quoted(name)}.")
    return _read(name, path, BUILT_IN, placeholders)


def read_prompt(name: str, text: str, origin: str, source: str, known: Placeholders) -> Prompt:
    """The prompt that a file's text makes. Raises BadInput as `load` does."""
    plain = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n").replace("\r", "\n")
    if len(plain) > MOST_CHARACTERS:
        raise BadInput(f"{source} is longer than {MOST_CHARACTERS:,} characters; that is no prompt.")
    head = _APART.match(plain)
    body = plain[head.end() :] if head else plain
    late = _LATE_APART.search(body)
    if late:
        at = plain.count("\n", 0, len(plain) - len(body) + late.start()) + 1
        raise BadInput(f"{source}, line {at}: === apart: names === is the first line of a file, once.")
    system, user = _parts(body, source)
    is_doubled = origin == DROP_IN and _is_doubled(body, known)
    for number, line in enumerate(plain.split("\n"), 1):
        for each in pieces(line, known, is_doubled=is_doubled):
            if each.is_brace and each.name not in known.braces:
                raise BadInput(
                    f"{source}, line {number}: the placeholder {{{each.name}}} is not known; there are {known.listed}."
                )
    in_order = [
        each.name for text in (system, user) for each in pieces(text, known, is_doubled=is_doubled) if each.name
    ]
    apart = frozenset(re.split(r"[, ]+", head[1].strip(", "))) if head else frozenset[str]()
    _check_apart(apart, in_order, source, known)
    return Prompt(
        name=name,
        system=system,
        user=user,
        placeholders=frozenset(in_order),
        hash=hashlib.sha256(plain.encode("utf-8")).hexdigest(),
        origin=origin,
        source=source,
        known=known,
        apart=apart,
        is_doubled=is_doubled,
    )


def _is_doubled(text: str, known: Placeholders) -> bool:
    """Whether the file is written for Python's `str.format`, as many released prompts are. JSON may end in }} but never
    begins with {{; so both are needed, and a placeholder."""
    if "{{" not in text or "}}" not in text:
        return False
    return any(each.is_brace and each.name in known.braces for each in pieces(text, known, is_doubled=True))


def _check_apart(apart: Set[str], in_order: Sequence[str], source: str, known: Placeholders) -> None:
    for name in sorted(apart - set(in_order)):
        raise BadInput(f"{source} names {quoted(name)} apart, and has no such placeholder.")
    others = [place for place, name in enumerate(in_order) if name not in apart]
    for place, name in enumerate(in_order):
        if name in apart and others and place > others[0]:
            raise BadInput(
                f"{source}: {known.written(name)} is named apart and comes after {known.written(in_order[others[0]])}; "
                "put it before all others, so that a provider can cache what many requests begin with."
            )


def _read(name: str, path: Path, origin: str, known: Placeholders) -> Prompt:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8.") from None
    source = str(path.relative_to(FOLDER.parent)) if origin == BUILT_IN else str(path)
    return read_prompt(name, text, origin, source, known)


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
