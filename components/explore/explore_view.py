"""What the Explore page adds to the view: how far the picture reaches, and what is left out of it."""

from dataclasses import dataclass
from typing import Annotated

from components.address import FLAG, LIST, SET, AddressPart, Parameter, number


@dataclass(frozen=True, slots=True)
class ExploreView(AddressPart):
    """`roots` are the entities that the picture has grown from, in their order, and `hidden` those taken out of it.

    `group` is the community or saga that the panel shows, and `by_community` has colours tell communities apart.
    `unfolded` shows values that nearly everything hangs on as entities like others. `path_to` is where a path from the
    selected entity leads.
    """

    roots: Annotated[tuple[str, ...], Parameter("r", LIST)] = ()
    hops: Annotated[int, Parameter("hops", number(range(1, 4)))] = 1
    hidden_types: Annotated[tuple[str, ...], Parameter("hidden_types", SET)] = ()
    hidden_relations: Annotated[tuple[str, ...], Parameter("hidden_relations", SET)] = ()
    hidden: Annotated[tuple[str, ...], Parameter("h", SET)] = ()
    group: Annotated[str | None, Parameter("group")] = None
    by_community: Annotated[bool, Parameter("communities", FLAG)] = False
    unfolded: Annotated[bool, Parameter("unfold", FLAG)] = False
    path_to: Annotated[str | None, Parameter("path")] = None
