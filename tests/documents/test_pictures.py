"""Metadata of pictures: no fault in them makes a sound picture unreadable."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from core.errors import UnreadableDocument
from documents.limits import Limits
from documents.pictures import MOVING, NO_TEXT, UNTURNED, open_picture, picture_facts
from documents.reader import Reader
from tests.everything import EVERYTHING

SIZE = (60, 40)
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description tiff:Orientation="1"/></x:xmpmeta>'
MPF = b"MPF\0MM\0*" + struct.pack(">LHHHL4sHHLLL", 8, 2, 0xB000, 7, 4, b"0100", 0xB001, 4, 1, 2, 0)


def picture(mode: str = "RGB") -> Image.Image:
    """White with a red block in its upper left corner."""
    made = Image.new(mode, SIZE, "white")
    made.paste("red", (0, 0, 20, 10))
    return made


def exif(orientation: int = 1) -> bytes:
    made = Image.Exif()
    made[0x0112], made[0x010F], made[0x011A] = orientation, "Maker", 72.0
    made.get_ifd(0x8769)[0x829A] = 0.5
    made.get_ifd(0x8825)[2] = (1.0, 2.0, 3.0)
    return made.tobytes()


def profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def jpeg(*segments: tuple[int, bytes]) -> bytes:
    out = io.BytesIO()
    picture().save(out, "JPEG", quality=100)
    parts = [struct.pack(">BBH", 0xFF, marker, len(said) + 2) + said for marker, said in segments]
    return out.getvalue()[:2] + b"".join(parts) + out.getvalue()[2:]


def png(*chunks: tuple[bytes, bytes], mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    picture(mode).save(out, "PNG")
    parts = [
        struct.pack(">L", len(said)) + kind + said + struct.pack(">L", zlib.crc32(kind + said)) for kind, said in chunks
    ]
    return out.getvalue()[:33] + b"".join(parts) + out.getvalue()[33:]


def webp(said: bytes) -> bytes:
    out = io.BytesIO()
    picture().save(out, "WEBP", lossless=True, exif=said, xmp=XMP, icc_profile=profile())
    return out.getvalue()


UNWRITABLE = (
    b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<HHHLHHHHLLL", 2, 0x0112, 3, 1, 6, 0, 0x0102, 2, 5, 38, 0) + b"abcd\0"
)
"""Turned by a quarter; the bits of a sample are a text, which Pillow reads and cannot write again."""

BAD: dict[str, bytes] = {
    "EXIF that ends at once": jpeg((0xE1, b"Exif\0\0")),
    "EXIF that points behind its end": jpeg((0xE1, b"Exif\0\0MM\0*\xff\xff\xff\xff")),
    "EXIF of one byte behind its head": jpeg((0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0")),
    "EXIF that is cut": jpeg((0xE1, exif()[:40])),
    "a legible orientation beside text for a number": jpeg((0xE1, UNWRITABLE)),
    "no TIFF in EXIF": jpeg((0xE1, b"Exif\0\0what is this")),
    "JFIF that is cut": jpeg((0xE0, b"JFIF\0")),
    "a table of further pictures that is cut": jpeg((0xE2, MPF[:20])),
    "EXIF of a PNG": png((b"eXIf", b"MM\0*\0\0\0\x08\0")),
    "no TIFF in a PNG": png((b"eXIf", b"?")),
    "EXIF of ImageMagick without digits": png((b"tEXt", b"Raw profile type exif\0\nexif\n   4\nwhat\n")),
    "resolution that is cut": png((b"pHYs", b"\0")),
    "colours that are cut": png((b"cHRM", b"\0\0")),
    "a profile packed otherwise": png((b"iCCP", b"ICC\0\x07abc")),
    "a text that unpacks to 4 million characters": png((b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 4_000_000))),
    "an animation that is cut": png((b"acTL", b"\0\0")),
    "EXIF of a WebP": webp(b"Exif\0\0II*\0\x08\0\0\0\x05"),
    "no TIFF in a WebP": webp(b"EXIF"),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_bad_metadata_leave_a_picture_as_it_is_stored(content: bytes) -> None:
    found = open_picture(content, Limits())
    assert_as_stored(found)


def test_an_unread_orientation_is_told(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "bad.png"
    path.write_bytes(png((b"eXIf", b"what is this"), mode="RGBA"))
    facts = reader.inspect(path.read_bytes(), path.name)
    assert facts.notices == (NO_TEXT, UNTURNED)
    shown = Image.open(reader.page_image(path, sha256(path.read_bytes()).hexdigest(), 1))
    assert_as_stored(shown)
    assert picture_facts(open_picture(jpeg((0xE1, exif(6))), Limits()))["notices"] == [NO_TEXT]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_sound_metadata_turn_a_picture(orientation: int) -> None:
    red = {1: "left top", 2: "right top", 3: "right bottom", 4: "left bottom"}
    red |= {5: "left top", 6: "right top", 7: "right bottom", 8: "left bottom"}
    for content in (jpeg((0xE1, exif(orientation))), png((b"eXIf", exif(orientation)[6:])), webp(exif(orientation))):
        found = open_picture(content, Limits())
        assert found.size == (SIZE if orientation < 5 else SIZE[::-1])
        across, down = red[orientation].split()
        place = (2 if across == "left" else found.width - 3, 2 if down == "top" else found.height - 3)
        assert found.getpixel(place)[1] < 60


def test_a_picture_that_is_cut_stays_damaged() -> None:
    noise = io.BytesIO()
    Image.effect_noise((100, 100), 90).save(noise, "PNG")
    for content in (noise.getvalue()[:4_000], jpeg()[:300], webp(b"")[:60], b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe1"):
        with pytest.raises(UnreadableDocument, match="The picture is damaged") as refused:
            open_picture(content, Limits())
        assert refused.value.kind == "damaged picture"


def test_too_many_pixels_are_refused_whatever_the_metadata_say() -> None:
    with pytest.raises(UnreadableDocument, match="60 x 40 pixels") as refused:
        open_picture(png((b"pHYs", b"\0")), Limits(max_pixels=2_000))
    assert refused.value.kind == "too many pixels"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_mutated_metadata_never_make_a_sound_picture_unreadable() -> None:
    seeded = random.Random(1)
    for content in mutated(seeded, 20_000 if EVERYTHING else 500):
        found = open_picture(content, Limits())
        assert found.size in (SIZE, SIZE[::-1])


def mutated(seeded: random.Random, many: int) -> Iterator[bytes]:
    def mutate(said: bytes) -> bytes:
        made = bytearray(said[: seeded.randrange(len(said) + 1)] if seeded.random() < 0.2 else said)
        for _ in range(seeded.choice((1, 1, 2, 8))):
            place = seeded.randrange(len(made) + 1)
            with_length = struct.pack(">L", seeded.choice((0, 1, 2**31, 2**32 - 1)))
            made[place : place + seeded.randrange(4)] = seeded.choice(
                (bytes([seeded.randrange(256)]), b"", with_length)
            )
        return bytes(made[:60_000])

    segments = [
        (0xE1, exif()),
        (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP),
        (0xE2, b"ICC_PROFILE\0\1\1" + profile()),
        (0xE2, MPF),
        (0xED, b"Photoshop 3.0\x008BIM\x03\xed\0\0\0\0\0\x10" + bytes(16)),
        (0xE0, b"JFIF\0\1\1\1\0H\0H\0\0"),
        (0xFE, b"a comment"),
    ]
    chunks = [
        (b"eXIf", exif()[6:]),
        (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP),
        (b"iCCP", b"ICC\0\0" + zlib.compress(profile())),
        (b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 1_000)),
        (b"pHYs", struct.pack(">LLB", 2835, 2835, 1)),
        (b"cHRM", bytes(32)),
        (b"acTL", struct.pack(">LL", 1, 0)),
    ]
    for number in range(many):
        if number % 3 == 0:
            marker, said = seeded.choice(segments)
            yield jpeg((marker, mutate(said)))
        elif number % 3 == 1:
            kind, said = seeded.choice(chunks)
            yield png((kind, mutate(said)))
        else:
            yield webp(mutate(exif()))


def test_the_picture_of_a_public_report(shared_data: Path) -> None:
    path = shared_data / "faults" / "09-exif.jpg"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    found = open_picture(path.read_bytes(), Limits())
    assert picture_facts(found)["notices"] == [NO_TEXT, UNTURNED]


def assert_as_stored(found: Image.Image) -> None:
    """The block is where it was, and nothing else is red."""
    assert found.size == SIZE
    assert [found.getpixel(place)[1] < 60 for place in ((2, 2), (57, 2), (2, 37), (57, 37))] == [True] + 3 * [False]


def test_the_first_frame_of_an_animated_gif_is_read_and_a_still_one_has_no_notice() -> None:
    out, still = io.BytesIO(), io.BytesIO()
    picture().save(still, "GIF")
    picture().save(out, "GIF", save_all=True, append_images=[Image.new("RGB", SIZE, "blue")])
    moving = open_picture(out.getvalue(), Limits())
    assert moving.getpixel((5, 5)) == (255, 0, 0)
    assert moving.getpixel((50, 30)) == (255, 255, 255)
    assert picture_facts(moving)["notices"] == [NO_TEXT, MOVING]
    assert picture_facts(open_picture(still.getvalue(), Limits()))["notices"] == [NO_TEXT]
