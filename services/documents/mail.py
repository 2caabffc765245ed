"""E-mail: its text, and what is attached. To be called in a sandboxed process only."""

import base64
from collections.abc import Iterable, Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message, MIMEPart
from email.utils import parseaddr, parsedate_to_datetime
from itertools import islice
from pathlib import PurePath
from typing import Any

from services.core.errors import BadInput
from services.documents.encodings import decoded
from services.documents.read_text import MOST_ATTACHMENTS, not_read
from services.documents.text_formats import readable

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_ENDINGS = {"text/plain": ".txt", "text/html": ".html", "application/pdf": ".pdf"}
"""For attachments without a name."""
_MESSAGES = ("message/rfc822", "message/global")
_SPELLINGS = ("text/plain", "text/html", "text/enriched", "text/x-amp-html")
"""What one text is sent in for programs to choose from."""
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")


def read_mail(content: bytes) -> dict[str, Any]:
    """A message's header and text, and its first attachments as they are. Plain text goes before HTML."""
    try:
        message = message_from_bytes(content, policy=policy.default)
        body = message.get_body(("plain", "html"))
        if body is not None and body.get_content_type() == "text/plain" and not _text(body).strip():
            body = message.get_body(("html",)) or body
        text = _text(body) if body is not None else ""
        parts = list(_beside(message, body))
        files = [part for part in parts if part.get_content_maintype() != "image"]
        attachments = [
            {"name": name, "content": base64.b64encode(data).decode()}
            for name, data in islice(_attached(files), MOST_ATTACHMENTS)
        ]
        headers = {name: " ".join(str(message[name]).split()) for name in _SHOWN if message[name]}
    except RecursionError as fault:
        raise BadInput(
            "This e-mail nests its parts too deeply to read.", "Save the inner message separately."
        ) from fault
    except (MessageError, LookupError, ValueError, AttributeError, TypeError) as fault:
        raise BadInput("This e-mail is damaged: Asof cannot read it.", "Save the e-mail again.") from fault
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
        "more_attachments": len(files) - len(attachments),
        "notes": not_read(len(parts) - len(files), "picture"),
    }


def _text(part: MIMEPart) -> str:
    return decoded(_bytes(part), declared=part.get_content_charset() or "")


def _bytes(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _attached(parts: Iterable[MIMEPart]) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the attachments; messages come whole."""
    for number, part in enumerate(parts, start=1):
        kind = part.get_content_type()
        if part.get_content_maintype() == "message":
            ending = ".eml" if kind in _MESSAGES else ".txt"
            inner = part.get_payload()
            held = [one.as_bytes() for one in inner if isinstance(one, Message)] if isinstance(inner, list) else []
            yield _name(part) or f"message {number}{ending}", b"\n".join(held) or _bytes(part)
        else:
            ending = _ENDINGS.get(kind) or (".txt" if part.get_content_maintype() == "text" else "")
            yield _name(part) or f"attachment {number}{ending}", _bytes(part)


def _beside(part: MIMEPart, body: MIMEPart | None, is_again: bool = False) -> Iterator[MIMEPart]:
    """All parts but the body, wherever they are nested; with `is_again` those that only say it once more are left out,
    as signatures and empty parts without a name are."""
    if part is body:
        return
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        is_other = part.get_content_subtype() == "alternative" and any(one is body for one in part.walk())
        for inner in part.iter_parts():
            yield from _beside(inner, body, is_again or is_other)
        return
    kind, name = part.get_content_type(), _name(part)
    is_body_again = is_again and kind in _SPELLINGS and not name
    if not is_body_again and kind not in _SIGNATURES and (name or part.is_multipart() or _bytes(part).strip()):
        yield part


def _name(part: MIMEPart) -> str:
    name = PurePath((part.get_filename() or "").replace("\\", "/")).name
    return " ".join(name.split())


def _sent(date: str) -> str:
    """When the message was sent, as ISO has it; nothing where its date cannot be read."""
    try:
        return parsedate_to_datetime(date).isoformat()
    except (ValueError, LookupError, OverflowError, TypeError):
        return ""
