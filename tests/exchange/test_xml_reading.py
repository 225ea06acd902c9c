"""XML of strangers: every trap refused with its line, every encoding read, and writing that reading undoes."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, BadRow, UnreadableFile
from exchange import xml_reading
from exchange.xml_reading import (
    attribute,
    children,
    descendants,
    escaped_controls,
    find,
    line_of,
    local,
    parse_xml,
    prefix_notice,
    restored_controls,
    text_of,
    xml_bytes,
)

TEXTS = st.text(st.characters(exclude_characters="\x00\ufffe\uffff", exclude_categories=["Cs"]), max_size=12)


def refusal(content: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        parse_xml(content, "cld.graphml")
    return str(caught.value)


def test_every_element_knows_its_line() -> None:
    root = parse_xml(b'<?xml version="1.0"?>\n<graph>\n  <node\n id="a"/>\r\n<!-- x -->\n<edge/></graph>', "a.graphml")
    assert [line_of(element) for element in (root, *root)] == [2, 3, 6]
    assert line_of(Element("graph")) is None


def test_names_are_found_whatever_their_namespace() -> None:
    root = parse_xml(
        b'<a xmlns="http://x" xmlns:v="http://y"><b id="1"/><v:b v:id="2">text <i>inside</i></v:b><c><b/></c></a>', "f"
    )
    assert local(root.tag) == "a"
    assert [attribute(child, "id") for child in children(root, "b")] == ["1", "2"]
    assert len(list(children(root))) == 3
    assert len(list(descendants(root, "b"))) == 3
    found = find(root, "b")
    assert found is not None and attribute(found, "name") is None
    assert text_of(root) == "text inside"
    assert find(root, "d") is None


@pytest.mark.parametrize(
    ("content", "prefixes"),
    [
        (b"<a><v:b/></a>", "v"),
        (b"<a><b isee:c='1' isee:d='2'/><isee:e/></a>", "isee"),
        (b"<a xsi:schemaLocation='x y'><y:b><y:c z:d='1'/></y:b></a>", "xsi, y, z"),
        (b"<v:a/>", "v"),
        (b"<a><b xmlns:v='x'><v:c/></b><v:c/></a>", "v"),
        (b"<a xmlns:v='x'><v:b/><c xml:lang='en' v:d='1'/></a>", ""),
        (b"<a xmlns='x'><v:b xmlns:v='y' v:c='1'/></a>", ""),
    ],
)
def test_prefixes_that_are_not_declared_are_read_and_named(content: bytes, prefixes: str) -> None:
    notices = prefix_notice(parse_xml(content, "f"))
    assert len(notices) == (1 if prefixes else 0)
    assert all(notice.endswith(f": {prefixes}.") for notice in notices)


def test_declarations_are_no_attributes() -> None:
    root = parse_xml(b"<a xmlns='u' xmlns:x='v' x:y='1' z='2'/>", "f")
    assert (attribute(root, "x"), attribute(root, "y"), attribute(root, "z")) == (None, "1", "2")
    assert prefix_notice(Element("a")) == ()


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_marked_and_wide_encodings_are_read(codec: str) -> None:
    assert parse_xml("<a>\n<b>Größe 日本</b></a>".encode(codec), "a.graphml")[0].text == "Größe 日本"


@pytest.mark.parametrize("codec", ["latin-1", "windows-1252", "shift_jis", "gb18030", "UTF-8"])
def test_the_declared_encoding_is_read(codec: str) -> None:
    word = "日本" if codec in ("shift_jis", "gb18030") else "Größe"
    content = f'<?xml version="1.0" encoding="{codec}"?><a>{word}</a>'.encode(codec)
    assert parse_xml(content, "a.graphml").text == word


def test_bytes_that_say_utf_16_of_themselves_and_are_not_are_read() -> None:
    assert parse_xml('<?xml version="1.0" encoding="utf-16"?><a>ü</a>'.encode(), "a.graphml").text == "ü"


def test_a_wrong_encoding_is_refused_with_its_line() -> None:
    for content, line, words in (
        ("<a>\n<b>ü</b></a>".encode("latin-1"), 2, "not UTF-8"),
        ('<?xml version="1.0" encoding="ascii"?>\n<a>\nü</a>'.encode(), 3, "not ascii"),
    ):
        with pytest.raises(BadRow, match=words) as caught:
            parse_xml(content, "cld.graphml")
        assert caught.value.line == line


@pytest.mark.parametrize("name", ["klingon", "hex", "punycode", "utf-7", "rot13"])
def test_an_encoding_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadRow, match="UTF-8") as caught:
        parse_xml(f'<?xml version="1.0" encoding="{name}"?><a/>'.encode(), "cld.graphml")
    assert (caught.value.line, caught.value.field, caught.value.value) == (1, "encoding", name)


def test_an_empty_file_is_refused() -> None:
    for content in (b"", b" \r\n", b"\xef\xbb\xbf"):
        with pytest.raises(UnreadableFile, match="empty"):
            parse_xml(content, "cld.graphml")


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html>\n<html><p>Sign in</html>",
        "<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>",
        "\n<html lang='en'><br>",
        "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://x'><html/>",
        "<!-- saved --><html xmlns='http://www.w3.org/1999/xhtml'/>",
    ],
)
def test_a_web_page_is_refused(page: str) -> None:
    with pytest.raises(UnreadableFile, match="web page"):
        parse_xml(page.encode(), "cld.graphml")


def test_other_kinds_of_file_are_named() -> None:
    assert "is a PDF" in refusal(b"%PDF-1.7 ...")
    assert "syntax" not in refusal(b"A -> B") and "begins with <" in refusal(b"A -> B")


BILLION_LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n<!ENTITY lol "lol">\n'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1 if n > 1 else str()};" * 10}">\n' for n in range(1, 10))
    + "]>\n<lolz>&lol9;</lolz>"
)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (BILLION_LAUGHS, 2),
        ('<!DOCTYPE lolz [<!ENTITY a "' + "x" * 50_000 + '">]><lolz>' + "&a;" * 50_000 + "</lolz>", 1),
        ('<!DOCTYPE lolz [<!ENTITY file SYSTEM "file:///etc/passwd">]><lolz>&file;</lolz>', 1),
        ('\n<!DOCTYPE lolz [<!ENTITY % far SYSTEM "http://127.0.0.1/x.dtd"> %far;]><lolz/>', 2),
        ('<!DOCTYPE lolz SYSTEM "http://127.0.0.1/x.dtd"><lolz/>', 1),
        ("<!DOCTYPE lolz>\n<lolz/>", 1),
    ],
    ids=["billion laughs", "quadratic blow-up", "external entity", "parameter entity", "external dtd", "bare doctype"],
)
def test_document_types_and_entities_are_refused(content: str, line: int) -> None:
    with pytest.raises(BadRow, match="DOCTYPE") as caught:
        parse_xml(content.encode(), "cld.graphml")
    assert (caught.value.line, caught.value.value) == (line, "lolz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<a>\n<b>x", "line 2, column 5; not well-formed XML: the file ends before <b> of line 2 is closed"),
        ("<a>\n<b x='", "the file ends before <a> of line 1 is closed; it is cut short"),
        ("<a>\n<b>\n</a>", "line 3, column 3; not well-formed XML: a closing tag that does not match; <b> of line 2"),
        ("<a>R&D</a>", "line 1, column 7; not well-formed XML: broken markup; in text and values, & is written &amp;"),
        ("<a>&nbsp;</a>", "an entity that XML does not know (such as &nbsp;)"),
        ("<a/><b/>", "line 1, column 5; not well-formed XML: something follows the end of the document"),
        ("<a x='1' x='2'/>", "an attribute is listed twice in one element"),
        ("<v:a><b>", "line 1, column 9; not well-formed XML: the file ends before <b> of line 1 is closed"),
        ("\n<?xml version='1.0'?><a/>", "the <?xml …?> line must be the very first thing in the file"),
        ("<a>&#0;</a>", "a character that XML does not allow; remove it"),
        ("<!-- nothing -->", "the file contains no element"),
    ],
)
def test_broken_markup_is_refused_with_line_column_and_reason(content: str, message: str) -> None:
    assert message in refusal(content.encode())


def test_size_depth_and_number_of_elements_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(b"<a>\n" * 100) == "cld.graphml, line 65; elements are nested deeper than 64"
    assert parse_xml(b"<a>" * 64 + b"</a>" * 64, "f").tag == "a"
    monkeypatch.setattr(xml_reading, "MOST_ELEMENTS", 10)
    assert refusal(b"<a>" + b"<b/>\n" * 10 + b"</a>") == "cld.graphml, line 10; more than 10 elements; split the file"
    monkeypatch.setattr(xml_reading, "MOST_BYTES", 2_000_000)
    assert refusal(b" " * 3_000_000) == "cld.graphml has 3 MB; XML is read up to 2 MB."


@given(TEXTS, TEXTS, TEXTS)
def test_what_is_written_is_read_back_exactly(value: str, text: str, tail: str) -> None:
    root = Element("root", {"value": escaped_controls(value)})
    SubElement(root, "leaf").text = escaped_controls(text)
    SubElement(SubElement(root, "mixed"), "inner").tail = escaped_controls(tail)
    read = parse_xml(xml_bytes(root), "f")
    assert restored_controls(read.attrib["value"]) == value
    assert restored_controls(read[0].text or "") == text
    assert restored_controls((read[1][0].tail or "") if tail.strip() else tail) == tail
    assert xml_bytes(root) == xml_bytes(read)


@given(st.text(st.sampled_from("_x0Cc5FfDdEe\x0c\x00\ud800\uffffa"), max_size=20))
def test_control_characters_are_escaped_and_restored(text: str) -> None:
    assert restored_controls(escaped_controls(text)) == text
    xml_bytes(Element("note", {"value": escaped_controls(text)}))


def test_an_escape_of_another_program_is_left_unless_xml_needs_it() -> None:
    assert restored_controls("_x0041_ and _x005F_ and page_x000C_2") == "_x0041_ and _x005F_ and page\x0c2"


def test_a_character_xml_cannot_hold_is_refused_with_its_place() -> None:
    with pytest.raises(BadInput, match=r"U\+0001 .*<note>, character 3 "):
        xml_bytes(Element("note", {"value": "ab\x01"}))


def test_the_writing_is_as_expected() -> None:
    root = Element("a", {"x": 'R&D "<b>"\n'})
    SubElement(root, "b").text = "1\r\n2"
    SubElement(root, "viz:c")
    assert xml_bytes(root).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<a x="R&amp;D &quot;&lt;b&gt;&quot;&#10;">\n  <b>1&#13;\n2</b>\n  <viz:c/>\n</a>\n'
    )


def test_errors_are_rows_with_their_file_and_line() -> None:
    with pytest.raises(BadRow) as caught:
        parse_xml(b"<a>\n</b>", "cld.graphml")
    assert (caught.value.file, caught.value.line, caught.value.field) == ("cld.graphml", 2, "column 3")
