"""The format of a text, and the text that people read in it."""

import re

from html_to_markdown import ConversionError, ConversionOptions, PreprocessingOptions, WarningKind, convert

from services.core.errors import BadInput
from services.documents.file_types import HTML, Format, type_by_ending

_TITLE_LINE = re.compile(r"(?:---[ \t]*\n)?(?:[\w-]+:.*\n|[ \t]+\S.*\n)*?title:[ \t]*(\S.*)", re.IGNORECASE)
"""`Title:` among the header lines of a mail or PEP, or in front matter."""
_HEAD = 200_000
"""A title is looked for among so many characters."""
_SMALL, _MOST_TIMES = 1_000_000, 20
"""Above so many characters a text is refused that has so many times those of its HTML: cells can span thousands."""
_OPTIONS = ConversionOptions(
    extract_metadata=False,  # it would stand at the top of the text
    inline_data_media="alt_text_only",
    exclude_selectors=["svg", "iframe", "button", "select", "textarea"],
    preprocessing=PreprocessingOptions(remove_navigation=True, remove_forms=False),  # some sites wrap a page in a form
)


def format_of(name: str, text: str) -> Format:
    """Return the format that a file's ending tells; without one, HTML where the text opens so, and text otherwise."""
    named = type_by_ending(name)
    if named and named.format:
        return named.format
    return "html" if HTML.opening and HTML.opening.match(text.removeprefix("\ufeff")) else "text"


def readable(text: str, format: Format) -> tuple[str, Format]:
    """The text that is kept as the source, whose lines are counted, and its format: HTML becomes Markdown."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return (_markdown(text), "markdown") if format == "html" else (text, format)


def title_of(text: str, format: Format) -> str:
    """The title that a text gives itself before its headings (`<title>`, front matter, header lines), or nothing."""
    head = text[:_HEAD].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if format == "html":
        document = convert(_encodable(head)).metadata.document
        title = (document and document.title) or ""
    else:
        found = _TITLE_LINE.match(head)
        title = found[1].strip().strip("\"'") if found else ""
    return " ".join(title.split())


def _markdown(html: str) -> str:
    try:
        found = convert(_encodable(html), _OPTIONS)
    except ConversionError as fault:
        raise BadInput(
            "This HTML is damaged: Asof cannot read it.", "Save the page again from a browser, or as Markdown."
        ) from fault
    if any(warning.kind == WarningKind.DEPTH_LIMIT_EXCEEDED for warning in found.warnings):
        raise BadInput("This HTML nests its elements too deeply to read.", "Save the page as Markdown or plain text.")
    text = found.content or ""
    most = max(_SMALL, _MOST_TIMES * len(html))
    if len(text) > most:
        raise BadInput(
            f"This HTML contains {len(text) / 1e6:,.1f} MB of text; the limit is {most / 1e6:,.1f} MB.",
            "Save only the text of the page.",
        )
    return text


def _encodable(text: str) -> str:
    """The text with a question mark for each half of a character, which the converter refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
