"""When two names are the same. Databases fold case each in its own way, so this is decided here for all of them."""

from collections.abc import Callable, Iterable


def same_name(one: str, other: str) -> bool:
    """True for names that differ in case at most, in any script: `STRASSE` is `straße`, `ΣΊΣΥΦΟΣ` is `σίσυφος`."""
    return one == other or one.casefold() == other.casefold()


def of_name[T](items: Iterable[T], name: str, named: Callable[[T], str]) -> list[T]:
    """The items that are named exactly so; failing that, those of the same name."""
    everything = list(items)
    exact = [item for item in everything if named(item) == name]
    return exact or [item for item in everything if same_name(named(item), name)]
