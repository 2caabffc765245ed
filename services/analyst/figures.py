"""Figures that names are: "31,200 seats", "$4.2 million". Those of one unit can be compared."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.analyst.question_words import stems
from services.core.errors import BadInput
from services.core.models import Fact
from services.language.numbers import NUMBER, number

_FIGURE = re.compile(
    rf"(?:(?:about|around|some|over|nearly|ca\.?|~)\s*)?(?P<sign>[$£€¥]?)\s*(?=\d)(?P<number>{NUMBER})(?P<unit>.*)$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A value and what it counts."""

    value: float
    unit: str


def figure_of(name: str) -> Figure | None:
    """Return the figure that a name begins with; None where it begins with none."""
    match = _FIGURE.match(name.strip())
    if match is None:
        return None
    unit = " ".join((match["sign"], *stems(match["unit"]))).strip()
    return Figure(number(match["number"]), unit)


def is_of_figures(names: Iterable[str]) -> bool:
    """True for names that are all figures: "240 people"; not for none."""
    known = list(names)
    return bool(known) and all(map(figure_of, known))


def extreme(facts: Sequence[Fact], *, highest: bool) -> list[Fact]:
    """Return the facts that lead to the greatest figure, or to the smallest. Raises `BadInput` for several units."""
    figures = [(fact, figure) for fact in facts if (figure := figure_of(fact.target))]
    if len(units := {figure.unit for _, figure in figures}) > 1:
        raise BadInput(
            f"Asof cannot compare figures in {len(units)} different units.", "Ask for all the figures instead."
        )
    best = (max if highest else min)((figure.value for _, figure in figures), default=0.0)
    return [fact for fact, figure in figures if figure.value == best]
