"""Words that pages, commands and tools share."""

NOTHING_FITS = "No passage or fact matches closely; nearest by meaning:"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 fact`, `2,431 facts`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
