"""E-mail: its text, and what is attached. To be called in a confined process only."""

import base64
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.utils import parseaddr, parsedate_to_datetime
from itertools import islice
from pathlib import PurePath
from typing import Any

from services.errors import BadInput
from services.ingestion.readers.encodings import decoded
from services.ingestion.readers.formats import readable
from services.ingestion.readers.records import MOST_ATTACHMENTS

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_ENDINGS = {"text/plain": ".txt", "text/html": ".html", "application/pdf": ".pdf"}
"""For attachments without a name."""


def read_mail(content: bytes) -> dict[str, Any]:
    """A message's header and text, and its first attachments as they are. Plain text goes before HTML."""
    try:
        message = message_from_bytes(content, policy=policy.default)
        body = message.get_body(("plain", "html"))
        if body is not None and body.get_content_type() == "text/plain" and not _text(body).strip():
            body = message.get_body(("html",)) or body
        text = _text(body) if body is not None else ""
        attached = _attached(message)
        attachments = [
            {"name": name, "content": base64.b64encode(data).decode()}
            for name, data in islice(attached, MOST_ATTACHMENTS)
        ]
        more = sum(1 for _ in attached)
        headers = {name: " ".join(str(message[name]).split()) for name in _SHOWN if message[name]}
    except RecursionError as fault:
        raise BadInput("This e-mail nests its parts too deeply to be read.", "Save the inner message.") from fault
    except (MessageError, LookupError, ValueError, AttributeError, TypeError) as fault:
        raise BadInput("This e-mail is damaged: it cannot be read.", "Save it again.") from fault
    is_html = body is not None and body.get_content_type() == "text/html"
    text, format = readable(text, "html" if is_html else "text")
    header = "\n".join(f"{name}: {value}" for name, value in headers.items())
    return {
        "kind": "e-mail",
        "text": f"{header}\n\n{text}",
        "format": format,
        "title": headers.get("Subject", ""),
        "author": next(filter(None, parseaddr(headers.get("From", ""))), ""),
        "when": _sent(headers.get("Date", "")),
        "attachments": attachments,
        "more_attachments": more,
    }


def _text(part: MIMEPart) -> str:
    return decoded(_bytes(part), declared=part.get_content_charset() or "")


def _bytes(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _attached(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the attachments; pictures are left out, messages come whole."""
    for number, part in enumerate(message.iter_attachments(), start=1):
        if part.get_content_maintype() == "image":
            continue
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            data = inner.as_bytes() if isinstance(inner, EmailMessage) else b""
            yield _name(part) or f"message {number}.eml", data
        elif not part.is_multipart():
            name = _name(part) or f"attachment {number}{_ENDINGS.get(part.get_content_type(), '')}"
            yield name, _bytes(part)


def _name(part: MIMEPart) -> str:
    name = PurePath((part.get_filename() or "").replace("\\", "/")).name
    return " ".join(name.split())


def _sent(date: str) -> str:
    """When the message was sent, as ISO has it; nothing where its date cannot be read."""
    try:
        return parsedate_to_datetime(date).isoformat()
    except (ValueError, LookupError, OverflowError, TypeError):
        return ""
