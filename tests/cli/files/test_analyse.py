"""`analyse` as a shell sees it: tables of a file that another program made, and what is wrong with one."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

run = partial(run_command, "analyse")
ROWS = """\
item,sample,model,status,task,true,predicted,fact.jel,protocol
1,a,m,answered,task1,+,+,J,econcausal
2,b,m,answered,task1,-,+,"[""J"", ""H""]",econcausal
3,c,m,refused,task1,+,,H,econcausal
4,a,n,unparsable,task1,+,,J,econcausal
"""


def values(*arguments: str) -> dict[tuple[str, str], float]:
    (table, *_others) = said(run(*arguments, "--json"))
    return {(cell["row"], cell["column"]): cell["value"] for cell in table["cells"]}


def test_a_table_of_few_columns_has_the_accuracy_of_each_model(write: Write) -> None:
    file = str(write("answers.csv", ROWS))
    assert values(file, "--preset", "sign") == {
        ("m", "Task 1 · +"): 1.0,
        ("m", "Task 1 · -"): 0.0,
        ("m", "Task 1 · None"): None,
        ("m", "Task 1 · mixed"): None,
        ("n", "Task 1 · +"): 0.0,
        ("n", "Task 1 · -"): None,
        ("n", "Task 1 · None"): None,
        ("n", "Task 1 · mixed"): None,
    }
    zero = values(file, "--preset", "sign", "--failures", "zero")
    assert zero["m", "Task 1 · +"] == 0.5
    by = values(file, "--preset", "sign", "--by", "jel")
    assert by == {("m", "H"): 0.0, ("m", "J"): 0.5, ("n", "H"): None, ("n", "J"): 0.0}


def test_words_say_what_a_table_is_of(write: Write) -> None:
    words = run(str(write("answers.csv", ROWS)), "--preset", "sign").stdout.decode()
    assert words.splitlines()[:2] == ["Accuracy; Task 1", "   Task 1 · +  Task 1 · −  Task 1 · None  Task 1 · mixed"]


def test_a_file_of_two_protocols_is_of_the_one_that_is_chosen(write: Write) -> None:
    file = str(write("answers.csv", ROWS + "5,x,m,answered,type1,True,True,,lee\n"))
    done = run(file, "--preset", "sign")
    assert done.returncode == 1
    message = "This table holds several protocols. Add `--protocol econcausal` or `--protocol lee`.\n"
    assert done.stderr.decode() == message
    assert values(file, "--preset", "sign", "--protocol", "econcausal")["m", "Task 1 · +"] == 1.0


@pytest.mark.parametrize(
    ("content", "options", "word"),
    [
        (ROWS.replace("model", "modell"), (), "no column `model`"),
        (ROWS, ("--preset", "nope"), "Unknown table “nope”"),
        (ROWS, ("--tasks", "task9"), "no task “task9”"),
        (ROWS, ("--by", "explicitness"), "an explicitness"),
        (ROWS, ("--protocol", "nope"), "Unknown protocol “nope”"),
        (ROWS, ("--protocol", "lee", "--preset", "models"), "answers.csv holds no item of lee, only of econcausal."),
    ],
)
def test_what_cannot_be_computed_says_why(write: Write, content: str, options: tuple[str, ...], word: str) -> None:
    preset = () if "--preset" in options else ("--preset", "sign")
    done = run(str(write("answers.csv", content)), *preset, *options)
    assert (done.returncode, done.stdout) == (1, b"")
    assert word in done.stderr.decode()


def test_only_samples_that_every_model_has_an_answer_for_are_counted_if_asked(write: Write) -> None:
    file = str(write("answers.csv", ROWS))
    arguments = file, "--preset", "sign", "--failures", "left-out"
    assert b"1 of 3 have one of every model" in run(*arguments).stdout
    assert values(*arguments, "--same-samples")["m", "Task 1 · -"] is None


def test_flagged_samples_are_left_out_if_asked_and_are_a_column_by_their_reasons(write: Write) -> None:
    head, *lines = ROWS.splitlines()
    first = lines[0].split(",")[head.split(",").index("sample")]
    cell = {True: ',"[""label wrong"", ""ambiguous""]"', False: ","}
    rows = [f"{line}{cell[line.split(',')[head.split(',').index('sample')] == first]}" for line in lines]
    file = str(write("answers.csv", "\n".join([f"{head},fact.flag", *rows]) + "\n"))
    many = len({line.split(",")[head.split(",").index("sample")] for line in lines})
    printed = run(file, "--preset", "sign", "--without-flagged").stdout.decode()
    assert f"{many - 1} of {many} samples, which nobody flagged as bad" in printed
    assert "nobody flagged" not in run(file, "--preset", "sign").stdout.decode()
    by = values(file, "--preset", "sign", "--by", "flag")
    assert {column for _, column in by} >= {"label wrong", "ambiguous", "no flag"}
