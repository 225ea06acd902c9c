"""The output of tsc, sorted."""

from __future__ import annotations

from tests.components.implicit_any import sort_output

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
