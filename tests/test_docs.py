"""The guides say what the code does: what can be generated is compared, what is named is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import edgewise
from benchmarks import harness
from benchmarks.__main__ import RESULTS, measurements, result_text
from docs import generate, measured
from pages.runs.error_words import FAULTS
from protocols import PROTOCOLS
from tests.soak import table as soak
from tests.soak.table import Row

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    *generate.DOCUMENTS,
    "docs/agreement.md",
    "docs/runs.md",
    "docs/questions.md",
    "docs/dependencies.md",
    "docs/decisions.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
]
LARGEST_PICTURE = 150_000  # bytes
MOST_WORDS_OF_A_GUIDE = 8_000
MOST_WORDS_OF_ALL_GUIDES = 34_500
SKIPPED = {".venv", ".git", "__pycache__", "build", "node_modules"}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def repository() -> Iterator[Path]:
    """Every file that belongs to the project; tools' caches begin with a dot and end in cache, or are hypothesis'."""
    for top in sorted(ROOT.iterdir()):
        if top.name in SKIPPED or top.name.endswith("cache") or top.name == ".hypothesis":
            continue
        files = top.rglob("*") if top.is_dir() else [top]
        yield from (file for file in files if file.is_file() and not SKIPPED & set(file.parts))


@pytest.mark.parametrize("name", generate.DOCUMENTS)
def test_generated_sections_are_what_the_code_says(name: str) -> None:
    assert generate.regenerated(text(name)) == text(name), "run: python docs/generate.py"


@pytest.mark.parametrize("name", generate.KEY_TABLES)
def test_tables_of_keys_in_scripts_are_those_of_python(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == generate.script(name), "run: python docs/generate.py"


def test_every_generated_section_stands_in_a_document() -> None:
    everything = "".join(text(name) for name in generate.DOCUMENTS)
    for name in generate.SECTIONS:
        assert f"<!-- generated: {name} -->\n\n" in everything
        assert f"\n\n<!-- end of {name} -->" in everything


def test_every_guide_with_a_generated_section_is_compared() -> None:
    guides = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    assert [name for name in guides if "<!-- generated: " in text(name) and name not in generate.DOCUMENTS] == []


def test_no_guide_has_more_words_than_its_limit() -> None:
    docs = ROOT / "docs"
    lines = [line.split() for line in text("docs/limits.txt").splitlines() if not line.startswith("#")]
    limits = {name: int(most) for name, most in lines}
    words = {
        path.relative_to(docs).with_suffix("").as_posix(): _hand_written_words(path)
        for path in sorted(docs.rglob("*.md"))
    }
    assert sorted(name for name, _ in lines) == sorted(words), "docs/limits.txt has one line for each guide"
    assert max(limits.values()) <= MOST_WORDS_OF_A_GUIDE
    assert sum(limits.values()) <= MOST_WORDS_OF_ALL_GUIDES
    assert {name: count for name, count in words.items() if count > limits[name]} == {}


def _hand_written_words(guide: Path) -> int:
    """Count the words outside generated sections."""
    content = guide.read_text(encoding="utf-8")
    return len(re.sub(r"<!-- generated: (\w+) -->.*?<!-- end of \1 -->", "", content, flags=re.DOTALL).split())


def test_the_line_examples_give_the_edges_that_the_guide_prints() -> None:
    guide = text("docs/user-guide.md")
    # Written by hand: the generated table must not be its own witness.
    for row in (
        "| `Rain -> Harvest; River level` | several sinks, separated by `;` | Rain → Harvest<br>Rain → River level |",
        "| `Demand <- Price` | read from right to left | Price → Demand |",
        "| `Price ->- Demand` | with its sign: `->+` or `->-` | Price → Demand (-) |",
        "| `Births, per year -> Population` | a comma never splits a name | Births, per year → Population |",
    ):
        assert row in guide


def test_the_settings_table_names_every_variable_that_the_program_reads() -> None:
    sources = ["settings.py", "web/hosts.py", "server.py", "edgewise.py", "Makefile", "docs/take_pictures.py"]
    read = {name for source in sources for name in re.findall(r"EDGEWISE_[A-Z_]+[A-Z]|STREAMLIT_[A-Z_]+", text(source))}
    assert read == set(generate.SETTINGS)


def test_every_command_a_document_shows_exists() -> None:
    group = typer.main.get_command(edgewise.app)
    for name in DOCUMENTS:
        for words in re.findall(r"edgewise\.py ([a-z][a-z-]*(?: [a-z]+)?)", text(name)):
            assert _knows(group, words.split()), f"{name}: edgewise.py {words}"


def _knows(group: object, words: list[str]) -> bool:
    commands = getattr(group, "commands", None)
    if commands is None or not words:
        return True
    return words[0] in commands and _knows(commands[words[0]], words[1:])


def test_every_make_target_a_document_shows_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    for name in DOCUMENTS:
        assert set(re.findall(r"`make ([a-z]+)`", text(name))) <= targets, name


def test_links_and_pictures_lead_somewhere() -> None:
    for name in DOCUMENTS:
        for target in re.findall(r"\]\(([^)\s]+)\)", text(name)):
            place, _, anchor = target.partition("#")
            if "://" in place:
                continue
            file = (ROOT / name).parent / place if place else ROOT / name
            assert file.exists(), f"{name}: {target}"
            assert not anchor or anchor in _anchors(file), f"{name}: {target}"


def test_buttons_that_the_guide_names_are_on_a_screen() -> None:
    guide = text("docs/user-guide.md")
    rooms = [ROOT / room for room in ("pages", "components", "services", "core")]
    scripts = [file for room in rooms for file in room.rglob("*") if file.suffix in {".py", ".js", ".html"}]
    shown = "".join(file.read_text(encoding="utf-8") for file in scripts)
    named = re.findall(r"(?<![\w*])\*([A-Z][^*]{1,60})\*(?!\*)", guide)
    labels = {label.removesuffix("…”") for name in named for label in " ".join(name.split()).split(" → ")}
    # Whole, in quotes or marks, so that no longer label and no comment counts; a screen may write the capital itself.
    whole = (rf'["`>*“](?i:{re.escape(label[0])}){re.escape(label[1:])} ?["`<*”…:{{]' for label in sorted(labels))
    assert len(labels) > 50
    assert [pattern for pattern in whole if not re.search(pattern, shown)] == []


def test_the_guide_to_runs_says_what_helps_with_every_kind_of_error() -> None:
    table = text("docs/runs.md").split("## What went wrong")[1].split("\n\n")[1]
    kinds = [kind for line in table.splitlines()[2:] for kind in line.split("|")[1].strip().split("; ")]
    assert {words for words, _ in FAULTS.values()} <= set(kinds)


SYSTEMS = {
    "econcausal": "EconCausal",
    "econcausal-pipeline": "EconCausal",
    "lee": "Lee et al. 2025",
    "lee-pipeline": "Lee et al. 2025",
    "recite": "ReCITE",
    "recite-texts": "ReCITE",
    "causalgraph2llm": "CausalGraph2LLM",
    "figure-reading": "read figures",
    "proposed-codes": "propose codes",
}


def test_the_readme_and_the_guide_to_runs_name_what_every_protocol_asks() -> None:
    assert SYSTEMS.keys() == PROTOCOLS.keys(), "say in README.md what the new protocol asks"
    readme, guide = " ".join(text("README.md").split()), text("docs/runs.md")
    assert [name for name, system in SYSTEMS.items() if system not in readme] == []
    assert [each.title for each in PROTOCOLS.values() if f"| {each.title} |" not in guide] == []


def test_the_readme_is_short_and_shows_the_three_screens() -> None:
    readme = text("README.md")
    assert len(readme.split()) <= 700
    shown = re.findall(r"!\[[^\]]+\]\(docs/pictures/(.+?)\.png\)", readme)
    assert shown == ["transcribe", "verdict-desk", "results"]


def test_the_guide_lists_all_its_sections() -> None:
    guide = text("docs/user-guide.md")
    listed = re.findall(r"\d+\.\s\[(.+?)\]\(#", guide.partition("\n## ")[0])
    assert listed == re.findall(r"^## (.+)$", guide, re.MULTILINE)


def _anchors(file: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return set(map(generate.anchor, headings))


def test_pictures_are_small_and_all_shown() -> None:
    guides = {*DOCUMENTS, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))}
    shown = {Path(target).name for name in guides for target in re.findall(r"\]\(([^)]+\.png)\)", text(name))}
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert {picture.name for picture in pictures} == shown
    for picture in pictures:
        assert picture.stat().st_size < LARGEST_PICTURE, picture.name


def test_rooms_and_tests_that_the_documents_name_are_there() -> None:
    for name in generate.DOCUMENTS:
        for place in re.findall(
            r"`((?:tests|core|store|services|components|documents|exchange|docs)/[\w./]*)`", text(name)
        ):
            assert (ROOT / place).exists(), f"{name}: {place}"


def test_tests_that_the_documents_name_are_there() -> None:
    for name in DOCUMENTS:
        for path, test in re.findall(r"`(tests/[\w./]+\.py)::(test_\w+)`", text(name)):
            assert f"\ndef {test}(" in text(path), f"{name}: {path}::{test}"


def test_the_page_of_trust_has_a_proof_of_every_promise() -> None:
    for claim in soak.PROMISES:
        assert re.search(rf"^\| {claim} \| .+`tests/.+::test_\w+` \|$", text("docs/trust.md"), re.MULTILINE)


def test_every_measurement_has_a_file_of_results() -> None:
    assert sorted(path.stem for path in RESULTS.iterdir()) == sorted(measurements())


def test_ratios_are_read_from_the_output_of_a_benchmark() -> None:
    conditions = {"date": "2026-03-02", "load before": 0.1, "load after": 0.2, "cores": 2}
    peer = harness.row("theirs", [1_500.0])
    own = harness.row("a | b", [2_000.0, 3_000.0, 4_000.0], 1_500.0, "theirs (goal 1)")
    result = result_text("x", "Something.", conditions, f"{peer}\n{own}\nin /home/someone/study")
    assert list(measured.ratio_rows("x", result)) == [
        ("x", "a \\| b", "3,000.0 ms", "2.00", "theirs (goal 1)", "3", "2026-03-02", "0.1–0.2")
    ]
    assert "date 2026-03-02, load before 0.1, load after 0.2, cores 2." in result
    assert "someone" not in result


def test_proofs_that_were_not_repeated_stay_unless_all_were(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    earlier = [Row("T1", "a | b", 3_000, "0 lost", "0 lost", "ok"), Row("T8", "c", 1, "1 of 1 passed", "", "ok")]
    soak.write_results(earlier, {}, is_whole=True, path=path)
    again, absent = Row("T8", "c", 1, "0 of 1 passed", "", "short", "2026-03-04"), Row("T2", "d", 0, "", "", "missing")
    soak.write_results([again, absent], {"date": "2026-03-04"}, is_whole=False, path=path)
    assert soak.read_results(path) == ({"date": "2026-03-04"}, [earlier[0], again])
    soak.write_results([again, absent], {}, is_whole=True, path=path)
    assert soak.read_results(path) == ({}, [again, absent])


def test_no_file_names_a_place_on_one_machine() -> None:
    # In pieces, so that this file does not name them itself.
    private = re.compile(rb"(?<![\w.>}])/" + b"(?:" + b"|".join([b"wo" + b"rk", b"ro" + b"ot", b"tm" + b"p"]) + rb")/")
    named = [str(file.relative_to(ROOT)) for file in repository() if private.search(file.read_bytes())]
    assert named == []
