"""What the SQL page adds to the view: the query that was run, where, and how its rows are drawn."""

from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode

from components.address import AddressPart, Parameter, Spelling, choice

Tab = Literal["query", "join"]
TABS: tuple[Tab, ...] = ("query", "join")
LONGEST_IN_ADDRESS = 6_000
"""Browsers and proxies cut longer addresses."""

_PAIRS = Spelling(lambda text: tuple(parse_qsl(text, keep_blank_values=True)), urlencode)


@dataclass(frozen=True, slots=True)
class SqlView(AddressPart):
    """A query that was run. `values` are those of its `:names`, `files` the state of the tables that it read.

    `database` is the one that answers, "" for the graph and the tables from files. `chart` is what the viewer chose in
    the place of the chart that fits.
    """

    sql: Annotated[str, Parameter("sql")] = ""
    database: Annotated[str, Parameter("database")] = ""
    values: Annotated[tuple[tuple[str, str], ...], Parameter("values", _PAIRS)] = ()
    files: Annotated[tuple[tuple[str, str], ...], Parameter("files", _PAIRS)] = ()
    chart: Annotated[tuple[tuple[str, str], ...], Parameter("chart", _PAIRS)] = ()
    tab: Annotated[Tab, Parameter("tab", choice(TABS))] = TABS[0]
