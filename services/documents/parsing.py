"""What a confined process does with a file: finds out what it is and has the fitting parser read it."""

from collections.abc import Callable, Mapping
from typing import Any

from services.core.errors import BadInput
from services.documents.kinds import kind_of


def read(task: Mapping[str, Any], content: bytes) -> dict[str, Any]:
    """The text of the file `name`, or of the page at `url` sent as `charset`; attachments come as they are.

    Each parser is imported when a file needs it: most of the time that a small file takes is the imports.
    """
    if url := task.get("url"):
        from services.documents.webpages import read_article

        parsed = read_article(content, url, task["charset"])
    else:
        parsed = _parser(kind_of(task["name"], content))(content)
    if not parsed["text"].strip():
        raise BadInput(f"This {parsed['kind']} holds no text.")
    return parsed


def _parser(kind: str) -> Callable[[bytes], dict[str, Any]]:
    if kind == "email":
        from services.documents.mail import read_mail

        return read_mail
    if kind == "html":
        from services.documents.webpages import read_html

        return read_html
    from services.documents import office

    return {"pdf": office.read_pdf, "office": office.read_package, "ole": office.read_ole}[kind]
