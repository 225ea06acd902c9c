"""The longest lines that may be typed or pasted are read once, whatever they are made of."""

from __future__ import annotations

from core.graphs.lines.parse import parse_lines
from tests.processor_time import within

# They took up to 15 s of processor time a line, the ten lines of one paste 133 s; together they take half a second.
LONGEST = """
from core.graphs.lines.parse import parse_lines
SHAPES = {
    "drawn arrows": lambda n: "A" + "→" * n + "B",
    "backward arrows": lambda n: "A" + "<-" * (n // 2) + "B",
    "arrows in a row": lambda n: "A" + "->-" * (n // 3) + "B",
    "blanks": lambda n: "A" + " " * n + "B",
    "blanks behind a quote": lambda n: '"A"' + " " * n + "(",
    "names and semicolons": lambda n: "A -> " + "b;" * (n // 2),
    "the same edge again and again": lambda n: "A -> A" + " -> A" * (n // 5),
    "quotes": lambda n: '"A" ' * (n // 4),
    "doubled quotes": lambda n: '""' * (n // 2),
}
for name, made in SHAPES.items():
    lines = 10 if name == "drawn arrows" else 1
    parsed = parse_lines("\\n".join([made(19_990)] * lines))
    print(name, len(parsed.faults))
"""


def test_ten_of_the_longest_lines_are_read_in_linear_time() -> None:
    assert within(10, LONGEST) == [
        "drawn arrows 10",
        "backward arrows 1",
        "arrows in a row 1",
        "blanks 1",
        "blanks behind a quote 1",
        "names and semicolons 1",
        "the same edge again and again 0",
        "quotes 1",
        "doubled quotes 1",
    ]


def test_an_arrow_run_is_one_arrow_with_a_mark_that_is_no_sign() -> None:
    (fault,) = parse_lines("A →→→ B").faults
    assert fault.message.startswith("The sign “→→” is not known here")
    assert [edge.line for edge in parse_lines("A -> B; C\nA <- B").edges] == [1, 1, 2]
