"""What the Timeline adds to the view: where it begins, and how many lines it shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from components.address import INSTANT, AddressPart, Parameter, number

FEW_LANES, MOST_LANES = 12, 600


@dataclass(frozen=True, slots=True)
class TimelineView(AddressPart):
    """`since` is where the chart begins, None at the first fact; `lanes` is how many lines it shows at most."""

    since: Annotated[datetime | None, Parameter("since", INSTANT)] = None
    lanes: Annotated[int, Parameter("lanes", number(range(1, MOST_LANES + 1)))] = FEW_LANES
