"""What a token and an address grant together."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest

from services.core.errors import BadInput
from services.mcp.access import LOCAL, Access, TooWide, at_address

EARLY, MIDDLE, LATE = (datetime(year, 1, 1, tzinfo=UTC) for year in (2010, 2015, 2020))
CLIENT = Access("client", ("a", "b"), ("analyst", "omnii"), as_of=MIDDLE, known_at=MIDDLE)


def at(access: Access, query: str) -> Access:
    return at_address(access, [tuple(part.split("=", 1)) for part in query.split("&")], "_")  # type: ignore[misc]


def test_an_address_narrows_what_the_token_left_open() -> None:
    narrowed = at(replace(CLIENT, as_of=None, known_at=None), "workspace=a&as_of=2015&known_at=2020&toolsets=omnii")
    assert narrowed == replace(CLIENT, workspaces=("a",), as_of=MIDDLE, known_at=LATE, toolsets=("omnii",))


def test_of_two_instants_the_token_s_stands() -> None:
    assert at(CLIENT, "as_of=2010&known_at=2010") == CLIENT


@pytest.mark.parametrize("query", ["as_of=2020", "known_at=2020", "workspace=c", "workspace=a,c", "toolsets=knowledge"])
def test_a_wider_address_is_refused(query: str) -> None:
    with pytest.raises(TooWide, match=f"^{query.partition('=')[0]}: "):
        at(CLIENT, query)


@pytest.mark.parametrize(
    "query", ["as_of=", "as_of=yesterdayish", "known_at=10:30", "toolsets=magic", "workspace=", "asof=2015"]
)
def test_what_cannot_be_read_names_its_parameter(query: str) -> None:
    with pytest.raises(BadInput, match=f"^{query.partition('=')[0]}: "):
        at(Access(), query)
    with pytest.raises(BadInput, match=r"^as_of: the address has this parameter twice"):
        at(Access(), "as_of=2015&as_of=2016")


def test_without_a_token_an_address_chooses_among_all_toolsets() -> None:
    assert at(Access(LOCAL), "toolsets=omnii,knowledge").toolsets == ("knowledge", "omnii")


def test_no_address_ever_widens_a_token() -> None:
    values = {
        "workspace": [None, "a", "b", "a,b", "c"],
        "toolsets": [None, "analyst", "omnii", "analyst,omnii", "compute"],
        "as_of": [None, "2010", "2015", "2020"],
        "known_at": [None, "2010", "2015", "2020"],
    }
    for given in product(*values.values()):
        parameters = [(name, value) for name, value in zip(values, given, strict=True) if value is not None]
        try:
            found = at_address(CLIENT, parameters, "_")
        except TooWide:
            continue
        assert set(found.workspaces or ()) <= {"a", "b"}
        assert set(found.toolsets) <= {"analyst", "omnii"}
        assert (found.as_of, found.known_at) == (MIDDLE, MIDDLE)
