"""What is installed is what was locked, byte for byte: packages have hashes, and every way to install asks for them."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.parsed import no_garbage, walked
from tests.test_house import sources

__all__ = ["no_garbage"]  # a fixture of this module

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.txt", "requirements-dev.txt")
PINNED = re.compile(r"([a-z0-9][a-z0-9._-]*)==([^\s;]+)( ;[^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)")


def locked(name: str) -> dict[str, str]:
    """Package → version. Every line must belong to a package with its hashes; no address, option or comment."""
    content = (ROOT / name).read_text(encoding="utf-8")
    found = [match for match in map(PINNED.fullmatch, re.split(r"\n(?=\S)", content.strip("\n"))) if match]
    assert sum(match[0].count("\n") + 1 for match in found) == content.count("\n")
    return {match[1]: match[2] for match in found}


def named(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return dict(re.sub(r"\[.*?\]", "", line).split("==") for line in lines if "==" in line)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_its_hashes(lock: str) -> None:
    assert len(locked(lock)) > 100


def test_the_locks_hold_what_is_named_and_agree() -> None:
    program, tests = locked("requirements.txt"), locked("requirements-dev.txt")
    assert named("requirements.in").items() <= program.items() <= tests.items()
    assert named("requirements-dev.in").items() <= tests.items()


WITHOUT_IMPORT = {"python-multipart", "pymupdf4llm"}
"""Starlette reads forms with the first; the second's module belongs to the package of pymupdf."""


def test_the_program_imports_what_it_names_and_nothing_else() -> None:
    packages = {module: names[0].lower().replace("_", "-") for module, names in packages_distributions().items()}
    product = [path for path in sources() if path.relative_to(ROOT).parts[0] not in ("tests", "benchmarks", "docs")]
    modules = {module for path in product for module in imports(path) if module not in sys.stdlib_module_names}
    ours = {path.stem for path in ROOT.glob("*.py")} | {path.parent.name for path in ROOT.glob("*/__init__.py")}
    imported = {packages[module] for module in modules - ours}
    assert imported == named("requirements.in").keys() - WITHOUT_IMPORT
    table = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("## Tests and checks")[0]
    first = " ".join(line.split("|")[1].casefold() for line in table.splitlines() if line.startswith("| "))
    assert {name for name in named("requirements.in") if name not in first} == set()


def imports(path: Path) -> set[str]:
    found = set()
    for node in walked(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_lock_of_node_packages_has_hashes_and_no_addresses() -> None:
    folder = ROOT / "tests" / "node"
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    named = json.loads((folder / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    own = packages.pop("")
    assert own["devDependencies"] == named == {name: packages[f"node_modules/{name}"]["version"] for name in named}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values())


# --- the Makefile's ways to install -------------------------------------------------------------------------------


def make(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # without the folder's line, which make adds when it is begun by another make
        ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("target", [".app", ".dev"])
def test_pip_and_uv_are_told_to_ask_for_hashes(tmp_path: Path, target: str) -> None:
    for uv in ("", "/usr/bin/uv"):
        said = make("-n", f"UV={uv}", f"VENV={tmp_path}", str(tmp_path / target)).stdout
        installs = re.findall(r"pip install .*", said)
        assert installs
        assert all("--require-hashes" in line for line in installs)


def test_the_lock_is_made_with_hashes_and_without_addresses(tmp_path: Path) -> None:
    *lines, npm = make("-n", "lock").stdout.replace("\\\n", "").splitlines()
    assert "--omit-lockfile-registry-resolved" in npm
    assert [line.split()[-1] for line in lines] == list(LOCKS)
    assert all("--generate-hashes" in line and "--no-emit-index-url" in line for line in lines)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A package of one file, where pip looks instead of the registry."""
    path = tmp_path / "packages" / "tiny-1.0-py3-none-any.whl"
    path.parent.mkdir()
    info = {
        "METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files = {"tiny.py": "", **{f"tiny-1.0.dist-info/{name}": text for name, text in info.items()}}
    records = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        records += f"{name},sha256={digest},{len(text)}\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, "tiny-1.0.dist-info/RECORD": records}.items():
            archive.writestr(name, text)
    return path


def installed(wheel: Path, requirement: str) -> subprocess.CompletedProcess[str]:
    """`make` installs this requirement by pip as it installs ours, but into nothing: a dry run, and no registry."""
    place = wheel.parent.parent
    venv = place / "venv" / "bin"
    venv.mkdir(parents=True)
    for name, command in (("python", f'exec {sys.executable} "$@"'), ("pip", "exit 1")):
        (venv / name).write_text(f"#!/bin/sh\n{command}\n")
        (venv / name).chmod(0o755)
    (place / "requirements.txt").write_text(requirement + "\n")
    return make(
        "UV=",
        "VENV=venv",
        "venv/.app",
        cwd=place,
        PIP_CONFIG_FILE=os.devnull,
        PIP_DRY_RUN="1",
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(wheel.parent),
    )


@pytest.mark.parametrize("is_right", [True, False])
def test_only_what_the_lock_has_the_hash_of_is_installed(wheel: Path, is_right: bool) -> None:
    pytest.importorskip("pip", reason="an environment that uv made has no pip; uv refuses the same by its option")
    digest = hashlib.sha256(wheel.read_bytes() if is_right else b"of another file").hexdigest()
    done = installed(wheel, f"tiny==1.0 --hash=sha256:{digest}")
    assert (done.returncode == 0) == is_right, done.stdout + done.stderr
    assert ("DO NOT MATCH THE HASHES" in done.stderr) != is_right
    assert (wheel.parent.parent / "venv" / ".app").exists() == is_right
