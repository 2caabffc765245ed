"""What the Sources page adds to the view: the source that is open."""

from dataclasses import dataclass
from typing import Annotated

from components.address import AddressPart, Parameter


@dataclass(frozen=True, slots=True)
class SourcesView(AddressPart):
    """`source` is the key of the open source; without one the page lists all."""

    source: Annotated[str | None, Parameter("s")] = None
