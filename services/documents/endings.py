"""Which files are texts that can be read, by their endings."""

from typing import Literal

Format = Literal["markdown", "rst", "html", "text"]

ENDINGS: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "text",
}
