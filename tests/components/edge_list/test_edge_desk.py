from __future__ import annotations

import re
from pathlib import Path

from components.edge_list.edge_desk import DESK_JS
from components.sources import joined

COMPONENTS = Path(__file__).resolve().parents[3] / "components"


def test_every_script_beside_the_desk_is_part_of_it() -> None:
    assert {f"edge_list/{path.name}" for path in (COMPONENTS / "edge_list").glob("*.js")} == set(DESK_JS)


def test_the_desk_writes_no_markup_and_asks_no_other_place() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|https?://", joined(*DESK_JS))
