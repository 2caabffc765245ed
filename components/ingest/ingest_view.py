"""What the Ingest page adds to the view: the way in, and the review that is open."""

from dataclasses import dataclass
from typing import Annotated

from components.address import AddressPart, Parameter, choice

WAYS = ("One fact", "Text", "Messages", "Files", "Web", "Table")
"""What something can be fed from."""


@dataclass(frozen=True, slots=True)
class IngestView(AddressPart):
    """The way in that was chosen, and what a job left for review and is looked at, by the id of its item."""

    way: Annotated[str | None, Parameter("how", choice(WAYS))] = None
    review: Annotated[str | None, Parameter("review")] = None
