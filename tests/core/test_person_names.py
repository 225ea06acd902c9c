"""People's names: which are kept and how, which are refused in which words, and which are taken for one another."""

from __future__ import annotations

import unicodedata

import pytest

from core.errors import InvalidName
from core.person_names import LONGEST_TYPED, TakenNames, clean_person_name, meant

REAL = (
    "Ágnes",
    "Łukasz Żółć",
    "Nguyễn Thị Minh Khai",
    "李雷",
    "山田 太郎",
    "やまだ タロウ",
    "佐々木ひろみ",
    "ヴィクトル・ユーゴー",
    "김철수",
    "金철수",
    "ㄅㄆ李",
    "𠮷野家",
    "Иван Петров",
    "Ελένη Παπαδοπούλου",
    "محمد",
    "נועה",
    "שָׂרָה",
    "अनिता कुमारी",
    "ক্ষমা",
    "สมชาย ใจดี",
    "ნინო",
    "Արմեն",
    "አበበ",
    "O'Brien",
    "D’Angelo",
    "Jean-Luc",
    "Mary-Jane O’Neil III",
    "Zoë",
    "Nuñez",
    "İpek",
    "Işıl",
    "Strauß",
    "Ṣàngó",
    "Kaʻahumanu",
    "Þór",
    "Ø",
    "Anne & Bob",
    "Иван Smith",
    "annotator 2",
    "R2-D2",
    "Owner",
    "You Li",
    "Someone Else",
    "Model T",
    "Workers",
    "Al",
    "AI",
    "A. Li",
    "A 1b",
    "Anna 1",
    "B1",
    "Youssef (Joe)",
    "Terminal Smith",
    "Xi Wong-You",
    "J. R. R. Tolkien",
    "Ana María",
    "François",
    "Søren Kierkegård",
    "Čapek",
    "Őrsi Ödön",
    "Đặng Văn",
    "Jürgen (Bonn)",
    "Mac Cárthaigh",
    "Sinéad O’Connor",
    "van der Berg",
    "d'Angoulême",
    "Анна-Мария",
    "Ђорђе",
    "Їжакевич",
    "Ёлкин",
    "Гүлнар",
    "Γιώργος",
    "דָּוִד בֶּן־גּוּרִיּוֹן",
    "בן-דוד",
    "משה כהן 2",
    "فاطمة الزهراء",
    "محمد ٢",
    "عبد الرحمن",
    "پریسا",
    "ژاله",
    "אנה Smith",
    "王小明",
    "欧阳修",
    "高橋 はなこ",
    "スズキ・イチロー",
    "이 순신",
    "प्रिया शर्मा",
    "श्रीकृष्ण",
    "অনিক চৌধুরী",
    "ਗੁਰਪ੍ਰੀਤ",
    "ગાંધી",
    "தமிழ்ச்செல்வி",
    "లక్ష్మి",
    "ಲಕ್ಷ್ಮಿ",
    "മോഹൻലാൽ",
    "ශර්මා",
    "ဒေါ်အောင်ဆန်းစုကြည်",
    "សុខ គង្គា",
    "ນາງ ແກ້ວ",
    "བསྟན་འཛིན",
    "ᏣᎳᎩ",
    "ⵜⴰⵎⴰⵣⵉⵖⵜ",
    "Nǃxau",
    "Ngũgĩ",
    "Ọlá",
)


@pytest.mark.parametrize("name", REAL)
def test_a_real_name_is_kept_as_it_is(name: str) -> None:
    assert clean_person_name(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ann \u00a0\u3000 Lee\n", "Ann Lee"),
        ("Zoe\u0308 Nun\u0303ez", "Zoë Nuñez"),
        ("Ａｎｎ Ｌｅｅ", "Ann Lee"),
        ("ﬁona", "fiona"),
        ("D´Angelo", "D'Angelo"),
        ("ﾀﾛｳ", "タロウ"),
    ],
)
def test_a_name_is_kept_in_one_form_of_unicode(typed: str, kept: str) -> None:
    assert clean_person_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "no letter and no digit"),
        (" … – ", "no letter and no digit"),
        ("x" * 81, "has 81 characters; a person's name may have at most 80"),
        ("be\u200brt", r"cannot be seen \(U\+200B, zero width space\) after “be”\. Type the name again without it"),
        ("bert\u200d", r"U\+200D, zero width joiner\) after “bert”"),
        ("می\u200cنا", r"U\+200C, zero width non-joiner\).*a space may replace it"),
        ("be\u00adrt", r"U\+00AD, soft hyphen"),
        ("be\u034frt", r"U\+034F, combining grapheme joiner"),
        ("\ufeffbert", r"U\+FEFF.* at its start"),
        ("be\u202ert", r"U\+202E, right-to-left override"),
        ("bert\ufe0f", r"U\+FE0F, variation selector-16"),
        ("be\u3164rt", r"U\+1160, hangul jungseong filler"),
        ("be\u2800rt", r"U\+2800, braille pattern blank"),
        ("be\x00rt", r"U\+0000, control character"),
        ("bert\ue000", r"unknown character \(U\+E000\) after “bert”"),
        ("bert\udcff", r"unknown character \(U\+DCFF\)"),
        ("\u0301bert", r"accent \(U\+0301\) without a letter"),
        ("be\u0301\u0301rt", r"same accent \(U\+0301\) twice on “e”"),
        ("bi\u0307ll", r"dot \(U\+0307\) on “i”, which has one"),
        ("q" + "\u0300\u0301\u0302\u0303\u0304", "more than 4 accents on “q”"),
        ("bеrt", r"The word “bеrt” mixes Latin and Cyrillic letters: “е” \(U\+0435\) is Cyrillic\. Write each word"),
        ("Αlpha", "mixes Latin and Greek letters"),
        ("Anna-Мария", "mixes Cyrillic and Latin letters"),
        ("李Lei", "mixes Latin and Han letters"),
        ("김ひ", "mixes"),
        ("you", "reads as “you”, which screens put in place of a name"),
        ("YОU".replace("О", "0"), "reads as “you”"),
        ("The Terminal", "reads as “terminal”"),
        ("terrninal", "reads as “terminal”"),
        ("Worker", "reads as “worker”"),
        ("Someone", "reads as “someone”"),
        ("уои", None),  # Cyrillic for another word, of one script: nothing is wrong with it
        ("o\u0338scar", r"mark \(U\+0338\) that is drawn through or around “o”"),
        ("be\u0334rt", "drawn through or around"),
        ("be\u0335rt", "drawn through"),
        ("be\u0336rt", "drawn through"),
        ("be\u0337rt", "drawn through"),
        ("b\u20ddert", "drawn through or around"),
        ("be\u20d2rt", "drawn through"),
        ("bert\U00013441", r"U\+13441"),
        ("bert\U00013442", r"U\+13442"),
        ("bert\u115f", "cannot be seen"),
        ("bert\uffa0", "cannot be seen"),
        ("bert\u303f", "cannot be seen"),
        ("bert\U0001d159", "cannot be seen"),
        ("bert\U0001107f", "cannot be seen"),
        ("bert\U00016fe4", "cannot be seen"),
        ("bert\u180b", "cannot be seen"),
        ("bert\u17d2", "is invisible unless a letter follows it"),
        ("ក\u17d2 ក", "is invisible"),
        ("You.", "reads as “you”"),
        ("“you”", "reads as “you”"),
        ("You (owner)", "reads as “you”"),
        ("Bert (you)", "reads as “you”"),
        ("you, the owner", "reads as “you”"),
        ("y o u", "reads as “you”"),
        ("worker 1", "reads as “worker”"),
        ("the worker.", "reads as “worker”"),
        ("Worker-2", "reads as “worker”"),
        ("worker ٢", "reads as “worker”"),
        ("[terminal]", "reads as “terminal”"),
        ("The Terminal 3", "reads as “terminal”"),
        ("some-one", "reads as “someone”"),
        ("model:x", "reads as “model:…”"),
        ("“model:x”", "reads as “model:…”"),
        ("m o d e l : x", "reads as “model:…”"),
        ("model∶x", "reads as “model:…”"),
        ("the model: x", "reads as"),
        ("A1", "reads as “A1”"),
        ("a 12", "reads as “A12”"),
        ("A-3", "reads as “A3”"),
        ("(A4)", "reads as “A4”"),
        ("А5", "reads as “A5”"),
        ("Α６", "reads as “A6”"),
        ("A٣", "mixes Arabic and Latin"),
        ("A2 (2)", "reads as “A22”"),
        ("Bert (A2)", "reads as “A2”"),
        ("model:gpt", "reads as “model:…”"),
        ("Model : gpt", "reads as “model:…”"),
        ("rnodel：gpt", "reads as “model:…”"),
        ("M0DEL:GPT", "reads as “model:…”"),
    ],
)
def test_a_name_that_could_mislead_is_refused_in_words(typed: str, said: str | None) -> None:
    if said is None:
        assert clean_person_name(typed) == typed
        return
    with pytest.raises(InvalidName, match=said):
        clean_person_name(typed)


@pytest.mark.parametrize("typed", ["a\u2028b", "ก\u0e33", "ﷺ" * 4, "e\u0301" * 80, "ｱ" * 80, "İ", "ς"])
def test_what_is_kept_is_kept_again_unchanged(typed: str) -> None:
    kept = clean_person_name(typed)
    assert clean_person_name(kept) == kept == unicodedata.normalize("NFKC", kept)


# --- one name, or two ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "typed"), [("Ágnes", "ágnes"), ("Ágnes", "A\u0301GNES"), ("Иван", "ИВАН"), ("Ann Lee", "ann  lee")]
)
def test_names_that_differ_in_case_or_form_are_one(there: str, typed: str) -> None:
    assert TakenNames([there]).same(typed) == there


@pytest.mark.parametrize(
    ("there", "typed"),
    [
        ("Ágnes", "Agnes"),
        ("Zoë", "Zoe"),
        ("Ian", "Lan"),
        ("Lisa", "Iisa"),
        ("Neil", "Nell"),
        ("Strauß", "Strauss"),
        ("משה כהן", "כהן משה"),
        ("נועה 1", "נועה 2"),
        ("נועה 12", "נועה 21"),
        ("נועה Li", "נועה Lo"),
        ("שָׂרָה", "שרה"),
        ("Person 1", "Person 11"),
        ("1 Ann", "Ann 1"),
        ("山田", "山口"),
        ("İpek", "Ipek"),
    ],
)
def test_names_that_differ_to_the_eye_are_two(there: str, typed: str) -> None:
    assert TakenNames([there]).alike(typed) is None
    assert TakenNames([typed]).alike(there) is None


@pytest.mark.parametrize(
    ("there", "typed"),
    [
        ("Bem", "Bern"),
        ("BERN", "bem"),
        ("Al", "AI"),
        ("Ian", "lan"),
        ("annotator 1", "annotator l"),
        ("Bob", "B0B"),
        ("Оса", "Oca"),
        ("D’Angelo", "D'Angelo"),
        ("Jean\u2010Luc", "Jean-Luc"),
        ("محمد", "محـمد"),
        ("1 א", "א 1"),
        ("א1", "1א"),
        ("נועה Li", "Li נועה"),
        ("محمد 12", "12 محمد"),
        ("(א", "א)"),
        ("א. 1", "1 .א"),
        ("bеrt", "bert"),
        ("be\u200brt", "bert"),
        ("Bert\ufe0f", "bert"),  # as studies may hold from before
    ],
)
def test_names_that_look_alike_are_told(there: str, typed: str) -> None:
    assert TakenNames(["Somebody else", there]).same(typed) is None
    assert TakenNames(["Somebody else", there]).alike(typed) == there


# --- which one is meant ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (" BERT ", 0),
        ("Ｂｅｒｔ", 0),
        ("Zoe\u0308", 1),
        ("D'Angelo", 2),
        ("bеrt", 3),
        ("be\u200brt", 4),
        ("be\u00adrt", 0),  # nobody's exactly: whoever looks so, the first of them
        ("Berta", None),
        ("b" * (LONGEST_TYPED + 1), None),
        ("", None),
    ],
)
def test_a_typed_name_means_the_closest_one(typed: str, found: int | None) -> None:
    assert meant(typed, ["bert", "Zoë", "D’Angelo", "bеrt", "be\u200brt"]) == found


def test_a_name_is_measured_before_its_characters_are_looked_at() -> None:
    """Of 15 kB, each refused character was said with all that stands before it: the work grew with its square."""
    with pytest.raises(InvalidName, match="34,001 characters"):
        clean_person_name("a" * 34_000 + "\u200b")
