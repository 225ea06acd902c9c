"""One term for one thing: no screen, message, help or guide uses a word for which another one is agreed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.parsed import no_garbage
from tests.words import reading
from tests.words.forbidden import ANY, BOTH, EXCEPTED, EXCEPTED_FILES, FORBIDDEN, ISO_DATE, STRAIGHT, STRAIGHT_IN
from tests.words.reading import Text

__all__ = ["no_garbage"]  # a fixture of this module

ROOT = Path(__file__).resolve().parents[1]
SCREENS = ("pages", "components", "cli", "edgewise.py", "web")
MESSAGES = ("core", "docs/generate.py", "docs/measured.py", "documents", "exchange", "protocols", "runs", "services")
GUIDES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs")

YET: set[str] = set()
"""Beginnings of paths that are not read yet; "labels in " are screens' words quoted in guides."""

PHRASES = re.compile("|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in EXCEPTED))

LONGEST_LABEL = 3  # words of a button
CAPITALISED = {"DOI", "Edgewise", "EconCausal", "ReCITE", "Parquet", "LaTeX", "Tab", "Enter", "Esc"}


def found_in(texts: Iterable[Text]) -> Iterator[str]:
    excepted = tuple(EXCEPTED_FILES)
    for each in texts:
        if not ANY.search(each.text) or each.file.startswith(excepted):
            continue
        said = PHRASES.sub(lambda hit: re.sub(r"\S", " ", hit[0]), each.text)
        for word in FORBIDDEN if ANY.search(said) else ():
            if each.is_guide and word.where != BOTH:
                continue
            for hit in word.pattern.finditer(said):
                line = each.line + said.count("\n", 0, hit.start())
                around = re.sub(r"\s+", " ", said[max(0, hit.start() - 40) : hit.end() + 40])
                yield f"{each.file}:{line}: {hit[0]!r}: rather {word.right} · {around}"


def faults_of_buttons(labels: Iterable[Text]) -> Iterator[str]:
    for each in labels:
        label = re.sub(r" \([^)]*\)$", "", each.text).strip()
        words = [word for word in label.split() if re.search(r"[\w…]", word)]
        place = f"{each.file}:{each.line}: button {each.text!r}"
        if label.endswith("."):
            yield f"{place}: no full stop"
        if len(words) > LONGEST_LABEL:
            yield f"{place}: at most {LONGEST_LABEL} words"
        for word in words[1:]:
            if re.fullmatch(r"[A-Z][a-z]+", word) and word not in CAPITALISED:
                yield f"{place}: sentence case, {word.lower()!r}"


def faults_of_heads(heads: Iterable[Text]) -> Iterator[str]:
    for each in heads:
        if each.text[:1].isascii() and each.text[:1].islower():
            yield f"{each.file}:{each.line}: head {each.text!r}: sentence case"


@cache
def texts() -> tuple[Text, ...]:
    """All of them, read once for the tests here."""
    return tuple(_texts())


def _texts() -> Iterator[Text]:
    for file, source in reading.read(ROOT, SCREENS, ".py"):
        yield from reading.python_texts(file, source, is_screen=True)
    for file, source in reading.read(ROOT, MESSAGES, ".py"):
        yield from reading.python_texts(file, source, is_screen=False)
    for file, source in reading.read(ROOT, ("components",), ".js"):
        yield from reading.script_texts(file, source)
    for file, source in reading.read(ROOT, ("components",), ".html"):
        yield from reading.template_texts(file, source)
    for file, source in reading.read(ROOT, GUIDES, ".md"):
        yield from reading.guide_texts(file, source)


def buttons() -> Iterator[Text]:
    for file, source in reading.read(ROOT, ("pages", "components"), ".py"):
        yield from reading.python_buttons(file, source)
    for file, source in reading.read(ROOT, ("components",), ".js"):
        yield from reading.script_buttons(file, source)


def heads() -> Iterator[Text]:
    for file, source in reading.read(ROOT, ("pages", "components"), ".py"):
        yield from reading.python_heads(file, source)


def faults_of_dates(formats: Iterable[Text]) -> Iterator[str]:
    for each in formats:
        if ISO_DATE.search(each.text):
            yield f"{each.file}:{each.line}: date {each.text!r}: rather 22 Nov 2026 (shell.moment, moment_column)"


def time_formats() -> Iterator[Text]:
    for file, source in reading.read(ROOT, ("pages", "components"), ".py"):
        yield from reading.python_time_formats(file, source)


def faults_of_quotes(said: Iterable[Text]) -> Iterator[str]:
    for each in said:
        if not each.is_guide and not each.file.startswith(tuple(STRAIGHT_IN)) and STRAIGHT.search(each.text):
            yield f"{each.file}:{each.line}: straight quotes: rather “…” (core.words.quoted) · {each.text}"


def reprs() -> Iterator[Text]:
    for file, source in reading.read(ROOT, ("cli", "pages", "services"), ".py"):
        yield from reading.python_reprs(file, source)


def still(faults: Iterable[str]) -> list[str]:
    return sorted({fault for fault in faults if not fault.startswith(tuple(YET))})


def test_no_text_uses_a_word_for_which_another_is_agreed() -> None:
    left = still(found_in(texts()))
    assert left == [], "\n" + "\n".join(left)


def test_a_button_is_a_verb_and_its_object_in_sentence_case() -> None:
    left = still(faults_of_buttons(buttons()))
    assert left == [], "\n" + "\n".join(left)


def test_the_head_of_a_table_is_in_sentence_case() -> None:
    left = still(faults_of_heads(heads()))
    assert left == [], "\n" + "\n".join(left)


def test_a_date_on_a_screen_is_not_written_in_digits() -> None:
    left = still(faults_of_dates(time_formats()))
    assert left == [], "\n" + "\n".join(left)


def test_a_value_in_a_message_has_typographic_quotation_marks() -> None:
    left = still(faults_of_quotes(texts()))
    assert left == [], "\n" + "\n".join(left)
    assert [f"{each.file}:{each.line}: {each.text}: rather core.words.quoted" for each in reprs()] == []


# --- the search itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('st.caption("This claim lapsed")', "'lapsed': rather expire"),
        ('st.caption(f"{n} edges, and the line stands there")', "'stands': rather is, appears"),
        ('raise BadInput(f"No {noun}: say it " "anew, please")', "'anew': rather again"),
        ('raise BadInput("It isn’t there")', "'isn’t': rather no contraction"),
        ('@app.command()\ndef show() -> None:\n    """Show what was handed in."""', "'handed in': rather submit"),
        ('words = {"open": f"{count} edge(s)"}', "'edge(s)': rather 1 edge"),
        ('raise Conflict("This graph was changed since you opened it.")', "'changed since': rather has changed since"),
        ('raise BadInput(f"{n} cards named; right is {wanted}.")', "'right is': rather expected"),
        ('st.caption(f"Run {number} is on hold")', "'on hold': rather waiting"),
        ("raise Missing(f'A has no variable \"{name}\".')", "rather node"),
        ('raise BadInput(f"{n:,} variables and edges together")', "'variables and edges': rather node"),
        ('raise BadRow("a causal graph needs arrows (->)")', "'needs arrows': rather edge"),
        ('st.caption("Not begun")', "'begun': rather started"),
        ('raise BadInput(f"{name}: the file holds no graph")', "'file holds no': rather contains"),
        ('raise BadInput(f"The note has {n} characters; at most {m:,} are kept.")', "are kept': rather are allowed"),
        ('st.caption(f"Run {number} waits for a worker")', "'waits for a worker': rather is waiting for"),
        ('raise BadInput(f"{text} is no JSON")', "'is no JSON': rather is not"),
        ('VIEWS = {"printed": "Printed labels"}', "'Printed labels': rather name"),
        ('st.caption("A reason is: label misread")', "'label misread': rather name"),
        ('st.popover("How is this computed")', "rather How this is computed"),
        ('st.caption(f"claims expire after {n} h without an edit")', "'without an edit': rather without edits"),
        ('st.caption(f"Edge F1 {value}")', "'Edge F1': rather F1 of edges"),
        ('raise BadInput("an act holds a number")', "'an act holds': rather contains"),
        ('raise BadInput("The desk sent an act")', "rather the browser sent"),
        ('st.caption("[Alt]+arrow keys resize it")', "rather [Alt] arrow keys"),
    ],
)
def test_a_planted_word_is_found_in_python_with_its_line_and_the_right_one(source: str, said: str) -> None:
    (fault,) = {
        fault for fault in found_in(reading.python_texts("a.py", f"\n{source}\n", is_screen=True)) if said in fault
    }
    assert fault.startswith("a.py:4: " if "command" in source else "a.py:2: ")


@pytest.mark.parametrize(
    ("source", "is_fault"),
    [
        ("raise Missing(f'There is no node \"{name}\".')", True),
        ("raise Missing(f\"No task '{name}' of this run.\")", True),
        ('raise Missing(f"There is no node “{name}” here.")', False),
        ("raise BadRow(f'an edge names its node: {end}=\"{name}\"')", False),
        ('raise BadRow(f\'write "{source}" -> "{sink}" as an edge\')', False),
    ],
)
def test_a_planted_value_in_straight_quotes_is_found(source: str, is_fault: bool) -> None:
    found = list(faults_of_quotes(reading.python_texts("a.py", source, is_screen=True)))
    assert bool(found) is is_fault


def test_a_value_as_python_writes_it_is_found_but_after_found() -> None:
    (found,) = reading.python_reprs("a.py", 'x = f"No run {name!r}: found {value!r}; expected {n}"')
    assert found.text == "No run {name!r}"


def test_docstrings_comments_and_keys_are_not_searched() -> None:
    source = '''"""It stands anew."""\n# please\nkind = {"training": 1, "hand_in": 2}\ndef f():\n    """Simply so."""'''
    assert list(found_in(reading.python_texts("a.py", source, is_screen=True))) == []


def test_a_planted_word_is_found_in_a_script_and_not_in_its_comments_or_patterns() -> None:
    source = """// it stands here
/* please */ const taken = /stands "anew"/g.test(text) ? 'No claim' : "Not handed in";
const said = `${n} edges ${n > 1 ? "stand there" : "is there"} anew`;
"""
    found = sorted(found_in(reading.script_texts("a.js", source)))
    assert [fault.split(": rather")[0] for fault in found] == [
        "a.js:2: 'handed in'",
        "a.js:3: 'anew'",
        "a.js:3: 'stand'",
    ]


def test_a_planted_phrase_is_found_in_a_guide_over_the_end_of_a_line_and_not_in_code() -> None:
    guide = "# A\n\nA share drawn by\nlot, see `stands anew` and *Look anew*.\n"
    found = sorted(found_in(reading.guide_texts("docs/a.md", guide)))
    assert [fault.split(": rather")[0] for fault in found] == [
        "docs/a.md:3: 'by\\nlot'",
        "labels in docs/a.md:4: 'anew'",
    ]


def test_a_planted_word_is_found_between_the_tags_of_a_page() -> None:
    page = "<style>p { color: red }</style>\n<p>Please sign in</p>{{ 'Simply' }}"
    assert [fault.split(":")[1] for fault in found_in(reading.template_texts("a.html", page))] == ["2"]


@pytest.mark.parametrize("value", ['f"{at:%Y-%m-%d %H:%M}"', 'at.strftime("%Y-%m")', 'f"on {local(at):%m/%d/%y}"'])
def test_a_planted_date_in_digits_is_found(value: str) -> None:
    (fault,) = faults_of_dates(reading.python_time_formats("a.py", f"\nst.text({value})"))
    assert fault.startswith("a.py:2: date") and "22 Nov 2026" in fault
    assert (
        list(faults_of_dates(reading.python_time_formats("a.py", 'st.text(f"{at.day} {at:%b %Y, %H:%M} {n:,}")'))) == []
    )


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ('"Save Licence"', "sentence case, 'licence'"),
        ('"Save it."', "no full stop"),
        ('"Look again for papers"', "at most 3 words"),
        ('f"Import the {n} good rows" if n else "Import"', "at most 3 words"),
    ],
)
def test_a_planted_label_of_a_button_is_found(label: str, said: str) -> None:
    direct, named = f"st.button({label}, key=1)", f"word = {label}\n_button(viewer, word)"
    for source in (direct, named):
        assert [said in fault for fault in faults_of_buttons(reading.python_buttons("a.py", source))] == [True]
    assert list(faults_of_buttons(reading.python_buttons("a.py", 'st.button("Download run (ZIP)")'))) == []


def test_a_planted_label_of_a_button_of_a_script_is_found() -> None:
    source = "row.append(pushButton(`Accept ${n} certain ones`, () => act(), { title: 'Accept them all at once' }));"
    (fault,) = faults_of_buttons(reading.script_buttons("a.js", source))
    assert fault == "a.js:1: button 'Accept … certain ones': at most 3 words"


def test_every_exception_is_still_needed() -> None:
    """A phrase excepted that nobody writes any more would hide the next fault."""
    written = "\n".join(
        re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        for room in (*SCREENS, *MESSAGES, *GUIDES)
        for path in ([ROOT / room] if (ROOT / room).is_file() else (ROOT / room).rglob("*"))
        if path.suffix in {".py", ".js", ".html", ".md"}
    )
    assert [phrase for phrase in EXCEPTED if phrase not in written] == []
    assert [place for place in EXCEPTED_FILES if not (ROOT / place).exists()] == []


if __name__ == "__main__":  # python -m tests.test_words [beginning of a path]: what is left there
    import sys

    begin = tuple(sys.argv[1:]) or ("",)
    for fault in sorted({*found_in(texts()), *faults_of_buttons(buttons())}):
        if fault.startswith(begin):
            sys.stdout.write(fault + "\n")


@pytest.mark.parametrize(
    "source",
    [
        'st.dataframe({"measure": [row[0] for row in rows]})',
        'number_table({"Model": names}, key="k", words=())\ncolumns["measure"] = [str(n) for n in counts]',
        'rows = [{"measure": row} for row in found]\nst.dataframe(rows)',
        'choose_line("Line", ids, words, {f"measure {n}": list(each) for n, each in found}, name="n")',
    ],
)
def test_a_planted_head_in_lower_case_is_found(source: str) -> None:
    (fault,) = faults_of_heads(reading.python_heads("a.py", source))
    assert "'measure" in fault


def test_keys_of_dictionaries_that_are_no_columns_are_no_heads() -> None:
    source = 'st.dataframe({"A": [1]}, column_config={"measure": RIGHT})\ndata = {"measure": 1}'
    assert list(faults_of_heads(reading.python_heads("a.py", source))) == []
    assert list(reading.python_heads("b.py", 'columns = {"measure": [1]}')) == [], "a file without tables"
