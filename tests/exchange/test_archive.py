"""Zips of strangers: every trap refused by the member's name, sizes counted and not believed."""

from __future__ import annotations

import io
import stat
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.words import quoted
from exchange import archive
from exchange.archive import ArchiveMember, open_archive, stream_archive, write_archive


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.filename = name  # the constructor cuts at a NUL
            info.compress_type = method
            file.writestr(info, content)
    return buffer.getvalue()


def refusal(content: bytes, **options: int) -> str:
    with pytest.raises(UnreadableFile) as caught:
        open_archive(content, "graphs.zip", **options)
    return str(caught.value)


@given(st.dictionaries(st.text("abcü/ .", min_size=1, max_size=8).map(lambda name: f"m{name}"), st.binary(max_size=50)))
def test_members_are_read_back_in_their_order(members: dict[str, bytes]) -> None:
    kept = {
        name: content
        for name, content in members.items()
        if ".." not in name.split("/") and not name.endswith("/") and not content.startswith(b"PK\x03\x04")
    }
    packed = write_archive(kept.items())
    assert packed == write_archive(kept.items())
    assert open_archive(packed, "a.zip") == tuple(ArchiveMember(name, content) for name, content in kept.items())


def test_a_zip_written_in_pieces_is_the_same_zip() -> None:
    whole = b"abc" * 100_000
    pieces = [whole[:7], b"", whole[7:200_000], whole[200_000:]]
    file, again = io.BytesIO(), io.BytesIO()
    for written in (file, again):
        stream_archive(written, [("a.txt", iter(pieces)), ("b.txt", [b"b"])])
    assert file.getvalue() == again.getvalue()
    members = [("a.txt", whole), ("b.txt", b"b")]
    assert open_archive(file.getvalue(), "a.zip") == tuple(ArchiveMember(*each) for each in members)
    with zipfile.ZipFile(file) as now, zipfile.ZipFile(io.BytesIO(write_archive(members))) as then:
        for each, other in zip(now.infolist(), then.infolist(), strict=True):
            for about in ("date_time", "external_attr", "create_system", "compress_type", "flag_bits", "extra"):
                assert getattr(each, about) == getattr(other, about), (each.filename, about)


def test_a_member_may_get_longer_than_a_short_head_can_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1_000)
    file = io.BytesIO()
    stream_archive(file, [("large.txt", [b"a" * 900, b"b" * 900])])
    with zipfile.ZipFile(file) as archive:
        assert archive.read("large.txt") == b"a" * 900 + b"b" * 900


def test_folders_are_no_members_and_backslashes_part_folders() -> None:
    assert [m.name for m in open_archive(zipped(("one/", b""), ("one\\a.csv", b"x")), "a.zip")] == ["one/a.csv"]
    assert open_archive(zipped(), "empty.zip") == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../evil.csv", "with .."),
        ("a/../../evil.csv", "with .."),
        ("..\\evil.csv", "with .."),
        ("/etc/passwd", "absolute"),
        ("\\\\server\\x.csv", "absolute"),
        ("C:\\x.csv", "drive letter"),
        ("c:x.csv", "drive letter"),
        ("a\x1b.csv", "control character"),
        ("   ", "no name"),
    ],
)
def test_names_that_lead_elsewhere_are_refused_and_named(name: str, expected: str) -> None:
    message = refusal(zipped(("good.csv", b"x"), (name, b"x")))
    assert message.startswith(f"graphs.zip: the member {quoted(name)}")
    assert expected in message.removeprefix(f"graphs.zip: the member {quoted(name)}")


def test_a_member_there_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped(("a.csv", b"x"), ("a.csv", b"y"))
    message = refusal(content)
    assert "“a.csv”" in message
    assert "twice" in message


@pytest.mark.parametrize(("kind", "word"), [(stat.S_IFLNK, "link"), (stat.S_IFIFO, "device")])
def test_links_and_devices_are_refused(kind: int, word: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        info = zipfile.ZipInfo("shortcut")
        info.external_attr = (kind | 0o777) << 16
        file.writestr(info, "/etc/passwd")
    assert f"“shortcut” is a {word}" in refusal(buffer.getvalue())


def test_an_encrypted_member_is_refused() -> None:
    content = bytearray(zipped(("secret.csv", b"x")))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(mark) + place] |= 1
    assert "“secret.csv” is encrypted" in refusal(bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_the_ordinary_method_is_unpacked(method: int) -> None:
    assert f"compressed with method {method};" in refusal(zipped(("a.csv", b"x" * 99), method=method))


def test_a_zip_inside_is_refused_and_a_workbook_inside_is_not() -> None:
    inner = zipped(("a.csv", b"x"))
    assert "“inner.dat” is a ZIP inside the ZIP; unpack it" in refusal(zipped(("inner.dat", inner)))
    assert open_archive(zipped(("book.xlsx", inner)), "a.zip")[0].content == inner


def test_too_many_members_are_refused() -> None:
    many = [(f"{number}.csv", b"") for number in range(archive.MOST_MEMBERS + 1)]
    assert refusal(zipped(*many)) == "graphs.zip contains 2,001 members; the maximum is 2,000. Split it."
    assert len(open_archive(zipped(*many[1:]), "graphs.zip")) == 2_000


def test_sizes_are_counted_while_unpacking(monkeypatch: pytest.MonkeyPatch) -> None:
    content = zipped(("small.csv", b"x" * 600_000), ("big.csv", bytes(range(256)) * 4_000), method=zipfile.ZIP_STORED)
    assert len(open_archive(content, "graphs.zip")) == 2
    assert "“big.csv” takes the ZIP past" in refusal(content, allowance=1_600_000)
    monkeypatch.setattr(archive, "MOST_MEMBER_BYTES", 1024**2 - 30_000)
    assert "“big.csv” unpacks to more than 0 MB; pack less into it" in refusal(content)


def test_a_bomb_is_refused_by_its_ratio() -> None:
    bomb = zipped(("bomb.csv", bytes(30 * 1024**2)))
    assert len(bomb) < 40_000
    assert "“bomb.csv” unpacks to more than 100 times its size" in refusal(bomb)
    assert len(open_archive(zipped(("flat.csv", bytes(3 * 1024**2))), "a.zip")[0].content) == 3 * 1024**2


def test_a_size_told_wrong_is_not_believed() -> None:
    content = bytearray(zipped(("liar.csv", b"x" * 5_000)))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", content, content.find(mark) + place, 10)
    assert "“liar.csv” is damaged" in refusal(bytes(content))


def test_damaged_zips_are_refused() -> None:
    whole = zipped(("a.csv", b"hello, world" * 9))
    assert "graphs.zip is damaged: it cannot be opened as a ZIP" in refusal(whole[:-10])
    assert "graphs.zip is damaged" in refusal(b"PK\x03\x04 and nothing else")
    broken = bytearray(whole)
    broken[40] ^= 0xFF
    assert "“a.csv” is damaged" in refusal(bytes(broken))
