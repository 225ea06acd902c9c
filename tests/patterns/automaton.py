"""A regular expression as a program over classes of characters: which places it may stand at after each character.

Made of `re._parser`'s own tree, so that flags, groups and sets are read as `re` reads them. Characters that no part of
the pattern tells apart are one class. Counted repeats are shortened to three rounds (what grows does so by loops), and
counts over 200 are taken as unbounded. A back reference is refused: what it matches is no class of characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Literal, NamedTuple

START = -1
"""The state before any character was read."""
END = -1
"""What follows the last character; as the one before, the beginning of the text."""
BOUND, FEW = 200, 3
"""A repeat of more rounds is unbounded to whoever waits; nested in another, one of more than a few."""
SAMPLE = (
    "\x00\t\n\v\f\r\x1c\x1f !\"#$%&'()*+,-./019:;<=>?@AEIOQZ[\\]^_`aeikmnoqsuxz{|}~\x7f\x85\xa0«»×éß\u0130\u017f\u0660"
    "\u200b\u2010\u2013\u201c\u201d\u2028\u2192\u2212\u3000\u4e00\ud800\ufeff\uffff\U0001d7ce\U0001f600"
)

_ROUND = object()
"""A round of a possessive repeat: CPython keeps the first way in which it matched, whatever follows."""

Answer = Literal["yes", "no", "perhaps"]
Predicate = Callable[[int], bool]


class Unreadable(Exception):
    """A pattern with a part that this automaton cannot follow."""


@dataclass(slots=True)
class Op:
    """One instruction. `region` is the innermost atomic group or look-ahead it stands in."""

    kind: Literal["char", "split", "check", "look", "enter", "leave", "match"]
    region: int
    next: int = 0
    accepts: Predicate | None = None
    targets: tuple[int, ...] = ()  # of a split, the preferred first
    enters: int = -1  # of a loop's split, which target begins another round
    inner: int = 0  # the region that is entered or left; of a look, where its body begins
    check: Any = None  # an AT code of `re`
    is_negative: bool = False
    is_behind: bool = False
    is_costly: bool = False  # a look whose body may read far


@dataclass(slots=True)
class Region:
    """A part that is matched once and then kept: an atomic group, a possessive repeat, a look. 0 is the whole."""

    parent: int
    begins: int = 0
    is_single_loop: bool = False  # a possessive repeat of one character: it stops only before what it does not take
    is_plain_atomic: bool = False


class Step(NamedTuple):
    """One way on: to the instruction that reads the next character, or to the end of the region. `is_certain` is
    False behind a condition that depends on more than two characters. `choices` are the splits on the way."""

    target: int
    is_certain: bool
    choices: tuple[tuple[int, int], ...]


@dataclass
class Program:
    """A pattern, compiled. States are the numbers of its `char` instructions (that one has read a character), and
    START."""

    pattern: str
    ops: list[Op] = field(default_factory=list)
    regions: list[Region] = field(default_factory=lambda: [Region(-1)])
    classes: list[str] = field(default_factory=list)
    accepted: dict[int, frozenset[int]] = field(default_factory=dict)
    words: frozenset[int] = frozenset()
    newline: int = 0

    def states_in(self, region: int) -> list[int]:
        return [number for number, op in enumerate(self.ops) if op.kind == "char" and self.is_in(op.region, region)]

    def is_in(self, region: int, outer: int) -> bool:
        while region > outer:
            region = self.regions[region].parent
        return region == outer

    def begin(self, state: int, region: int = 0) -> int:
        """Where to go on from a state."""
        return self.regions[region].begins if state == START else self.ops[state].next

    def steps(self, state: int, region: int, before: int, following: int) -> tuple[Step, ...]:
        """Every way on from a state, the preferred first, if the characters on both sides are of these classes.
        Also ways to instructions that do not take the next character are left out; the end of the region is given
        as the target END."""
        return self._cached(state, region, before, following)

    def __post_init__(self) -> None:
        self._cached = lru_cache(maxsize=None)(self._steps)

    def _steps(self, state: int, region: int, before: int, following: int) -> tuple[Step, ...]:
        walk = _Walk(self, region, before, following)
        return tuple(walk.ways(self.begin(state, region), True, ()))

    def character(self, kind: int) -> str:
        return self.classes[kind]


class _Walk:
    """All ways between two characters: through splits, conditions and the borders of regions."""

    def __init__(self, program: Program, region: int, before: int, following: int) -> None:
        self.program, self.region, self.before, self.following = program, region, before, following

    def ways(self, place: int, is_certain: bool, choices: tuple[tuple[int, int], ...]) -> Iterator[Step]:
        op = self.program.ops[place]
        if op.kind == "char":
            if self.following != END and self.following in self.program.accepted[place]:
                yield Step(place, is_certain, choices)
        elif op.kind == "match":
            yield Step(END, is_certain, choices)
        elif op.kind == "split":
            if op.enters >= 0 and (place, op.enters) in choices:
                return  # a round that read nothing is the last one
            for number, target in enumerate(op.targets):
                yield from self.ways(target, is_certain, (*choices, (place, number)))
        elif op.kind == "check":
            answer = self._edge(op.check)
            if answer != "no":
                yield from self.ways(op.next, is_certain and answer == "yes", choices)
        elif op.kind == "look":
            yield from self._look(place, op, is_certain, choices)
        elif op.kind == "enter":
            yield from self.ways(op.next, is_certain, choices)
        else:
            yield from self._leave(op, is_certain, choices)

    def _leave(self, op: Op, is_certain: bool, choices: tuple[tuple[int, int], ...]) -> Iterator[Step]:
        if op.inner == self.region:
            yield Step(END, is_certain, choices)
            return
        region = self.program.regions[op.inner]
        if op.next < 0:
            return  # the end of a look: nothing follows
        if region.is_plain_atomic:
            is_certain = False
        elif self._could_stay(op.inner, choices):
            if region.is_single_loop:
                return
            is_certain = False
        yield from self.ways(op.next, is_certain, choices)

    def _could_stay(self, region: int, choices: tuple[tuple[int, int], ...]) -> bool:
        """Whether a preferred way, within the region, takes the next character."""
        program = self.program
        for place, chosen in choices:
            if not program.is_in(program.ops[place].region, region):
                continue
            for target in program.ops[place].targets[:chosen]:
                inner = _Walk(program, region, self.before, self.following)
                if any(step.target != END for step in inner.ways(target, True, ((place, 0),))):
                    return True
        return False

    def _edge(self, code: Any) -> Answer:
        before, following, program = self.before, self.following, self.program
        if code is sre.AT_BEGINNING_STRING or code is sre.AT_BEGINNING:
            return "yes" if before == END else "no"
        if code is sre.AT_BEGINNING_LINE:
            return "yes" if before in (END, program.newline) else "no"
        if code is sre.AT_END_STRING:
            return "yes" if following == END else "no"
        if code is sre.AT_END_LINE:
            return "yes" if following in (END, program.newline) else "no"
        if code is sre.AT_END:
            return "yes" if following == END else "perhaps" if following == program.newline else "no"
        is_border = (before in program.words) != (following in program.words)
        return "yes" if is_border == (code is sre.AT_BOUNDARY) else "no"

    def _look(self, place: int, op: Op, is_certain: bool, choices: tuple[tuple[int, int], ...]) -> Iterator[Step]:
        if op.is_costly:
            yield from self.ways(op.inner, is_certain, (*choices, (place, 0)))
        answer = self._behind(op) if op.is_behind else self._ahead(op)
        if op.is_negative:
            answer = {"yes": "no", "no": "yes", "perhaps": "perhaps"}[answer]  # type: ignore[assignment]
        if answer != "no":
            yield from self.ways(op.next, is_certain and answer == "yes", (*choices, (place, 1)))

    def _ahead(self, op: Op) -> Answer:
        program = self.program
        region = program.ops[op.inner].region
        answer: Answer = "no"
        for step in _Walk(program, region, self.before, self.following).ways(op.inner, True, ()):
            if step.target == END:
                then: Answer = "yes" if step.is_certain else "perhaps"
            else:
                behind = program.ops[program.ops[step.target].next]
                is_last = behind.kind == "leave" and behind.inner == region
                then = "yes" if is_last and step.is_certain else "perhaps"
            if then == "yes":
                return "yes"
            answer = then
        return answer

    def _behind(self, op: Op) -> Answer:
        """Of one character exactly; what looks further back holds perhaps."""
        program = self.program
        first = program.ops[op.inner]
        if first.kind == "char" and program.ops[first.next].kind == "leave":
            return "yes" if self.before in program.accepted[op.inner] else "no"
        return "perhaps"


def compiled(pattern: str | bytes, flags: int = 0, *, is_strict: bool = False) -> Program:
    """A pattern's program. `is_strict` takes every repeat of more than a few rounds as unbounded."""
    tree = parser.parse(pattern, flags)
    program = Program(pattern if isinstance(pattern, str) else pattern.decode("latin-1"))
    compiler = _Compiler(program, tree.state.flags, is_strict, isinstance(pattern, bytes))
    last = compiler.add(Op("match", 0))
    program.regions[0].begins = compiler.sequence(list(tree), last, 0, tree.state.flags)
    compiler.finish()
    return program


class _Compiler:
    """Builds from the end: every part is given the instruction that follows it, and returns its first one."""

    def __init__(self, program: Program, flags: int, is_strict: bool, is_bytes: bool) -> None:
        self.program, self.is_strict, self.is_bytes = program, is_strict, is_bytes
        self.candidates = {ord(character) for character in SAMPLE}
        self.predicates: dict[tuple[str, int], Predicate] = {}
        self.flags = flags

    def add(self, op: Op) -> int:
        self.program.ops.append(op)
        return len(self.program.ops) - 1

    def sequence(self, items: Sequence[Any], following: int, region: int, flags: int) -> int:
        for item in reversed(items):
            following = self.item(item, following, region, flags)
        return following

    def item(self, item: Any, following: int, region: int, flags: int) -> int:
        code, argument = item
        if code in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self.add(Op("char", region, following, accepts=self.shared(item, flags)))
        if code is sre.AT:
            if flags & re.MULTILINE:
                argument = {sre.AT_BEGINNING: sre.AT_BEGINNING_LINE, sre.AT_END: sre.AT_END_LINE}.get(
                    argument, argument
                )
            return self.add(Op("check", region, following, check=argument))
        if code is sre.BRANCH:
            targets = tuple(self.sequence(list(branch), following, region, flags) for branch in argument[1])
            return self.add(Op("split", region, targets=targets))
        if code is sre.SUBPATTERN:
            _, added, removed, inner = argument
            return self.sequence(list(inner), following, region, (flags | added) & ~removed)
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self.repeat(argument, following, region, flags, is_greedy=code is sre.MAX_REPEAT)
        if code is sre.POSSESSIVE_REPEAT:
            inner = list(argument[2])
            is_single = len(inner) == 1 and inner[0][0] in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
            least, most, _ = argument
            rounds = inner if is_single else [(_ROUND, inner)]
            return self.atomic(
                Region(region, is_single_loop=is_single),
                following,
                region,
                lambda end, own: self.repeat((least, most, rounds), end, own, flags, is_greedy=True),
            )
        if code is _ROUND:
            return self.atomic(
                Region(region), following, region, lambda end, own: self.sequence(argument, end, own, flags)
            )
        if code is sre.ATOMIC_GROUP:
            return self.atomic(
                Region(region, is_plain_atomic=True),
                following,
                region,
                lambda end, own: self.sequence(list(argument), end, own, flags),
            )
        if code in (sre.ASSERT, sre.ASSERT_NOT):
            return self.look(code is sre.ASSERT_NOT, argument, following, region, flags)
        if code is sre.FAILURE:
            return self.add(Op("split", region, targets=()))
        raise Unreadable(f"{self.program.pattern!r}: {str(code).lower()} cannot be followed")

    def atomic(self, region: Region, following: int, outer: int, body: Callable[[int, int], int]) -> int:
        number = self.new_region(region)
        region.begins = body(self.add(Op("leave", number, following, inner=number)), number)
        return self.add(Op("enter", outer, region.begins, inner=number))

    def new_region(self, region: Region) -> int:
        self.program.regions.append(region)
        return len(self.program.regions) - 1

    def look(self, is_negative: bool, argument: Any, following: int, region: int, flags: int) -> int:
        direction, inner = argument
        number = self.new_region(Region(region, is_plain_atomic=True))
        body = self.sequence(list(inner), self.add(Op("leave", number, -1, inner=number)), number, flags)
        self.program.regions[number].begins = body
        is_costly = direction > 0 and _reads_far(inner, FEW if self.is_strict else BOUND)
        return self.add(
            Op(
                "look",
                region,
                following,
                inner=body,
                is_negative=is_negative,
                is_behind=direction < 0,
                is_costly=is_costly,
            )
        )

    def repeat(self, argument: Any, following: int, region: int, flags: int, *, is_greedy: bool) -> int:
        least, most, inner = argument
        body = list(inner)

        def split(taken: int, left: int) -> tuple[int, ...]:
            return (taken, left) if is_greedy else (left, taken)

        if least > 1 and FEW < most <= BOUND and _may_be_empty(body):
            raise Unreadable(f"{self.program.pattern!r}: what may be empty is counted up to {most}")
        if most > (FEW if self.is_strict else BOUND):
            again = self.add(Op("split", region, enters=0 if is_greedy else 1))
            first = self.sequence(body, again, region, flags)
            self.program.ops[again].targets = split(first, following)
            following = first if least else again
            rounds = min(least, 2) - 1
        else:
            out = following
            for _ in range(min(most - least, 2)):
                taken = self.sequence(body, following, region, flags)
                following = self.add(Op("split", region, targets=split(taken, out)))
            rounds = min(least, 2)
        for _ in range(rounds):
            following = self.sequence(body, following, region, flags)
        return following

    def shared(self, item: Any, flags: int) -> Predicate:
        """One predicate for all that read alike: each is asked for every candidate."""
        key = (repr(item), int(flags) & (re.IGNORECASE | re.DOTALL | re.ASCII).value)
        if key not in self.predicates:
            self.predicates[key] = self.predicate(item, flags)
        return self.predicates[key]

    def predicate(self, item: Any, flags: int) -> Predicate:
        code, argument = item
        if code is sre.ANY:
            return (lambda _: True) if flags & re.DOTALL else (lambda point: point != 10)
        if code is sre.IN:
            parts = [self.part(part, flags) for part in argument if part[0] is not sre.NEGATE]
            is_negative = argument[0][0] is sre.NEGATE
        else:
            parts, is_negative = [self.part((sre.LITERAL, argument), flags)], code is sre.NOT_LITERAL

        if not flags & re.IGNORECASE:
            return lambda point: any(part(point) for part in parts) != is_negative
        return lambda point: any(part(one) for one in _spellings(point) for part in parts) != is_negative

    def part(self, part: Any, flags: int) -> Predicate:
        code, argument = part
        if code is sre.LITERAL:
            self._note(argument, argument, flags)
            return lambda point: point == argument
        if code is sre.RANGE:
            low, high = argument
            self._note(low, high, flags)
            return lambda point: low <= point <= high
        name = str(code if code is not sre.CATEGORY else argument)
        letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.rpartition("_")[2]]
        letter = letter.upper() if "_NOT_" in name else letter
        asked = re.compile(f"\\{letter}", re.ASCII if flags & re.ASCII or self.is_bytes else 0)
        return lambda point: asked.match(chr(point)) is not None

    def _note(self, low: int, high: int, flags: int) -> None:
        self.candidates |= {point for end in (low, high) for point in (end - 1, end, end + 1)}
        if flags & re.IGNORECASE:
            self.candidates |= {one for end in (low, high) for one in _spellings(end)}

    def finish(self) -> None:
        """Find the classes of characters: those that every instruction answers alike."""
        program = self.program
        limit = 0xFF if self.is_bytes else 0x10FFFF
        readers = list(self.predicates.values())
        asked = re.compile(r"\w", re.ASCII if self.flags & re.ASCII or self.is_bytes else 0)
        found: dict[tuple[bool, ...], int] = {}
        for point in sorted((p for p in self.candidates if 0 <= p <= limit), key=_readable):
            is_word = asked.match(chr(point)) is not None
            signature = (is_word, point == 10, *(accepts(point) for accepts in readers))
            if signature not in found:
                found[signature] = len(program.classes)
                program.classes.append(chr(point))
        program.words = frozenset(kind for signature, kind in found.items() if signature[0])
        program.newline = next(kind for signature, kind in found.items() if signature[1])
        kinds = {
            accepts: frozenset(kind for signature, kind in found.items() if signature[place + 2])
            for place, accepts in enumerate(readers)
        }
        program.accepted = {
            number: kinds[op.accepts] for number, op in enumerate(program.ops) if op.accepts is not None
        }


def _readable(point: int) -> tuple[bool, bool, int]:
    return (not (32 < point < 127), not chr(point).isalnum(), point)


@cache
def _spellings(point: int) -> tuple[int, ...]:
    character = chr(point)
    others = {character.lower(), character.upper(), character.casefold(), character.swapcase()}
    return (point, *(ord(other) for other in others if len(other) == 1 and other != character))


def _may_be_empty(items: list[Any]) -> bool:
    tree = parser.SubPattern(parser.State(), [part for item in items for part in _without_round(item)])
    return bool(tree.getwidth()[0] == 0)


def _without_round(item: Any) -> list[Any]:
    return list(item[1]) if item[0] is _ROUND else [item]


def _reads_far(tree: Any, bound: int) -> bool:
    """Whether a part has a repeat without bound anywhere."""
    for code, argument in tree:
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            if argument[1] > bound:
                return True
            inner = [argument[2]]
        elif code is sre.BRANCH:
            inner = argument[1]
        else:
            parts = argument if isinstance(argument, tuple) else (argument,)
            inner = [part for part in parts if isinstance(part, parser.SubPattern)]
        if any(_reads_far(part, bound) for part in inner):
            return True
    return False
