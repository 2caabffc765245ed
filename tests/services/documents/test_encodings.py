"""Text is read in whatever it was saved."""

import pytest

from services.documents.encodings import decoded, encoding_in_html, is_binary, is_unicode
from services.documents.read_file import read_file

TEXT = "Zoë owns “Café Größe” – since 2024."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_each_encoding_gives_the_same_text(encoding: str) -> None:
    assert decoded(TEXT.encode(encoding)) == TEXT
    assert read_file("a.txt", TEXT.encode(encoding)).text == TEXT


def test_bytes_that_no_encoding_has_are_left_out() -> None:
    assert decoded(b"caf\xe9 \x81x") == "café x"


def test_a_declared_encoding_is_taken_where_the_bytes_fit_it() -> None:
    russian = "Анна стала директором."
    assert decoded(russian.encode("koi8-r"), declared="KOI8-R") == russian
    assert decoded(TEXT.encode(), declared="utf-16") != ""
    assert decoded("größer".encode(), declared="shift_jis") == "größer"


@pytest.mark.parametrize("declared", ["no-such-thing", "hex", "rot13", "", " ", "\0", "utf-8\n"])
def test_a_declared_encoding_that_is_none_counts_for_nothing(declared: str) -> None:
    assert decoded(TEXT.encode(), declared=declared) == TEXT


@pytest.mark.parametrize("declared", ["punycode", "IDNA", "utf-7", "unicode_escape", "raw_unicode_escape"])
def test_an_encoding_that_no_page_is_saved_in_counts_for_nothing(declared: str) -> None:
    assert decoded(b"+ADw-b+AD4- \\u003ci xn--a-bc", declared=declared) == "+ADw-b+AD4- \\u003ci xn--a-bc"


def test_what_is_declared_as_latin_1_is_read_as_browsers_read_it() -> None:
    assert decoded(b"\x93quoted\x94", declared="ISO-8859-1") == "“quoted”"


def test_a_mark_goes_before_what_is_declared() -> None:
    assert decoded(TEXT.encode("utf-8-sig"), declared="latin-1") == TEXT


def test_nuls_are_left_out_and_lines_end_alike() -> None:
    assert read_file("a.txt", b"one\r\ntwo\rthree\0 and more words to read\n").text == (
        "one\ntwo\nthree and more words to read\n"
    )


def test_a_file_that_is_not_in_unicode_says_how_it_was_read() -> None:
    assert read_file("a.txt", TEXT.encode("cp1252")).notes == ("The file is not UTF-8; Asof read it as Windows-1252.",)
    assert read_file("a.txt", TEXT.encode()).notes == ()


def test_programs_and_pictures_are_no_text() -> None:
    assert is_binary(bytes(range(256)) * 20)
    assert is_binary(b"\0" * 500 + b"abc")
    assert not is_binary(TEXT.encode("utf-16-le"))
    assert not is_binary(b"\x1b[31mred\x1b[0m and a tab\t\n" * 9)


def test_what_says_or_shows_that_it_is_unicode() -> None:
    assert is_unicode(TEXT.encode())
    assert is_unicode(TEXT.encode("utf-16-be"))
    assert not is_unicode(TEXT.encode("cp1252"))


@pytest.mark.parametrize(
    "page",
    [
        b'<meta charset="koi8-r">',
        b"<META http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        b"<head><meta name=x><meta charset=koi8-r />",
    ],
)
def test_a_page_declares_its_encoding(page: bytes) -> None:
    assert encoding_in_html(page) == "koi8-r"


def test_a_page_that_declares_none_has_none() -> None:
    assert encoding_in_html(b"<p>charset=koi8-r</p>") == ""
