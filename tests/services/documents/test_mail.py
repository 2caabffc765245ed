"""Whatever a message carries beside its text is attached to it, however its sender nested the parts."""

from email.message import EmailMessage, MIMEPart

import pytest

from services.documents.read_file import read_file
from tests.files.builders import MORE, SENTENCE

pytestmark = pytest.mark.slow


def _part(text: str, kind: str = "plain", *, name: str = "") -> MIMEPart:
    part = MIMEPart()
    part.set_content(text, subtype=kind, **({"filename": name} if name else {}))
    return part


def _file(content: bytes, maintype: str, subtype: str, name: str = "") -> MIMEPart:
    part = MIMEPart()
    part.set_content(content, maintype=maintype, subtype=subtype, **({"filename": name} if name else {}))
    return part


def _of(kind: str, *parts: MIMEPart) -> MIMEPart:
    whole = MIMEPart()
    whole["Content-Type"] = f"multipart/{kind}"
    for part in parts:
        whole.attach(part)
    return whole


def _sent(whole: MIMEPart) -> bytes:
    return b"From: bo@harbor.example\nMIME-Version: 1.0\n" + whole.as_bytes()


_CONTRACT = _part(MORE, name="contract.txt")
_PAGE = _part(f"<p>{SENTENCE}</p>", "html")


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(_of("alternative", _part(SENTENCE), _of("mixed", _PAGE, _CONTRACT)), id="beside one spelling"),
        pytest.param(
            _of(
                "signed",
                _of("mixed", _part(SENTENCE), _CONTRACT),
                _file(b"sig", "application", "pgp-signature", "signature.asc"),
            ),
            id="signed",
        ),
        pytest.param(_of("related", _of("alternative", _part(SENTENCE), _PAGE), _CONTRACT), id="with what it shows"),
    ],
)
def test_what_is_attached_in_a_part_is_read_and_the_text_stands_there_once(whole: MIMEPart) -> None:
    read = read_file("a.eml", _sent(whole))
    assert read.text.count(SENTENCE) == 1
    assert [(part.name, part.text.strip(), part.notes) for part in read.parts] == [("contract.txt", MORE, ())]
    assert read.notes == ()


def test_the_footer_of_a_list_is_a_part_beside_what_was_attached() -> None:
    inner = _of("mixed", _part(SENTENCE), _CONTRACT)
    read = read_file("a.eml", _sent(_of("mixed", inner, _part("Leave the list at lists.example."))))
    assert [part.name for part in read.parts] == ["contract.txt", "attachment 2.txt"]


def test_an_invitation_is_read_with_its_calendar() -> None:
    read = read_file("a.eml", _sent(_of("alternative", _part(SENTENCE), _part("BEGIN:VCALENDAR\n", "calendar"))))
    assert [(part.name, part.text) for part in read.parts] == [("attachment 1.txt", "BEGIN:VCALENDAR\n")]


def test_a_message_that_is_one_file_has_it_attached() -> None:
    read = read_file("a.eml", _sent(_file(MORE.encode(), "application", "octet-stream", "contract.txt")))
    assert [(part.name, part.text) for part in read.parts] == [("contract.txt", MORE)]


def test_a_second_text_in_html_is_read_too() -> None:
    read = read_file("a.eml", _sent(_of("mixed", _PAGE, _CONTRACT, _part(f"<p>{MORE}</p>", "html"))))
    assert [(part.name, part.kind) for part in read.parts] == [("contract.txt", "text"), ("attachment 2.html", "HTML")]


def test_a_report_that_a_message_did_not_arrive_says_why() -> None:
    report = _sent(_of("report", _part(SENTENCE), _part("x", "x-status"))).replace(
        b"Content-Type: text/x-status", b"Content-Type: message/delivery-status"
    )
    report = report.replace(b"\n\nx\n", b"\n\nReporting-MTA: dns; harbor.example\n\nStatus: 5.1.1\n")
    assert "Status: 5.1.1" in read_file("a.eml", report).parts[0].text


def test_pictures_are_left_out_and_listed() -> None:
    pictures = (_file(b"\x89PNG\r\n\x1a\n", "image", "png", f"{number}.png") for number in range(2))
    read = read_file("a.eml", _sent(_of("mixed", _part(SENTENCE), *pictures)))
    assert (read.parts, read.notes) == ((), ("Asof did not read 2 pictures.",))


def test_a_message_within_is_attached_whole() -> None:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "ada@harbor.example", "Contract"
    inner.set_content(MORE)
    around = MIMEPart()
    around.set_content(inner)
    read = read_file("a.eml", _sent(_of("mixed", _of("mixed", _part(SENTENCE), around), _CONTRACT)))
    assert [(part.name, part.title) for part in read.parts] == [("message 1.eml", "Contract"), ("contract.txt", "")]
