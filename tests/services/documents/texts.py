"""Documents for the readers' tests, and texts that hypothesis makes up."""

from hypothesis import strategies as st

from services.core.models import Document, StructuredDocument
from services.documents.file_types import Format
from services.documents.structure import structured
from services.documents.text_formats import readable

FORMATS: tuple[Format, ...] = ("markdown", "rst", "text")


def document(format: str = "text") -> Document:
    return Document(id="file123", title="A text", content_hash="h", episode_uuid="e", format=format)


def read(text: str, format: Format) -> StructuredDocument:
    return structured(document(format), text)


_LINES = st.sampled_from(
    [
        "",
        "",
        " ",
        "# Profile",
        "## Skills",
        "### Deep `down`",
        "#",
        "Title",
        "=====",
        "-----",
        "~~~",
        "***",
        "```",
        "---",
        "key: value",
        "- an item",
        "  more of it",
        "1. first",
        "    code()",
        "| a | b |",
        "|---|---|",
        "> said",
        "[ref]: http://example.org",
        ".. _target:",
        ".. note:: x",
        "::",
        "<div>",
        "</div>",
        "A. B? C!\x0cD",
        "\u2028x",
        "He said so. And left. " * 20,
        "word " * 400,
        "x" * 3_000,
        "  " * 700,
        "\u00a0",
    ]
)
_MADE_UP = st.lists(st.one_of(_LINES, st.text(max_size=30)), max_size=25).map("\n".join)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, Format]:
    """A text as it is kept, and its format."""
    return readable(draw(_MADE_UP), draw(st.sampled_from(FORMATS)))
