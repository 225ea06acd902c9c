"""Bringing graphs in and taking them out again in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.lists import pick

# Lines 4, 5 and 6 are faulty: a sign that is none, no source, two fields.
GERMAN = (
    "Von;Nach;Vorzeichen;Bemerkung\nKäufer;Preis;+;\nPreis;Nachfrage;-;gezählt\nWärme;Käufer;seitwärts;\n"
    ";Preis;+;\nPreis;Öl\nÖl;Wärme;+;\n"
)
GOOD_ROWS = "source,sink,sign,delay,flag,note\nKäufer,Preis,+,,,\nPreis,Nachfrage,-,,,gezählt\nÖl,Wärme,+,,,\n"
HOSTILE = "<img src=x onerror='window.hacked=1'>"
IMPORTED = """
from exchange.graphs import GraphForm, write_graph
from services.graphs import importing
from store.graphs import graphs
lines = [line for line in importing.imported_graphs(terminal) if line.title == given["title"]]
with study.store.reading() as session:
    print(json.dumps([write_graph(graphs.read_graph(session, line.id).graph(), GraphForm.CSV).decode()
                      for line in lines]))
"""

Open = Callable[..., Page]
Settled = Callable[[Page], None]


def imported(server: Any, title: str) -> list[str]:
    """The graphs of this title as our CSV."""
    found: list[str] = json.loads(server.seed(IMPORTED, title=title))
    return found


def test_a_table_in_german_and_windows_1252_is_asked_about_and_its_good_rows_come_back_equal(
    page_as: Open, server: Any, settled: Settled, tmp_path: Path
) -> None:
    table = tmp_path / "markt.csv"
    table.write_bytes(GERMAN.encode("cp1252"))
    page = page_as("researcher", "/exchange")
    page.locator("input[type=file]").set_input_files(table)
    expect(page.get_by_text("markt.csv cannot be read yet")).to_be_visible()
    expect(page.get_by_text("Käufer;Preis;+;", exact=False).first).to_be_visible()
    page.get_by_text("Western Europe (Windows-1252, Latin-1)").click()
    expect(page.get_by_text("needs the columns source and sink", exact=False)).to_be_visible()
    pick(page, page.get_by_label("Sign", exact=True).last, "Vorzeichen")
    pick(page, page.get_by_label("Note", exact=True).last, "Bemerkung")
    page.get_by_role("button", name="Apply columns").click()
    expect(page.get_by_text("5 nodes, 3 edges, 3 signed, 3 faulty rows", exact=False)).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download faulty rows").click()
    lines = Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ["markt.csv", "4", "sign"],
        ["markt.csv", "5", "source"],
        ["markt.csv", "6", ""],
    ]
    settled(page)
    page.get_by_role("button", name="Import 1 graph").click()
    expect(page.get_by_text("1 graph imported")).to_be_visible()
    assert "import=" in page.url
    page.reload()
    settled(page)
    expect(page.get_by_text("markt · 5 nodes, 3 edges")).to_be_visible()
    assert imported(server, "markt") == [GOOD_ROWS]


def test_pasted_text_outlives_a_refresh_and_strangers_text_stays_text_also_on_a_phone(
    page_as: Open, server: Any, settled: Settled
) -> None:
    page = page_as("owner", "/exchange", width=390, height=844, color_scheme="dark")
    field = page.get_by_label("Or paste", exact=False)
    field.fill(f'"{HOSTILE}" -> Harvest\nno arrow {HOSTILE}')
    field.press("Control+Enter")
    expect(page.get_by_text("2 nodes, 1 edge", exact=False).first).to_be_visible()
    page.reload()
    settled(page)
    expect(field).to_have_value(f'"{HOSTILE}" -> Harvest\nno arrow {HOSTILE}')
    title = page.get_by_label("Title")
    title.fill(HOSTILE)
    title.press("Enter")
    settled(page)
    button = page.get_by_role("button", name="Import 1 graph")
    button.focus()
    button.press("Enter")
    expect(page.get_by_text("1 graph imported")).to_be_visible()
    expect(page.get_by_text(f"{HOSTILE} · 2 nodes, 1 edge")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert len(imported(server, HOSTILE)) == 1
