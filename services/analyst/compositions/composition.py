"""What a question made of others is made of: the other questions, and how what they list goes together."""

from dataclasses import dataclass
from typing import Literal

Way = Literal[
    "both",
    "each",
    "without",
    "never",
    "except",
    "fellows",
    "so",
    "all_so",
    "not_so",
    "of",
    "dated",
    "alike",
    "always",
    "any",
    "again",
    "passed",
    "earliest",
    "latest",
    "first",
    "last",
    "more",
    "fewer",
    "longer",
    "shorter",
]

UNITS = {"day": 10, "date": 10, "month": 7, "year": 4}
"""What two times may have alike, and how much of a date as text tells it."""
GAP = "\0"
"""Where a question leaves room for the answer to another one."""


@dataclass(frozen=True, slots=True)
class Composition:
    """Other questions, and how what they list goes together.

    "both" is what all of them list (`joint` "later": what the second does after the first, "together": at one time),
    "each" what any of them does, which has to be something of each; "without" what the first lists and the others do
    not, "never" those of `names` that the one does not list, "except" what the one lists but
    for `names`, "fellows" the same where they are among it; "so" and "not_so" are those of `names` whose part is
    answered with yes, or no, "all_so" tells whether all parts are (`joint` "later": in this order); "of" asks the
    second, which has a gap, of what the first lists but for `names`, which `pronoun` stands for (`joint` "subject": for
    nothing else; `decides`: whether it is so of any); "dated" asks the second at the time of the first, which `joint`
    says how to take; "alike" tells whether both parts list the same; "always" whether nothing else than what the one
    says ever was; "any" whether anybody is what it lists; "again" keeps those who have what the one lists `number`
    times, or more often (`joint` "same": with the same name), or tells whether or, with `joint` "when", since when it
    was so a second time; "earliest" and "latest" keep what began first or last of
    all (`joint` "now": of what holds now); "passed" tells how long it was from what the first says to what the second
    does, or when (`joint`). The others compare what is found for each of `names`: whose is first, or more.
    `counts` tells that a number is asked for, `decides` a yes or no.
    """

    way: Way
    parts: tuple[str, ...]
    names: tuple[str, ...] = ()
    pronoun: str = ""
    joint: str = ""
    number: int = 0
    counts: bool = False
    decides: bool = False
