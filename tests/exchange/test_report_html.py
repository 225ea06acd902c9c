"""A report as one page: hostile texts are texts, nothing is requested, and every chart has its words."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from exchange.report_html import ReportSection, ReportTable, report_html

HOSTILE = '<script>alert("1")</script><img src="http://example.org/a.png" onerror=\'x\'>&amp;'
REPORT = ReportSection(
    title=HOSTILE,
    sentences=[HOSTILE],
    sections=[
        ReportSection(
            title=HOSTILE,
            tables=[
                ReportTable(
                    title=HOSTILE,
                    headings=["Model", HOSTILE],
                    rows=[(HOSTILE, "1"), ("b", HOSTILE)],
                    notes=[HOSTILE],
                    chart="<svg></svg>",
                    alternative=HOSTILE,
                ),
                ReportTable(title="None", headings=["Model"], rows=[]),
            ],
            texts=[(HOSTILE, f"{HOSTILE}\n  second line")],
            sections=[ReportSection(title="Below")],
        ),
    ],
)


class Page(HTMLParser):
    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_hostile_names_and_prompts_are_texts() -> None:
    page = Page(report_html(REPORT))
    assert not {tag for tag, _ in page.tags} & {"script", "img", "iframe", "link", "object", "form"}
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    shown = [text for text in page.texts if text.strip() == HOSTILE]
    # browser title, h1, sentence, contents, section, table, heading, row, cell, note, summary
    assert len(shown) == 11


def test_a_text_keeps_its_lines() -> None:
    assert "\n  second line</pre>" in report_html(REPORT).decode()


def test_a_chart_has_its_words_and_a_table_without_one_has_none() -> None:
    drawn = [attributes for tag, attributes in Page(report_html(REPORT)).tags if attributes.get("class") == "chart"]
    assert [(each["role"], each["aria-label"]) for each in drawn] == [("img", HOSTILE)]


def test_every_entry_of_the_contents_leads_to_a_heading() -> None:
    page = Page(report_html(REPORT))
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    headings = [attributes["id"] for tag, attributes in page.tags if tag in ("h2", "h3") and "id" in attributes]
    assert links == [f"#{each}" for each in headings] == ["#part-1", "#part-1-1"]


def test_no_style_names_an_address_and_the_page_itself_forbids_requests() -> None:
    content = report_html(REPORT).decode()
    (style,) = re.findall(r"<style>(.*?)</style>", content, re.DOTALL)
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style
    assert "default-src 'none'" in unescape(content)


def test_a_lone_surrogate_is_written() -> None:
    assert b"a?b" in report_html(ReportSection(title="a\udcffb"))
