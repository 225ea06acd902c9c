"""Lists of changes written by hand, each a case that the rules decide: a text, and (start, end, replacement)."""

from __future__ import annotations

Entries = list[tuple[str, str, str]]

LAKE = "Rain fills the lake. The lake feeds the town, as shown below. Rain fills the lake again."
CREDIT = (
    "Figure 2 shows the loop. Credit raises wages (R1). Wages raise credit, and credit raises wages. "
    "The arrow from wages to prices is red; prices lower wages."
)
TABLE = "| from | to |\n|---|---|\n| rain | lake |\n| lake | town |\n\nRain, lake and town are linked."
ACCENTS = "Café prices rise. Cafe\u0301 prices fall. ﬁsh prices rise; fish prices fall. naïve naïve"
SPACES = "a  b\u00a0c\td\n\ne a b\n"
AAAA = "aaaaaaaa"

CHANGE_LISTS: dict[str, tuple[str, Entries]] = {
    # --- where a region begins and ends ---
    "the whole text": (LAKE, [("Rain", "again.", "")]),
    "the first character": (LAKE, [("R", "R", "r")]),
    "the last character": (LAKE, [("again", ".", "!")]),
    "an end within its start": (LAKE, [("The lake feeds", "feeds", "It feeds")]),
    "an end that is the middle of its start is sought behind it": (LAKE, [("lake feeds the", "feeds", "x")]),
    "an end that reaches over the end of its start": (LAKE, [("the lake", "lake. The", "x")]),
    "an end before its start only": (CREDIT, [("prices lower", "Figure", "")]),
    "the nearest of three ends": (CREDIT, [("Wages", "wages", "x")]),
    "an end equal to a later start": (LAKE, [("fills", "Rain", "x")]),
    "a start that occurs twice takes the first": (LAKE, [("Rain fills", "lake", "Snow")]),
    "a longer start takes the second": (LAKE, [(". Rain fills", "lake", ". Snow hides the lake")]),
    "a start in another case": (CREDIT, [("wages raise", "credit", "x")]),
    "start and end over a line's end": (TABLE, [("| rain", "town |", "")]),
    "a row of a table": (TABLE, [("| lake | town |\n", "\n", "")]),
    "only blanks": (SPACES, [("  ", "  ", " ")]),
    "a no-break space is no blank": (SPACES, [("b c", "c", "x")]),
    "a no-break space as it is": (SPACES, [("b\u00a0c", "c", "x")]),
    "two spellings of an accent": (ACCENTS, [("Cafe\u0301", "fall", "x")]),
    "a ligature is not its letters": (ACCENTS, [("fish", "fall", "x")]),
    "overlapping places of one text": (AAAA, [("aaa", "aaa", "b")]),
    # --- several entries ---
    "three equal entries and two occurrences": (LAKE, [("Rain", "Rain", "Snow")] * 3),
    "equal entries, the replacement holds the start": (LAKE, [("lake", "lake", "great lake")] * 3),
    "equal entries, one too many holds the start": (LAKE, [("town", "town", "small town")] * 2),
    "overlapping places of equal entries": (AAAA, [("aaa", "aaa", "b")] * 2),
    "equal entries use up a run": (AAAA, [("aa", "aa", "")] * 5),
    "a removal does not join its sides": ("one two three", [(" two", "two", ""), ("one three", "three", "x")]),
    "behind what was removed": ("one two three", [("two ", " ", ""), ("three", "three", "3")]),
    "before what was removed": ("one two three", [("two ", " ", ""), ("one ", " ", "1 ")]),
    "from before to behind what was removed": ("one two three", [("two ", " ", ""), ("one", "three", "")]),
    "into what was put in": ("one two three", [("two", "two", "2 2"), ("one", "2", "")]),
    "out of what was put in": ("one two three", [("two", "two", "2 2"), ("2 three", "three", "")]),
    "only within what was put in": ("one two three", [("two", "two", "2 2"), ("2", "2", "")]),
    "passes over what was put in": ("one two 2", [("two", "two", "2"), ("2", "2", "two")]),
    "right beside on both sides": ("abcde", [("c", "c", "X"), ("b", "b", "Y"), ("d", "d", "Z")]),
    "in any order": (CREDIT, [("prices lower", "wages", "x"), ("Figure 2", "loop. ", ""), (" (R1)", ")", "")]),
    "an end that only stands in what was put in": (CREDIT, [("is red", "red", "ends"), ("The arrow", "ends", "")]),
    "an end in front of a wall and behind it": (CREDIT, [("(R1)", ")", "wages"), ("Credit", "wages", "x")]),
    "the nearest end is across a wall": (LAKE, [("feeds", "feeds", "f"), ("The lake", "town", "")]),
    "nothing by nothing, twice": ("ab", [("a", "a", ""), ("b", "b", ""), ("a", "b", "")]),
    "a replacement that is the text itself": (LAKE, [("The", "below", "The lake feeds the town, as shown below")]),
    # --- faults and what follows them ---
    "a fault leaves no wall": (LAKE, [("snow", "lake", "x"), ("lake", "lake", "pond"), ("The lake", "feeds", "x")]),
    "two faults of two kinds": (CREDIT, [("Credit", "rain", ""), ("rain", "credit", ""), ("Wages", "raise", "W")]),
    "a fault between two that fit": (
        LAKE,
        [("Rain", "fills", "A"), ("fills the", "town", "B"), ("lake", "feeds", "C")],
    ),
}
