"""The plan of the house holds: doors are entered, never imported, and the rooms keep their order."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from protocols import PROTOCOLS
from tests import sentences
from tests.parsed import no_garbage, walked

__all__ = ["no_garbage"]  # a fixture of this module

ROOT = Path(__file__).resolve().parents[1]
DOORS = {"app", "server", "edgewise"}
ROOMS = (
    "core",
    "prompts",
    "protocols",
    "runs",
    "store",
    "documents",
    "exchange",
    "services",
    "cli",
    "components",
    "pages",
    "web",
)

ROWS_OF_A_QUERY = {
    "AbstractRow",
    "AskedSample",
    "Claim",
    "DoneWork",
    "DrawnGraph",
    "ItemLine",
    "JudgedItem",
    "LastStage",
    "ListedReply",
    "ListedTriplet",
    "Pooled",
    "RepliedItem",
    "SubmittedTranscription",
    "Worked",
}
"""Tuples of more than six fields that stay tuples: each is a row of a SELECT whose columns stand beside it in the same
order, and is made of such a row only, `Claim(*row)`."""
MANY = 6


def sources() -> list[Path]:
    rooms = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [*rooms, ROOT / "settings.py", *(ROOT / f"{door}.py" for door in sorted(DOORS))]


def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything a file says."""
    return walked(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """Names of the top-level modules a file imports, also inside functions."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def test_nothing_imports_a_door() -> None:
    for path in sources():
        # The command line starts the HTTP door; that is what it is for.
        allowed = {"server"} if path.name == "edgewise.py" else set()
        assert imported(path) & DOORS <= allowed, path


def test_streamlit_finds_no_screen_by_itself() -> None:
    """It reads `pages/*.py`; a screen is a package, and `app.py` says which there are and for whom."""
    assert [path.name for path in (ROOT / "pages").glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("floor", ["services", "core"])
def test_the_rooms_of_a_floor_form_no_circle(floor: str) -> None:
    rooms = nx.DiGraph()
    for path in (ROOT / floor).rglob("*.py"):
        room = path.relative_to(ROOT / floor).parts[0]
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{floor}."):
                used = node.module.split(".")[1]
                if (ROOT / floor / used).is_dir() and not room.endswith(".py") and used != room:
                    rooms.add_edge(room, used, where=f"{path}:{node.lineno}")
    assert [circle for circle in nx.strongly_connected_components(rooms) if len(circle) > 1] == []


def test_no_files_import_each_other_in_a_circle() -> None:
    """Whatever an import is for: types, and what a function imports when it is called, count as well."""
    modules = {module_of(path) for path in sources()}
    imports = nx.DiGraph()
    for path in sources():
        for node in nodes(path):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                one_of = {f"{node.module}.{alias.name}" for alias in node.names}
                named = [*(one_of & modules), *([node.module] if one_of - modules else [])]
            if named:
                imports.add_edges_from((module_of(path), each) for each in named if each in modules - {module_of(path)})
    assert circles(imports) == []


def module_of(path: Path) -> str:
    """The name by which a source is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_scripts_import_each_other_in_a_circle() -> None:
    imports = nx.DiGraph()
    for path in [*(ROOT / "components").rglob("*.js"), *(ROOT / "components").rglob("*.d.ts")]:
        for named in re.findall(
            r"""^(?:import|export)\b[^;]*?\bfrom ["'](\.[^"']+)["']""", path.read_text(), re.MULTILINE
        ):
            imports.add_edge(path, (path.parent / named).resolve())
    assert circles(imports) == []


def circles(imports: nx.DiGraph) -> list[set[Any]]:
    return [circle for circle in nx.strongly_connected_components(imports) if len(circle) > 1]


def test_settings_import_nothing_of_ours() -> None:
    assert imported(ROOT / "settings.py") & ({*ROOMS, *DOORS, "settings", "benchmarks", "tests"}) == set()


def test_the_layer_contracts_are_kept() -> None:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pages_ask_a_permit_for_every_uploader_they_draw() -> None:
    streamlits = {"file_uploader", "camera_input", "audio_input", "chat_input"}
    for path in sources():
        named = [node for node in nodes(path) if isinstance(node, ast.Attribute)]
        if path != ROOT / "components" / "widgets" / "uploads.py":
            assert not streamlits & {node.attr for node in named}, (
                f"{path}: components/widgets/uploads.py draws uploaders"
            )
        taken = {name.name for node in nodes(path) if isinstance(node, ast.ImportFrom) for name in node.names}
        if taken & {"uploader", "uploader_of_one"}:
            asked = [node for node in named if ast.unparse(node) == "uploads.permit"]
            assert len(asked) == 1, f"{path}: asks services/uploads.permit once a run"


def called(node: ast.AST) -> str:
    """The last name of what a call calls or a decorator names: "dataclass" of `@dataclasses.dataclass(slots=True)`."""
    name = node.func if isinstance(node, ast.Call) else node
    if isinstance(name, ast.Name | ast.Attribute):
        return name.id if isinstance(name, ast.Name) else name.attr
    return ast.unparse(name).rpartition(".")[2]


def test_values_of_many_fields_are_made_by_keyword() -> None:
    """Two swapped integers must not type-check."""
    rows = set[str]()
    for path in sources():
        for node in nodes(path):
            if isinstance(node, ast.Call) and called(node) in ROWS_OF_A_QUERY:
                spread = all(isinstance(each, ast.Starred) for each in node.args)
                assert spread, f"{path}:{node.lineno}: make {called(node)} of a row, or make it a dataclass"
            if not isinstance(node, ast.ClassDef):
                continue
            fields = [
                each
                for each in node.body
                if isinstance(each, ast.AnnAssign) and not ast.unparse(each.annotation).startswith("ClassVar")
            ]
            made = [each for each in node.decorator_list if called(each) == "dataclass"]
            by_place = list(takewhile(lambda each: ast.unparse(each.annotation) != "KW_ONLY", fields))
            if len(by_place) > MANY and made:
                assert "kw_only=True" in ast.unparse(made[0]), f"{path}:{node.lineno}: {node.name} wants kw_only=True"
            if len(fields) > MANY and any(called(base) == "NamedTuple" for base in node.bases):
                assert node.name in ROWS_OF_A_QUERY, f"{path}:{node.lineno}: make {node.name} a dataclass with kw_only"
                rows.add(node.name)
    assert rows == ROWS_OF_A_QUERY


def test_functions_take_fewer_than_ten_arguments_by_place() -> None:
    for path in sources():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                by_place = len(node.args.posonlyargs) + len(node.args.args)
                assert by_place < 10, f"{path}:{node.lineno}: {node.name} takes {by_place}; put a * after the sixth"


def test_only_a_protocol_holds_an_answer_against_the_truth() -> None:
    """Everybody else reads `is_right`. The arithmetic over labels in core/scoring is the protocols' and of files."""
    for path in sources():
        if path.is_relative_to(ROOT / "protocols") or path.is_relative_to(ROOT / "core" / "scoring"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Compare) and "migrations" not in path.parts:
                said = ast.unparse(node)
                assert not ("predicted" in said and "answer" in said), f"{path}:{node.lineno}: {said}"


SUBJECT_OF_ONE = re.compile(r"treatment|(?<![a-z])jel(?![a-z])", re.IGNORECASE)
SHARED = (
    "runs/**/*.py",
    "core/runs/*.py",
    "core/analysis/*.py",
    "services/runs/**/*.py",
    "store/runs/*.py",
    "pages/runs/**/*.py",
    "pages/failures/*.py",
    "pages/results/*.py",
    "cli/study/run*.py",
    "protocols/*.py",
    "prompts/loader.py",
)


def test_what_every_benchmark_shares_names_no_subject_of_one() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for pattern in SHARED
        for path in ROOT.glob(pattern)
        # Scripted models read the prompts of benchmarks.
        if path.parent != ROOT / "runs" / "scripted" and SUBJECT_OF_ONE.search(path.read_text(encoding="utf-8"))
    }
    assert sorted(found) == [], "this is the subject of one benchmark: it belongs into protocols/<name>/"


RUN_CODE = ("services/runs", "runs", "pages/runs", "pages/results", "pages/failures", "cli/study", "components")
"""Folders that every benchmark shares."""
SUBJECT_PACKAGES = {
    "benchmarks/": {"econcausal_pipeline", "recite"},
    "cli/files/": {"recite"},
    "pages/exchange/": {"recite"},
    "pages/graphs/": {"causalgraph2llm"},
    "pages/triplets/": {"econcausal_pipeline"},
    "protocols/lee_pipeline/": {"econcausal_pipeline", "lee"},
    "runs/scripted/": {"econcausal_pipeline", "recite"},
    "services/extraction/": {"econcausal_pipeline", "lee_pipeline"},
    "services/texts/": {"recite_texts"},
    "services/transcription/": {"figures"},
    "services/verdicts/": {"recite"},
}
"""Packages about the subject of a benchmark, which may import it: package -> packages below `protocols`."""
PACKAGES = {type(each).__module__.split(".")[1]: each for each in PROTOCOLS.values()}
NAMES = {name for each in PROTOCOLS.values() for name in (each.name, each.short_title)}
NAMED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(NAMES, key=len, reverse=True)))})(?![\w-])")
# `figures` is an ordinary word, and not what its protocol is called.
WHOLE_STRINGS = {package for package, each in PACKAGES.items() if package.replace("_", "-") == each.name}


def benchmarks_imported(path: Path) -> set[str]:
    """Benchmarks of which a file imports the package of any layer, also inside functions and as `import_module`'s."""
    modules = set[str]()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            modules.add(node.value)
    parts = (module.split(".") for module in modules if "protocols." in module)
    return {
        package for each in parts for before, package in pairwise(each) if before == "protocols" and package in PACKAGES
    }


def benchmarks_named(path: Path) -> set[str]:
    """Names of benchmarks in the strings of a file but its docstrings."""
    docstrings = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    strings = (
        node.value
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    )
    return {word for text in strings for word in (*NAMED.findall(text), *({text} & WHOLE_STRINGS))}


def test_shared_run_code_names_no_benchmark() -> None:
    files = [path for folder in RUN_CODE for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {path.relative_to(ROOT).as_posix() for path in files if benchmarks_imported(path) or benchmarks_named(path)}
    naming = {name for name in found if not name.startswith(tuple(SUBJECT_PACKAGES))}
    assert sorted(naming) == [], "what is of one benchmark belongs into its packages"


def test_a_benchmark_is_imported_by_its_packages_and_those_of_its_subject_only() -> None:
    used = dict[str, set[str]]()
    for path in [*sources(), *sorted((ROOT / "benchmarks").rglob("*.py"))]:
        name = path.relative_to(ROOT).as_posix()
        subject = next((each for each in SUBJECT_PACKAGES if name.startswith(each)), "")
        found = benchmarks_imported(path) - {part for part in path.parts if "protocols" in path.parts}
        if found and subject:
            used.setdefault(subject, set()).update(found)
        assert subject or not found, f"{name} imports {sorted(found)}; listed are {SUBJECT_PACKAGES}"
    assert used == SUBJECT_PACKAGES


def test_few_tests_compare_sentences_only() -> None:
    """A reworded message must not fail tests of behaviour; `python -m tests.sentences` lists these."""
    only = [f"{test.path.name}:{test.line}" for test in sentences.sentence_tests() if test.is_only_sentences]
    assert len(only) <= 40, only
