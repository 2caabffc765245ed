"""The words that the name of a column or table is made of, written out where they are shortened."""

import re

from services.analyst.question_words import lines_of

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SHORT = dict(line.split(" ", 1) for line in lines_of("column_abbreviations.txt"))
_TAILS, _WHOLE = (line.split()[1:] for line in lines_of("run_together.txt"))
_RUN_TOGETHER = re.compile(rf"(\w{{3,}})({'|'.join(_TAILS)})")


def written_parts(name: str) -> list[str]:
    """Return the words of a name that underscores or capitals part, as they are written."""
    return [part.lower() for part in _PART.findall(name)]


def parts_of(name: str) -> list[str]:
    """Return the words of a name, those that run together and those that are shortened, too."""
    parts = [word for part in written_parts(name) for word in _apart(part)]
    return [word for part in parts for word in _SHORT.get(part, part).split()]


def _apart(part: str) -> tuple[str, ...]:
    """Return "net" and "price" of a "netprice"."""
    run = None if part in _SHORT or part in _WHOLE else _RUN_TOGETHER.fullmatch(part)
    return (run[1], run[2]) if run else (part,)
