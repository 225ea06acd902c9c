"""`triplets questions` and `triplets jel` as a shell sees them: keys, faults with their place, real relations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from core.vectors import NOTICE
from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

run = partial(run_command, "triplets")
ROWS = [
    {"X": "Tax", "d": "Increase", "Y": "revenue", "paper": 7, "year": 2003, "letters": "H2, J"},
    {"X": "tax", "d": "decrease", "Y": "smoking", "paper": "8"},
]
DIRECTION = {"+": "increase", "-": "decrease", "None": "none"}


def test_questions_have_their_keys_and_counts(write: Write) -> None:
    found = said(run("questions", write("relations.json", ROWS), "--share-true", "1", "--json"))
    assert set(found) == {"questions", "counts", "contradicted", "without_false"}
    assert found["counts"] == {
        "1": {"True": 2},
        "2": {"True": 2, "False": 0},
        "3": {"True": 0, "False": 0},
        "4": {"True": 0, "False": 0},
        "5": {"increase": 1, "decrease": 1, "none": 0},
    }
    about = next(each for each in found["questions"] if each["type"] == 2 and each["asked"]["Y"] == "revenue")
    assert about == {
        "id": about["id"],
        "type": 2,
        "given": {"X": "tax", "d": "decrease", "Y": "smoking"},
        "asked": {"X": "Tax", "d": "increase", "Y": "revenue"},
        "answer": "True",
        "papers": ["7", "8"],
        "letters": ["H", "J"],
        "period": "2000–2004",
        "entities": ["revenue", "smoking", "tax"],
        "is_easy": None,
    }
    direction = next(each for each in found["questions"] if each["type"] == 5)
    assert (direction["given"], direction["asked"]["d"]) == (None, None)


def test_relations_are_read_from_csv_and_json_lines_alike(tmp_path: Path, write: Write) -> None:
    table = tmp_path / "relations.csv"
    table.write_text('X,d,Y,paper,year,letters\nTax,increase,revenue,7,2003,"H2, J"\ntax,decrease,smoking,8,,\n')
    lines = tmp_path / "relations.jsonl"
    lines.write_text("\n".join(map(json.dumps, ROWS)))
    answers = [run("questions", each, "--json").stdout for each in (table, lines, write("relations.json", ROWS))]
    assert answers[0] == answers[1] == answers[2]


def test_every_fault_of_a_relation_is_named_with_its_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "relations.csv"
    file.write_text("X,d,Y,paper,year,letters\ntax,up,jobs,1,2003,\n,increase,jobs,1,20,?\n")
    done = run("questions", file, "--json")
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        f"{file}, line 2, d: found 'up'; expected one of increase, decrease, none",
        f"{file}, line 3, X; expected text",
        f"{file}, line 3, year: found '20'; expected a year from 1500 to 2200",
        f"{file}, line 3, letters: found '?'; expected JEL letters or codes, such as J or J2",
    ]


@pytest.mark.parametrize(
    ("heading", "sentence"),
    [
        ("X,d,Y", "has no column paper; relations have X, d, Y, paper."),
        ("X,d,Y,paper,X_entity", "has a column X_entity alone; entities need X_entity and Y_entity."),
    ],
)
def test_a_file_without_its_columns_is_told_which_it_lacks(tmp_path: Path, heading: str, sentence: str) -> None:
    file = tmp_path / "relations.csv"
    file.write_text(f"{heading}\n{','.join('a' for _ in heading.split(','))}\n")
    assert run("questions", file).stderr.decode() == f"{file} {sentence}\n"


def test_a_phrase_of_two_entities_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "relations.csv"
    file.write_text("X,d,Y,paper,X_entity,Y_entity\ntax,increase,rent,1,e1,e2\njobs,increase,tax,1,e3,e4\n")
    done = run("questions", file)
    assert done.returncode == 1 and done.stdout == b""
    assert f"{file}, line 3, Y_entity: found 'e4'" in done.stderr.decode()


def test_real_relations_give_the_pairs_that_were_counted_apart(shared_data: Path, write: Write) -> None:
    """663 + 602 published rows, mixed ones left out: 1,241 relations of 874 papers."""
    rows = [
        json.loads(line)
        for name in ("task1_econ.jsonl", "task1_finance.jsonl")
        for line in (shared_data / "econcausal" / name).read_text().splitlines()
    ]
    listed = [
        {"X": row["treatment"], "d": DIRECTION[row["sign"]], "Y": row["outcome"], "paper": row["paper_id"]}
        for row in rows
        if row["sign"] in DIRECTION
    ]
    assert (len(listed), len({row["paper"] for row in listed})) == (1241, 874)
    file = write("relations.json", listed)
    words = [run("questions", file, "--scope", scope).stdout.decode() for scope in ("anywhere", "across-papers")]
    pairs = [[int(re.split(" {2,}", line)[1]) for line in each.splitlines()[2:5]] for each in words]
    assert pairs == [[434, 280, 646], [34, 126, 646]]
    counts = said(run("questions", file, "--json"))["counts"]
    assert [sum(counts[kind].values()) for kind in "12345"] == [1240, 432, 280, 646, 1240]


# --- jel --------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Callable[[str, str], Path]:
    def save(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return save


def test_a_variable_gets_the_code_of_the_nearest_title(table: Callable[[str, str], Path]) -> None:
    codes = table("codes.csv", 'code,title,vector\nJ2,Labour,"[3, 4]"\nE2,Output,"[1, 0]"\nA1,Teaching,"[2, 0]"\n')
    variables = table("variables.csv", 'variable,vector\nwages,"[0, 1]"\ngrowth,"[5, 0]"\nnothing,"[0, 0]"\n')
    done = run("jel", variables, "--codes", codes, "--json")
    assert done.stderr == b""
    assert said(done) == [
        {"variable": "wages", "code": "J2", "title": "Labour", "letter": "J", "cosine": 0.8, "cosine_reason": None},
        # A tie of A1 and E2: the first by code.
        {"variable": "growth", "code": "A1", "title": "Teaching", "letter": "A", "cosine": 1.0, "cosine_reason": None},
        {
            "variable": "nothing",
            "code": None,
            "title": None,
            "letter": None,
            "cosine": None,
            "cosine_reason": "the variable's vector is all zeros",
        },
    ]


def test_without_vectors_letters_are_compared_and_it_is_said(table: Callable[[str, str], Path]) -> None:
    codes = table("codes.csv", "code,title\nJ2,Labour supply\nE2,Output\n")
    done = run("jel", table("variables.csv", "variable\nsupply of labour\n"), "--codes", codes, "--json")
    assert [each["code"] for each in said(done)] == ["J2"]
    assert done.stderr.decode() == f"{NOTICE}\n"


@pytest.mark.parametrize(
    ("codes", "variables", "sentence"),
    [
        (
            "code,title\nE2,Output\nJ,Labour\n",
            "variable\nx\n",
            "line 3, code: found 'J'; a letter and a digit is right",
        ),
        ("code,title\nE2,Output\nE2,Other\n", "variable\nx\n", "line 3, code: found 'E2'; an earlier row has it too"),
        ("code,title\nX1,Output\n", "variable\nx\n", "line 2, code: found 'X1'; there is no primary letter X"),
        ("code\nE2\n", "variable\nx\n", "has no column title; it needs code, title."),
        ('code,title,vector\nE2,Output,"[1]"\n', 'variable,vector\nx,"[1, 2]"\n', "Vectors of 1 and 2 numbers"),
        ("code,title\nE2,Output\n", "variable,vector\nx,yes\n", "line 2, vector: found 'yes'; expected a list of"),
        ('code,title,vector\nE2,Output,"[1]"\nE3,Prices,\n', "variable\nx\n", "E3 has no vector and others have"),
    ],
)
def test_a_faulty_file_of_codes_says_what_would_be_right(
    table: Callable[[str, str], Path], codes: str, variables: str, sentence: str
) -> None:
    done = run("jel", table("variables.csv", variables), "--codes", table("codes.csv", codes))
    assert done.returncode == 1
    assert sentence in done.stderr.decode()
