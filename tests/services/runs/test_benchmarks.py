"""The packages of benchmarks beside their protocols: each is of one, and is loaded at its first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pages.protocols
import services.protocols
from tests.everything import EVERYTHING

ROOT = Path(services.protocols.__file__).parents[2]


@pytest.mark.parametrize("layer", [services.protocols, pages.protocols])
def test_a_package_of_no_benchmark_is_refused_at_the_import(layer: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / "__init__.py").write_text("")
    code = compile(Path(str(layer.__file__)).read_text(encoding="utf-8"), str(layer.__file__), "exec")
    said = f"{layer.__name__}.stranger is of no benchmark: there is no PROTOCOL in protocols.stranger.benchmark"
    exec(code, {"__name__": layer.__name__, "__path__": layer.__path__})
    with pytest.raises(ValueError, match=said):
        exec(code, {"__name__": layer.__name__, "__path__": [*layer.__path__, str(tmp_path)]})


@pytest.mark.skipif(not EVERYTHING, reason="tests/web/test_starting.py")
def test_the_services_of_a_benchmark_are_loaded_when_they_are_first_asked_for() -> None:
    script = """
import sys
from services.runs.benchmarks import get_services
def loaded(): return sorted(name for name in sys.modules if name.startswith("services.protocols."))
before = loaded()
get_services("lee")
print(before, [name for name in loaded() if name.count(".") == 2])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] ['services.protocols.lee']"
