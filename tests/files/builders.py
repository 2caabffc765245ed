"""A real file of each type that is read, made by the programs' own libraries."""

import io
import struct
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache

from docx import Document
from openpyxl import Workbook
from pptx import Presentation
from pypdf import PdfReader, PdfWriter
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

WRITTEN = datetime(2024, 3, 5, 9, 0, tzinfo=UTC)
SENTENCE = "Ada Bell became chief executive of Harbor plc on 5 March 2024."
MORE = "Before that she was finance director of Northgate Shipping, which she had joined in 2016."


@cache
def docx(sentence: str = SENTENCE) -> bytes:
    document = Document()
    about = document.core_properties
    about.title, about.author, about.created = "Board minutes", "Bo Chen", WRITTEN.replace(tzinfo=None)
    document.add_heading("Appointments", 1)
    document.add_paragraph(sentence)
    document.add_heading("Money", 2)
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Revenue", "412"
    return _saved(document.save)


@cache
def pptx() -> bytes:
    slides = Presentation()
    slides.core_properties.title = "Plan"
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "Roadmap", SENTENCE
    return _saved(slides.save)


@cache
def xlsx() -> bytes:
    book = Workbook()
    book.properties.creator = "Bo Chen"
    sheet = book.active
    sheet.title = "People"
    sheet.append(["Name", "Since"])
    sheet.append(["Ada Bell", WRITTEN.date()])
    return _saved(book.save)


@cache
def pdf() -> bytes:
    styles = getSampleStyleSheet()
    out = io.BytesIO()
    document = SimpleDocTemplate(out, title="Annual report", author="Harbor plc")
    document.build(
        [Paragraph("Appointments", styles["Heading1"])]
        + [Paragraph(text, styles["Normal"]) for text in (SENTENCE, MORE)]
        + [Paragraph("Outlook", styles["Heading1"])]
        + [Paragraph(text, styles["Normal"]) for text in (MORE, SENTENCE)]
    )
    return out.getvalue()


@cache
def scanned_pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    width, height = 20, 20
    bitmap = b"BM" + struct.pack("<IHHI", 54 + width * height * 3, 0, 0, 54)
    bitmap += struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0) + b"\x80" * (width * height * 3)
    canvas.drawImage(ImageReader(io.BytesIO(bitmap)), 0, 0, 500, 700)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


LINES = (
    "Harbor plc named Ada Brandt as chief executive in March 2024.",
    "Since 4 May 2018 Marcus Feld is the chairman of Harbor plc.",
    "On 12 March 2021 Harbor plc acquired Nordlys Vision for 40 million euros.",
)


@cache
def pdf_in_lines() -> bytes:
    """A few lines of prose, whose words happen to stand below each other."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    for number, line in enumerate(LINES):
        canvas.drawString(60, 790 - 18 * number, line)
    canvas.save()
    return out.getvalue()


@cache
def pdf_of_pages(count: int) -> bytes:
    writer = PdfWriter()
    for _ in range(count):
        writer.add_blank_page(200, 200)
    return _saved(writer.write)


@cache
def encrypted_pdf(password: str = "sesame") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf())))
    writer.encrypt(password, owner_password="other", algorithm="RC4-128")
    return _saved(writer.write)


@cache
def eml(*attachments: tuple[str, bytes], html: str = "", text: str = f"Dear all,\n{SENTENCE}\n") -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "New chief executive", "Bo Chen <bo@harbor.example>"
    message["To"], message["Date"] = "all@harbor.example", "Tue, 05 Mar 2024 10:00:00 +0100"
    if text:
        message.set_content(text)
    if html:
        message.set_content(html, subtype="html") if not text else message.add_alternative(html, subtype="html")
    for name, content in attachments:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def html() -> bytes:
    return (
        '<!doctype html><html><head><meta charset="utf-8"><title>New chief</title></head><body><nav>Home</nav>'
        f"<h1>Appointments</h1><p>{SENTENCE}</p></body></html>"
    ).encode()


def article() -> bytes:
    return (
        "<html><head><title>New chief - The Daily</title><meta name=author content='Bo Chen'>"
        "<meta property='article:published_time' content='2024-03-05T09:00:00Z'></head><body>"
        "<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav><article><h1>New chief</h1><h2>Who</h2>"
        f"<p>{SENTENCE} {MORE}</p><p>{MORE} {SENTENCE}</p></article><footer>Our cookies</footer></body></html>"
    ).encode()


def repacked(content: bytes, edit: Callable[[str, bytes], bytes], extra: dict[str, bytes] | None = None) -> bytes:
    """An Office file with its parts edited, and others added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, edit(name, old.read(name)))
        for name, part in (extra or {}).items():
            new.writestr(name, part)
    return out.getvalue()


@cache
def zip_bomb() -> bytes:
    """A document of some 80 KB that unpacks to 43 MB."""
    return repacked(docx(), lambda _, part: part, {"word/media/noise.bin": b"\0" * (40 << 20)})


@cache
def billion_laughs() -> bytes:
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    doctype = b'<!DOCTYPE w [<!ENTITY l0 "ha">' + laughs + b"]><w:document"

    def edit(name: str, part: bytes) -> bytes:
        if name != "word/document.xml":
            return part
        return part.replace(b"<w:document", doctype, 1).replace(b"Ada Bell", b"&l9;")

    return repacked(docx(), edit)


def wordless_docx() -> bytes:
    """A document without a paragraph."""
    empty = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>'
    return repacked(docx(), lambda name, part: empty if name == "word/document.xml" else part)


def broken_xlsx() -> bytes:
    """A sound ZIP whose workbook ends in the middle."""
    return repacked(xlsx(), lambda name, part: part[:40] if name == "xl/workbook.xml" else part)


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("notes.txt", SENTENCE)
    return out.getvalue()


@cache
def encrypted_office() -> bytes:
    """A container as Office writes it for a password: two streams, one of them the encrypted package."""
    return compound({"EncryptionInfo": b"\4\0\4\0" + b"\0" * 60, "EncryptedPackage": b"\x11" * 5000})


def old_word() -> bytes:
    return compound({"WordDocument": b"\xec\xa5" + b"\0" * 5000})


@cache
def msg() -> bytes:
    """A message as Outlook saves it, with what its text needs and no more."""
    texts = {0x0037: "New chief executive", 0x1000: f"Dear all,\r\n{SENTENCE}", 0x0C1A: "Bo Chen", 0x001A: "IPM.Note"}
    streams = {f"__substg1.0_{tag:04X}001F": text.encode("utf-16-le") for tag, text in texts.items()}
    entries = b"".join(
        struct.pack("<HHIII", 0x001F, tag, 6, len(text) * 2 + 2, 0) for tag, text in sorted(texts.items())
    )
    return compound({**streams, "__properties_version1.0": b"\0" * 32 + entries})


_SECTOR, _MINI = 512, 64
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file, the container of Outlook's messages and of what Office encrypts, with these streams."""
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    fat: list[int] = []
    sectors: list[bytes] = []
    minis, mini_fat = b"", list[int]()

    def chain(data: bytes, table: list[int], size: int) -> int:
        count = -(-len(data) // size)
        start = len(table)
        table += [*range(start + 1, start + count), _END]
        return start

    def store(data: bytes) -> int:
        start = chain(data, fat, _SECTOR)
        sectors.extend(data[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(data), _SECTOR))
        return start

    starts = {}
    for name in names:
        data = streams[name]
        if len(data) >= 4096:
            starts[name] = store(data)
        else:
            starts[name] = chain(data, mini_fat, _MINI)
            minis += data.ljust(-(-len(data) // _MINI) * _MINI, b"\0")
    mini_start = store(minis) if minis else _END
    mini_fat_start = store(struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(_SECTOR, b"\xff")) if minis else _END

    def entry(name: str, kind: int, right: int, child: int, start: int, size: int) -> bytes:
        coded = name.encode("utf-16-le") + b"\0\0" if name else b""
        return (
            coded.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(coded), kind, 1, _FREE, right, child)
            + b"\0" * 36
            + struct.pack("<IQ", start, size)
        )

    entries = [entry("Root Entry", 5, _FREE, 1, mini_start, len(minis))]
    for number, name in enumerate(names, start=1):
        right = number + 1 if number < len(names) else _FREE
        entries.append(entry(name, 2, right, _FREE, starts[name], len(streams[name])))
    entries += [entry("", 0, _FREE, _FREE, 0, 0)] * (-len(entries) % 4)
    directory = store(b"".join(entries))
    fat_sector = len(sectors)
    table = [*fat, _FAT]
    sectors.append(struct.pack(f"<{len(table)}I", *table).ljust(_SECTOR, b"\xff"))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
    header += struct.pack("<IIIIIIIII", 0, 1, directory, 0, 4096, mini_fat_start, 1 if minis else 0, _END, 0)
    header += struct.pack("<109I", fat_sector, *[_FREE] * 108)
    return header + b"".join(sectors)


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    save(out)
    return out.getvalue()
