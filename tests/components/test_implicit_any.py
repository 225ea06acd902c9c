"""The limits of implicit `any` in the scripts."""

from __future__ import annotations

from tests.components.implicit_any import faults, sort_output

FINDING = "components/canvas/around/bar.js(3,4): error TS7006: Parameter 'c' implicitly has an 'any' type."
INDEX = "components/desk/keys.js(9,1): error TS7053: Element implicitly has an 'any' type because of its index."
OTHER = "components/desk/keys.js(2,1): error TS2322: Type 'A' is not assignable to type 'B'."


def test_findings_are_counted_by_folder_and_other_errors_are_separate() -> None:
    lines = [FINDING, INDEX, "  No index signature was found.", FINDING, OTHER, "  Property 'x' is missing."]
    assert sort_output(lines) == (
        {"canvas": [FINDING, FINDING], "desk": [INDEX]},
        [OTHER, "  Property 'x' is missing."],
    )
    assert sort_output(["error TS5083: Cannot read file."]) == ({}, ["error TS5083: Cannot read file."])
    assert sort_output(["build/crossing.ts(1,1): error TS7006: any"]) == (
        {},
        ["build/crossing.ts(1,1): error TS7006: any"],
    )


def test_a_limit_equals_the_count_and_a_folder_without_one_has_none() -> None:
    assert faults({"canvas": 2}, {"canvas": 2}, {"canvas": 3}) == []
    assert faults({}, {}, {}) == []
    assert len(faults({"canvas": 3}, {"canvas": 2}, {"canvas": 2})) == 1
    assert len(faults({"canvas": 1}, {"canvas": 2}, {"canvas": 2})) == 1
    assert len(faults({}, {"canvas": 2}, {"canvas": 2})) == 1
    assert faults({"desk": 1}, {}, {}) == [
        "components/desk: 1 implicit any, limit 0: declare the types, which `--list desk` shows"
    ]


def test_a_raised_limit_is_a_fault_though_the_count_equals_it() -> None:
    assert faults({"canvas": 3}, {"canvas": 3}, {"canvas": 2}) == [
        "components/canvas: the limit 3 was 2 in the last commit"
    ]
    assert len(faults({"desk": 1}, {"desk": 1}, {"canvas": 2})) == 1
