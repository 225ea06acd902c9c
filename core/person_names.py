"""Rules for people's names: which may be stored, when two are one name, and when one could be mistaken for another.

Names are matched without regard to case ("Ágnes" is "ágnes", and not "Agnes"). A new name must not look like another
one, in lower case, in capitals or as written, nor like a word that screens show in place of a name. Names older than
these rules keep working: `meant` finds them as they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.errors import InvalidName
from core.lookalikes import in_any_order, script_of, skeleton
from core.reserved_names import reads_as
from core.words import quoted

LONGEST_PERSON_NAME = 80
LONGEST_TYPED = 1000  # maximum length of an input that can be a name: eighty letters, each with all its marks

_WHITE_SPACE = re.compile(r"\s+")  # for text, Unicode's white space, no-break and ideographic spaces too
_ACUTE = str.maketrans("\u00b4", "'")  # typed for an apostrophe; NFKC would make it a space with an accent
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\ufffc"
    "\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)  # not of category Cf, and yet nothing is drawn: joiners, fillers, selectors of variants
_LENGTHENING = str.maketrans("", "", "\u0640\u07fa")  # between Arabic or N'Ko letters: a longer line, no other word

# Words in the names of invisible characters; Unicode has no property for them, and adds some every year.
_NO_INK = re.compile(r"\b(BLANK|FILLER|INVISIBLE|SPACE|JOINER|NULL|SEPARATOR|VOID)\b")

# Invisible marks that put the next letter below the previous one: Khmer, Burmese and related scripts.
_STACKERS = frozenset("\u1039\u17d2\u1a60\u1a99\U00010a3f\U00011133\U0001193e\U00011a47\U00011a99\U00011f42")
_OVERLAY = 1  # the combining class of marks that are drawn through a letter
_DOT_ABOVE = "\u0307"
_MOST_MARKS = 4
_WRITTEN_TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
_OF_ANY_SCRIPT = frozenset({"COMMON", "INHERITED"})


def clean_person_name(text: str) -> str:
    """Return the name to store: NFKC, trimmed, every run of white space one space.

    Raises InvalidName, with the sentence to show at the field, for a name without letter or digit, of more than 80
    characters, with an invisible character, with indistinguishable marks, with a word in two scripts (Chinese
    characters may be mixed with kana, hangul or bopomofo), or one that reads as a word of the screens or as the
    pseudonym of an annotator.

    >>> clean_person_name("  Zoe\\u0308   Nu\\u00f1ez ")
    'Zoë Nuñez'
    """
    name = _plain(text)
    if len(name) > LONGEST_PERSON_NAME:
        raise InvalidName(
            f"The name has {len(name):,} characters; a person's name may have at most {LONGEST_PERSON_NAME} characters."
        )
    _refuse_unseen(name)
    if not any(map(str.isalnum, name)):
        raise InvalidName("The name has no letter and no digit; write the name that others in this study will see.")
    _refuse_marks(name)
    _refuse_stackers(name)
    for word in name.split(" "):
        _refuse_mixed_scripts(word)
    if (word_of_screens := reads_as(name)) is not None:
        raise InvalidName(
            f"The name {quoted(name)} reads as {quoted(word_of_screens)}, which screens put in place of a name; choose "
            "another."
        )
    return name


def spelling(text: str) -> str:
    """Return the form in which two spellings are one name: NFKC, lower case, single spaces.

    >>> spelling("ÁGNES") == spelling("A\\u0301gnes"), spelling("Ágnes") == spelling("Agnes")
    (True, False)
    """
    return unicodedata.normalize("NFKC", _plain(text).lower())


Appearances = tuple[tuple[str, str], ...]


def name_forms(text: str) -> Appearances:
    """Return the appearance of a name as written, in lower case, in capitals and with its parts in any order; two names
    look alike if they share one of these.

    All cases, since names are matched without regard to them: "I" and "l" look alike as written, "0" and "o" in
    capitals. Letters without a single capital (ß) stay. In any order, since where Hebrew or Arabic is next to other
    letters or digits, the surrounding line decides which is drawn first."""
    seen = "".join(character for character in _plain(text) if not _is_unseen(character)).translate(_LENGTHENING)
    capitals = "".join(upper if len(upper := letter.upper()) == 1 else letter for letter in seen)
    small = spelling(seen)
    return (
        ("as written", skeleton(seen)),
        ("small", skeleton(small)),
        ("capitals", skeleton(capitals)),
        ("in any order", in_any_order(small)),
    )


class TakenNames:
    """The existing names, for finding one that equals or resembles a new name."""

    def __init__(self, names: Iterable[str]) -> None:
        self._spellings: dict[str, str] = {}
        self._looks: dict[tuple[str, str], str] = {}
        for name in names:
            self._spellings.setdefault(spelling(name), name)
            for look in _appearance_of_stored(name):
                self._looks.setdefault(look, name)

    def same(self, name: str) -> str | None:
        return self._spellings.get(spelling(name))

    def alike(self, name: str) -> str | None:
        """Return an existing name that this could be mistaken for: the same one, or one that looks like it."""
        near = (self._looks[look] for look in name_forms(name) if look in self._looks)
        return self.same(name) or next(near, None)


def meant(typed: str, names: Sequence[str]) -> int | None:
    """Return the index of the name that a person typed, or None. Every name is compared in every form.

    An exact match comes first, then one without regard to case, then in another form of Unicode, then by appearance (an
    apostrophe is not the same on a telephone): names older than the rules may differ in less than new ones."""
    if len(typed) > LONGEST_TYPED:
        return None
    forms = _forms(typed)
    any_form = frozenset(forms)
    ranks = []
    for place, name in enumerate(names):
        stored_forms = _forms_of_stored(name)
        if any_form.isdisjoint(stored_forms):
            continue
        equal = [form == stored for form, stored in zip(forms, stored_forms, strict=True)]
        if True in equal:
            ranks.append((equal.index(True), place))
    return min(ranks)[1] if ranks else None


def _forms(name: str) -> tuple[str, ...]:
    composed = unicodedata.normalize("NFC", name.strip())
    return (name.strip(), composed, composed.lower(), spelling(name), *(look for _, look in name_forms(name)))


# Cached for stored names only, not for what strangers type: each sign-in compares with all of them.
_forms_of_stored = lru_cache(maxsize=4096)(_forms)
_appearance_of_stored = lru_cache(maxsize=4096)(name_forms)


def _plain(text: str) -> str:
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFKC", text.translate(_ACUTE))).strip()


def _is_unseen(character: str) -> bool:
    if unicodedata.category(character) in ("Cf", "Cc") or _BLANKS.match(character) is not None:
        return True
    return character != " " and _NO_INK.search(unicodedata.name(character, "")) is not None


def _refuse_unseen(name: str) -> None:
    for place, character in enumerate(name):
        code, where = f"U+{ord(character):04X}", f"after {quoted(name[:place])}" if place else "at its start"
        if _is_unseen(character):
            called = unicodedata.name(character, "control character").lower()
            raise InvalidName(
                f"The name contains a character that cannot be seen ({code}, {called}) {where}. Type the name again "
                "without it; a space may replace it."
            )
        if script_of(character) is None or unicodedata.category(character) == "Cn":
            raise InvalidName(
                f"The name contains an unknown character ({code}) {where}. Type the name again without it."
            )


def _refuse_marks(name: str) -> None:
    """Refuse accents that cannot be seen as what they are (UTS 39, section 5.4)."""
    base, marks = " ", ""
    for character in unicodedata.normalize("NFD", name):
        if not unicodedata.category(character).startswith("M"):
            base, marks = character, ""
            continue
        code = f"U+{ord(character):04X}"
        if base == " ":
            raise InvalidName(f"The name contains an accent ({code}) without a letter; put a letter before it.")
        if marks.endswith(character):
            raise InvalidName(f"The name contains the same accent ({code}) twice on {quoted(base)}; write it once.")
        if unicodedata.combining(character) == _OVERLAY or unicodedata.category(character) == "Me":
            raise InvalidName(
                f"The name contains a mark ({code}) that is drawn through or around {quoted(base)}; write the letter "
                "alone."
            )
        if character == _DOT_ABOVE and skeleton(base) in ("i", "j"):
            raise InvalidName(
                f"The name contains a dot ({code}) on {quoted(base)}, which has one; write the letter alone."
            )
        marks += character
        if len(marks) > _MOST_MARKS:
            raise InvalidName(f"The name contains more than {_MOST_MARKS} accents on {quoted(base)}; write fewer.")


def _refuse_stackers(name: str) -> None:
    for place, character in enumerate(name):
        if character in _STACKERS and not name[place + 1 : place + 2].isalpha():
            raise InvalidName(
                f"The name contains a mark (U+{ord(character):04X}) that is invisible unless a letter follows it; "
                "write the name without it."
            )


def _refuse_mixed_scripts(word: str) -> None:
    letters = {script: letter for letter in reversed(word) if (script := script_of(letter)) not in _OF_ANY_SCRIPT}
    if len(letters) < 2 or any(letters.keys() <= together for together in _WRITTEN_TOGETHER):
        return
    # The script with the fewest letters is the one to check.
    count = {script: sum(script_of(letter) == script for letter in word) for script in letters}
    rare, *_, common = sorted(count, key=lambda script: (count[script], word.index(letters[script])))
    raise InvalidName(
        f"The word {quoted(word)} mixes {_called(common)} and {_called(rare)} letters: {quoted(letters[rare])} "
        f"(U+{ord(letters[rare]):04X}) is {_called(rare)}. Write each word in one script."
    )


def _called(script: str | None) -> str:
    return str(script).replace("_", " ").title()
