"""How each entity type looks, on charts, in lists and in the graph: one shape and one colour, always the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services import cached
from services.mirror import Mirror


@dataclass(frozen=True, slots=True)
class Look:
    """A type's mark. `shape` is vis-network's name, `css` our class, `mark` the character for labels without markup.

    `light` and `dark` are the colour in each theme.
    """

    shape: str
    css: str
    mark: str
    light: str
    dark: str


_SHAPES = (
    ("dot", "a-g-circle", "●"),
    ("square", "a-g-square", "■"),
    ("diamond", "a-g-diamond", "◆"),
    ("triangle", "a-g-triangle", "▲"),
    ("hexagon", "a-g-hex", "⬢"),
)
COLOURS = (
    ("#3D76BB", "#75C4FE"),
    ("#AA4C1A", "#F3883B"),
    ("#39A294", "#84F6E1"),
    ("#7A3963", "#AD6389"),
    ("#958E36", "#DFCE81"),
)
OTHER = Look("dot", "a-g-ring", "○", "#6F7174", "#AEB0B3")
"""The mark of an entity without a type, and of types past the twenty-five that can be told apart."""


def palette(types: Sequence[str]) -> Mapping[str, Look]:
    """A look for each of `types`, by their order; "" (no type) has the look `OTHER`.

    The first five types differ in shape and colour; the next twenty repeat a colour with another shape.
    """
    looks = {"": OTHER}
    for place, name in enumerate(name for name in dict.fromkeys(types) if name):
        turn, colour = divmod(place, len(COLOURS))
        is_distinct = turn < len(_SHAPES)
        looks[name] = Look(*_SHAPES[(colour + turn) % len(_SHAPES)], *COLOURS[colour]) if is_distinct else OTHER
    return looks


def looks_of(workspace: str) -> Mapping[str, Look]:
    """Return the look of each entity type of a workspace."""
    return palette([found.name for found in cached.ask(Mirror.types, workspace)])
