"""How components' scripts reach a browser."""

from __future__ import annotations

import posixpath
import re

import pytest

from components import sources
from components.sources import SCRIPTS, content_of, script


def folder() -> str:
    found = re.search(r"/script/([0-9a-f]{16})`", script("transcription/desk.js"))
    assert found is not None
    return found[1]


def test_what_streamlit_sends_at_each_change_is_a_short_loader() -> None:
    loader = script("transcription/desk.js")
    assert "/transcription/desk.js`" in loader
    assert len(loader) < 1_800, "this is what goes over the connection with every change of a component's data"


def test_a_loader_asks_at_once_for_every_module_that_is_needed_and_for_no_other() -> None:
    named = re.search(r'of "([^"]+)"', script("transcription/desk.js"))
    assert named is not None
    asked = {f"{name}.js" for name in named[1].split()}
    imported = {"transcription/desk.js"}
    for name in asked:
        code = re.sub(r"/\*\*.*?\*/|//[^\n]*", "", SCRIPTS[name].decode(), flags=re.DOTALL)
        for path in re.findall(r'^(?!.* import\().*"((?:\.{1,2}/)+[\w/]+\.js)"', code, re.MULTILINE):
            imported.add(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)))
    assert asked == imported
    assert "desk/dom.js" in asked and "triplets/desk.js" not in asked


def test_a_library_that_is_imported_as_its_module_loads_is_asked_for_as_well() -> None:
    from components.graph import view  # noqa: F401

    assert {"graph/picture.js", "graph/vis_network.js"} <= sources.needed_by("graph/view.js")


def test_a_script_is_found_in_this_versions_folder_and_in_that_of_a_further_try() -> None:
    assert content_of(folder(), "transcription/desk.js") == SCRIPTS["transcription/desk.js"]
    assert content_of(f"{folder()}-7", "desk/posting/outbox.js") == SCRIPTS["desk/posting/outbox.js"]


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
