"""The codebook of a study: codes that say why an answer fails, each with its key and its definition.

It is written as text, one code a line: KEY NAME: DEFINITION."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.words import control_in, counted, quoted

CODE = "code"
"""The fact of an answer that holds its codes."""
UNSETTLED = "unsettled"
"""What counts as the code of an answer on whose codes its coders differ."""
RESERVED_NAMES = frozenset({UNSETTLED, "no code"})
ACCEPT, REJECT = "y", "n"
"""Keys that accept and reject a code that a model proposes."""
USED_KEYS = "123clnpry"
"""Keys of an open answer that are no code's: 1 to 3 flag its sample; N, P and L step; Y and N decide on a proposed
code; C and R are Streamlit's own."""
PROPOSING, LIST_OPTION = "proposed-codes", "coding_list"
"""The protocol of runs that propose codes, and the option of such a run that names the coding list."""
MOST_CODES, LONGEST_NAME, LONGEST_DEFINITION = 28, 40, 500
SHOWN_FAULTS = 5


@dataclass(frozen=True, slots=True)
class Code:
    """`key`: a lower-case letter or a digit."""

    key: str
    name: str
    definition: str


def read_codebook(text: str, used_keys: str = USED_KEYS) -> tuple[Code, ...]:
    """Return the codes of a text. Raises BadInput with the number and the fault of each bad line, for a key or a name
    that two codes have, a key among `used_keys`, and without any code.

    >>> read_codebook("s Wrong sign: The direction is right, the sign is not.")[0].name
    'Wrong sign'
    """
    codes, faults = list[Code](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        head, _, definition = line.strip().partition(":")
        key, _, name = head.partition(" ")
        code = Code(key.lower() if len(key) == 1 else key, " ".join(name.split()), " ".join(definition.split()))
        fault = _fault(code, codes, used_keys)
        codes.append(code)
        if fault:
            faults.append(f"Line {number}: {fault}")
    if not codes:
        raise BadInput("The codebook has no code. Write one a line: a key, a name, a colon, and a definition.")
    if len(codes) > MOST_CODES:
        faults.append(f"There are {len(codes)} codes; a codebook may have {MOST_CODES}.")
    if faults:
        more = [f"and {counted(len(faults) - SHOWN_FAULTS, 'more fault')}."] if len(faults) > SHOWN_FAULTS else []
        raise BadInput(" ".join([*faults[:SHOWN_FAULTS], *more]))
    return tuple(codes)


def _fault(code: Code, others: Sequence[Code], used_keys: str) -> str:
    if len(code.key) != 1 or not (code.key.isascii() and code.key.isalnum()):
        return f"{quoted(code.key)} is no key. Begin with one letter or digit, then a space and the name."
    if code.key in used_keys:
        return f"the key {code.key} is used on the screen of an answer. Choose another than {', '.join(used_keys)}."
    if not code.name or not code.definition or control_in(code.name + code.definition):
        return "a code needs a name, a colon and a definition."
    if len(code.name) > LONGEST_NAME or len(code.definition) > LONGEST_DEFINITION:
        return f"a name may have {LONGEST_NAME} characters, a definition {LONGEST_DEFINITION}."
    if code.name.casefold() in RESERVED_NAMES:
        return f"{quoted(code.name)} is a heading of tables. Choose another name."
    if any(code.key == other.key for other in others):
        return f"two codes have the key {code.key}."
    if any(code.name.casefold() == other.name.casefold() for other in others):
        return f"two codes are named {quoted(code.name)}."
    return ""


def counted_codes(codings: Sequence[Sequence[str]], ruling: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the codes by which an answer counts: those of the ruling; without one, those of all its coders, and
    `UNSETTLED` where they differ.

    >>> counted_codes([["a", "b"], ["a"]]), counted_codes([["a"], ["b"]], ["b"])
    (('a', 'unsettled'), ('b',))
    """
    if ruling is not None or not codings:
        return tuple(ruling or ())
    common = [code for code in codings[0] if all(code in others for others in codings)]
    return tuple(common) if is_agreed(codings) else (*common, UNSETTLED)


def is_agreed(codings: Sequence[Sequence[str]]) -> bool:
    """Return whether all coders of an answer gave it the same codes."""
    return len(set(map(frozenset, codings))) <= 1
