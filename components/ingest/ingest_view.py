"""What the Ingest page adds to the view: the review that is open."""

from dataclasses import dataclass
from typing import Annotated

from components.address import AddressPart, Parameter


@dataclass(frozen=True, slots=True)
class IngestView(AddressPart):
    """What a job left for review and is looked at, by the id of its item."""

    review: Annotated[str | None, Parameter("review")] = None
