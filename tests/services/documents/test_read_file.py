"""Files of each type become text; what cannot be read says why in a line."""

import bz2
import pkgutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.errors import BadInput
from services.documents.file_types import FILE_TYPES, TEXT, file_type, type_by_ending
from services.documents.read_file import read_file
from services.documents.read_text import MEGABYTE, ReadLimits
from tests.files import builders as made
from tests.files.builders import MORE, SENTENCE, WRITTEN

pytestmark = pytest.mark.slow

Make = Callable[[], bytes]


@pytest.mark.parametrize(
    ("name", "make", "kind", "title", "author", "heading"),
    [
        ("a.docx", made.docx, "DOCX", "Board minutes", "Bo Chen", "# Appointments\n"),
        ("a.pptx", made.pptx, "PPTX", "Plan", "", "## Roadmap\n"),
        ("a.xlsx", made.xlsx, "XLSX", "", "Bo Chen", "## People\n"),
        ("a.pdf", made.pdf, "PDF", "Annual report", "Harbor plc", "# Appointments\n"),
        ("a.html", made.html, "HTML", "New chief", "", "# Appointments\n"),
        ("a.eml", made.eml, "e-mail", "New chief executive", "Bo Chen", "Subject: New chief executive\n"),
        ("a.msg", made.msg, "Outlook message", "New chief executive", "Bo Chen", "**Subject**: New chief executive"),
        ("a.md", f"# One\n\n{SENTENCE}".encode, "Markdown", "", "", "# One\n"),
        ("a.rst", f"One\n===\n\n{SENTENCE}".encode, "reStructuredText", "", "", "One\n===\n"),
        ("a.txt", f"Title: Notes\n\n{SENTENCE}".encode, "text", "Notes", "", "Title: Notes\n"),
        ("a.log", SENTENCE.encode, "text", "", "", ""),
        ("no ending", SENTENCE.encode, "text", "", "", ""),
        ("no ending", made.html, "HTML", "New chief", "", "# Appointments\n"),
    ],
)
def test_a_file_gives_its_text(name: str, make: Make, kind: str, title: str, author: str, heading: str) -> None:
    read = read_file(name, make())
    assert (read.name, read.kind, read.title, read.author, read.notes) == (name, kind, title, author, ())
    assert heading in read.text
    assert ("Ada Bell | 2024-03-05" if kind == "XLSX" else SENTENCE) in read.text


def test_the_format_is_what_the_text_is_in() -> None:
    files = {"a.docx": made.docx(), "a.html": made.html(), "a.eml": made.eml(), "a.txt": b"words", "a.rst": b"words"}
    formats = [read_file(name, content).format for name, content in files.items()]
    assert formats == ["markdown", "markdown", "text", "text", "rst"]


def test_the_time_that_a_file_says_is_its_reference_time() -> None:
    assert read_file("a.docx", made.docx()).reference_time == WRITTEN
    assert read_file("a.eml", made.eml()).reference_time == WRITTEN
    assert read_file("a.txt", SENTENCE.encode()).reference_time is None


def test_tables_of_a_document_are_tables() -> None:
    assert "| Revenue | 412 |" in read_file("a.docx", made.docx()).text


def test_lines_of_a_pdf_whose_words_stand_in_columns_come_once() -> None:
    assert read_file("a.pdf", made.pdf_in_lines()).text.split() == " ".join(made.LINES).split()


def test_a_pdf_that_is_locked_for_changes_only_is_read() -> None:
    assert SENTENCE in read_file("a.pdf", made.encrypted_pdf(password="")).text


@pytest.mark.parametrize(
    ("name", "make", "line"),
    [
        ("a.pdf", lambda: b"", "This file is empty."),
        ("a.txt", lambda: b" \n\t", "This file is empty."),
        ("a.docx", made.wordless_docx, "This DOCX contains no text."),
        ("a.pdf", made.scanned_pdf, "This PDF contains no text on its 1 page."),
        ("a.html", lambda: b"<html><body></body></html>", "This HTML contains no text."),
        ("a.pdf", made.encrypted_pdf, "This PDF needs a password."),
        ("a.docx", made.encrypted_office, "This Office file is encrypted."),
        ("a.pdf", lambda: made.pdf()[:900], "This PDF is damaged"),
        ("a.pdf", lambda: bytes(range(256)) * 9, "This PDF is damaged"),
        ("a.docx", lambda: made.docx()[:9000], "This file is damaged: Asof cannot unpack it."),
        ("a.pptx", lambda: b"PK\x03\x04" + bytes(range(256)), "This file is damaged: Asof cannot unpack it."),
        ("a.xlsx", made.broken_xlsx, "This XLSX is damaged"),
        ("a.msg", lambda: made.msg()[:1400], "This is not an Outlook message, or it is damaged."),
        ("a.eml", lambda: b"not a message at all", "This is not a valid e-mail"),
        ("a.txt", lambda: bytes(range(32)) * 9, "This is not text"),
        ("a.html", lambda: b"<div>" * 60_000 + b"x", "This HTML nests its elements too deeply"),
        ("a.doc", made.old_word, "Asof cannot read Office files from before 2007."),
        ("a.zip", made.archive, "This is an archive. Asof cannot read it."),
        ("a.png", lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is a picture. Asof cannot read it."),
        ("a.bin", lambda: bytes(range(256)), "Asof cannot read files of this type."),
        ("a.docx", made.zip_bomb, "This file would unpack from 0.1 to 43 MB; the limit is 34 MB."),
        ("a.docx", made.billion_laughs, "This file declares XML entities"),
        ("a.pdf", lambda: made.pdf_of_pages(2_001), "This PDF has 2,001 pages; the limit is 2,000."),
    ],
)
def test_what_cannot_be_read_says_why(name: str, make: Make, line: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_file(name, make())
    assert refused.value.message.startswith(line)
    assert "\n" not in str(refused.value)


def test_after_a_failure_the_next_file_is_read() -> None:
    for bad in (made.zip_bomb(), made.docx()[:9000], made.encrypted_office()):
        with pytest.raises(BadInput):
            read_file("a.docx", bad)
        assert SENTENCE in read_file("a.docx", made.docx()).text


@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.pdf"])
def test_a_file_above_the_limit_is_not_read(name: str) -> None:
    with pytest.raises(BadInput, match=r"This file is 1\.5 MB; the limit is 1 MB"):
        read_file(name, b"%PDF-" + b"x" * (3 * MEGABYTE // 2 - 5), limits=ReadLimits.up_to(1))


@pytest.mark.parametrize(
    ("name", "make", "kind", "note"),
    [
        ("a.docx", made.pdf, "PDF", "Asof read the file as PDF, although its name ends in .docx."),
        ("a.txt", made.docx, "DOCX", "Asof read the file as Office file, although its name ends in .txt."),
        ("a.pdf", made.html, "HTML", "Asof read the file as HTML, although its name ends in .pdf."),
        ("a.pptx", SENTENCE.encode, "text", "Asof read the file as text, although its name ends in .pptx."),
    ],
)
def test_a_file_under_a_wrong_name_is_read_as_what_it_is(name: str, make: Make, kind: str, note: str) -> None:
    read = read_file(name, make())
    assert SENTENCE in read.text
    assert (read.kind, read.notes) == (kind, (note,))


def test_an_office_file_under_the_name_of_another_is_read() -> None:
    assert read_file("a.docx", made.xlsx()).kind == "XLSX"


def test_embedded_files_are_listed() -> None:
    content = made.repacked(made.docx(), lambda _, part: part, {"word/embeddings/table.xlsx": made.xlsx()})
    assert read_file("a.docx", content).notes == ("Asof did not read 1 embedded file.",)


def test_a_package_with_paths_that_lead_out_of_it_is_refused() -> None:
    content = made.repacked(made.docx(), lambda _, part: part, {"word/../../outside.xml": b"<x/>"})
    with pytest.raises(BadInput, match="outside its own folder"):
        read_file("a.docx", content)


def test_a_package_that_lies_about_its_sizes_is_refused() -> None:
    packed = bytearray(made.docx())
    with zipfile.ZipFile(BytesIO(packed)) as package:
        size = package.getinfo("word/document.xml").file_size
    lie = packed.replace(size.to_bytes(4, "little"), (size // 2).to_bytes(4, "little"))
    with pytest.raises(BadInput, match="Asof cannot unpack"):
        read_file("a.docx", bytes(lie))


def test_sheets_of_too_many_cells_are_refused() -> None:
    cells = b"<row>" + b'<c r="A1"/>' * 600_000 + b"</row></sheetData>"
    content = made.repacked(
        made.xlsx(), lambda name, part: part.replace(b"</sheetData>", cells) if "sheet1" in name else part
    )
    with pytest.raises(BadInput, match="more than 500,000 cells"):
        read_file("a.xlsx", content)


def test_two_cells_at_the_ends_of_a_sheet_cost_no_more_than_two() -> None:
    content = made.repacked(
        made.xlsx(),
        lambda name, part: (
            part.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>7</v></c></row></sheetData>')
            if "sheet1" in name
            else part
        ),
    )
    assert len(read_file("a.xlsx", content).text) < 1_000_000


def test_attachments_are_parts_and_pictures_are_left_out() -> None:
    read = read_file("a.eml", made.eml(("minutes.docx", made.docx()), ("note.txt", MORE.encode())))
    assert [(part.name, part.kind) for part in read.parts] == [("minutes.docx", "DOCX"), ("note.txt", "text")]
    assert read.parts[1].text == MORE


def test_an_attachment_that_cannot_be_read_is_named_and_the_rest_is_read() -> None:
    read = read_file("a.eml", made.eml(("bomb.docx", made.zip_bomb()), ("../note.txt", MORE.encode())))
    assert read.notes == (
        "Asof did not read the attachment bomb.docx: This file would unpack from 0.1 to 43 MB; the limit is 34 MB.",
    )
    assert [part.name for part in read.parts] == ["note.txt"]


def test_messages_in_messages_are_read_three_deep() -> None:
    content = made.eml()
    for depth in range(5):
        content = made.eml((f"{depth}.eml", content))
    read, depth = read_file("a.eml", content), 0
    while read.parts:
        read, depth = read.parts[0], depth + 1
    assert depth == 3
    assert read.notes == ("Asof did not read the attachment 1.eml: the file is nested more than 3 levels deep.",)


def test_of_many_attachments_twenty_are_read() -> None:
    read = read_file("a.eml", made.eml(*((f"{n}.txt", b"words") for n in range(22))))
    assert len(read.parts) == 20
    assert read.notes == ("Asof skipped 2 attachments: it reads at most 20 per file.",)


def test_of_the_attachments_of_attached_messages_twenty_are_read_in_all() -> None:
    inner = made.eml(*((f"{number}.txt", b"Some text.") for number in range(15)))
    read = read_file("a.eml", made.eml(("1.eml", inner), ("2.eml", inner), ("3.eml", inner)))
    assert sum(len(part.parts) for part in read.parts) + len(read.parts) == 20
    assert read.parts[1].notes == ("Asof skipped 12 attachments: it reads at most 20 per file.",)
    assert read.notes == ("Asof skipped 1 attachment: it reads at most 20 per file.",)


def test_names_and_titles_have_an_end() -> None:
    read = read_file("a.eml", made.eml(("n" * 5_000 + ".txt", b"Some text.")).replace(b"New chief", b"N" * 5_000))
    assert len(read.title) == 300
    assert len(read.parts[0].name) == 200
    assert read.parts[0].name.endswith(".txt")


def test_a_message_in_html_alone_is_markdown() -> None:
    read = read_file("a.eml", made.eml(html=f"<h1>News</h1><p>{SENTENCE}</p>", text=""))
    assert read.format == "markdown"
    assert f"# News\n\n{SENTENCE}" in read.text


def test_a_message_of_parts_nested_without_end_is_refused() -> None:
    content = b"From: a@b.example\nMIME-Version: 1.0\n"
    for depth in range(3_000):
        content += f'Content-Type: multipart/mixed; boundary="{depth}"\n\n--{depth}\n'.encode()
    with pytest.raises(BadInput):
        read_file("a.eml", content)


def test_the_time_of_a_message_without_a_readable_date_is_not_known() -> None:
    content = made.eml().replace(b"Tue, 05 Mar 2024 10:00:00 +0100", b"yesterday")
    assert read_file("a.eml", content).reference_time is None
    assert read_file("a.eml", made.eml()).reference_time == datetime(2024, 3, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize("opening", ["GIF89a", "BZh", "PAR1", "Rar!", "BM", "MZ", "SQLite format 3"])
def test_a_text_that_opens_as_another_file_does_is_read(opening: str) -> None:
    assert read_file("a.md", f"{opening} is how some files begin.".encode()).text.startswith(opening)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"GIF89a\x10\0\x10\0\x80\0\0", "a picture"),
        (bz2.compress(SENTENCE.encode()), "an archive"),
        (b"Rar!\x1a\7\1\0", "an archive"),
        (b"PAR1\x15\4\x15", "a Parquet table"),
        (b"{\\rtf1\\ansi Words}", "rich text"),
        (b"\x7fELF\2\1\1\0", "a program"),
        (b"SQLite format 3\0", "a database"),
    ],
)
def test_what_is_known_and_not_read_is_named(content: bytes, what: str) -> None:
    with pytest.raises(BadInput, match=f"^This is {what}"):
        file_type("a.txt", content)


@pytest.mark.parametrize("line", [b"a:\r\n", b"a:\n", b" \r\n", b"<!-- -->", b"<!--", b"<?xml"])
def test_no_opening_of_a_file_takes_long_to_tell_its_kind(line: bytes) -> None:
    assert file_type("no ending", line * 5_000 + b"x") is TEXT
    with pytest.raises(BadInput, match="not a valid e-mail"):
        file_type("a.eml", line * 5_000 + b"x")


@given(name=st.sampled_from(["a.pdf", "a.docx", "a.eml", "a.txt", "a.html", "a"]), content=st.binary())
def test_any_bytes_have_a_kind_or_are_refused(name: str, content: bytes) -> None:
    with suppress(BadInput):
        if not file_type(name, content).reader:
            assert "\0" not in read_file(name, content).text


@settings(max_examples=25)
@given(data=st.data(), name=st.sampled_from(["a.pdf", "a.docx", "a.pptx", "a.xlsx", "a.eml", "a.msg", "a.html"]))
def test_a_file_with_damages_is_read_or_refused_in_a_line(data: st.DataObject, name: str) -> None:
    content = bytearray(getattr(made, name[2:])())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=20)):
        content[place] = data.draw(st.integers(0, 255))
    with suppress(BadInput):
        assert read_file(name, bytes(content)).text.strip()


def test_each_type_of_file_has_its_reader_and_endings_of_its_own() -> None:
    for type in FILE_TYPES:
        assert not type.reader or callable(pkgutil.resolve_name(type.reader))
        assert [type_by_ending(f"a{ending}") for ending in type.endings] == [type] * len(type.endings)
