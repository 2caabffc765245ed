"""What readers find in a text before it is cut: its headings, and what belongs together. Lines count from 0 here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LONGEST_HEADING = 300
"""Nobody writes longer headings: what looks like one is text, and stays findable as such."""
LONGEST_MARKUP = 3_000
"""A heading with its links is not longer than this; what is, is not worth the parsing."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on the lines from `start` up to `end`, excluded. The smaller its `rank`, the higher it stands."""

    start: int
    end: int
    rank: int
    name: str


@dataclass(frozen=True, slots=True)
class Whole:
    """Lines from `start` up to `end`, excluded, that are best read together. In code each line counts by itself."""

    start: int
    end: int
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a text in their order, the blocks to keep whole by their first lines, and what nobody reads.

    Without `has_blocks` it is indentation that tells what belongs to the paragraph above.
    """

    headings: tuple[Heading, ...] = ()
    has_blocks: bool = False
    wholes: Mapping[int, Whole] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()

    def ends_paragraph(self, line: int) -> bool:
        """True when something else than the rest of a paragraph is on this line."""
        return line in self.wholes or line in self.skipped


def heading_name(title: str, plain: Callable[[str], str]) -> str:
    """The name of the heading with this title, by the `plain` of its format; empty for what can be no heading."""
    name = plain(title) if len(title) <= LONGEST_MARKUP else ""
    return name if len(name) <= LONGEST_HEADING else ""
