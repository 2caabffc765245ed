"""Which given names are forms of one another: "Bernie" and "Bernard"."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_ENDINGS = frozenset("aoe")
_FEMININE = frozenset(("a", "e", "ia", "ina", "ine", "ette", "etta"))
_FILE = Path(__file__).parent / "given_names.txt"


def other_forms(name: str) -> frozenset[str]:
    """Return the other forms of a given name in lower case: "samuel" and "samantha" of "sam"."""
    return _forms().get(name, frozenset())


def are_different(one: str, other: str) -> bool:
    """True for two given names that differ by a feminine ending: "roberta" and "robert", "paula" and "paulo"."""
    if one[:-1] == other[:-1] and one[-1:] != other[-1:] and {one[-1:], other[-1:]} <= _ENDINGS:
        return True
    shorter, longer = sorted((one, other), key=len)
    return longer.removeprefix(shorter) in _FEMININE if longer != shorter and longer.startswith(shorter) else False


@cache
def _forms() -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        group = frozenset(() if line.startswith("#") else line.split())
        for name in group:
            found[name] |= group - {name}
    return found
