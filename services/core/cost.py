"""What a model's tokens cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.core.config import listed
from services.core.errors import BadInput

_CACHE_READ, _CACHE_WRITE = 0.1, 1.25
"""What an input token costs that is read from the cache, or written to it, beside one that is neither."""
_HINT = (
    "Write MODEL=IN/OUT, with input and output prices in dollars per million tokens: claude-sonnet-5-5=3/15. "
    "Separate models with commas."
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of requests. `input` are those that the cache had nothing to do with."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def read(self) -> int:
        """Everything that the model read, through the cache or not."""
        return self.input + self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        """Everything that it read and wrote."""
        return self.read + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


class Prices:
    """The prices of ASOF_PRICES. Raises `BadInput` that names it for a text that cannot be read."""

    def __init__(self, text: str) -> None:
        self._of: Mapping[str, tuple[float, float]] = dict(map(_price, listed(text)))

    def __contains__(self, model: str) -> bool:
        return model in self._of

    def cost(self, model: str, usage: Usage) -> float | None:
        """US dollars for these tokens; None where the model has no price."""
        if model not in self._of:
            return None
        dollars_in, dollars_out = self._of[model]
        read = usage.input + usage.cache_read * _CACHE_READ + usage.cache_write * _CACHE_WRITE
        return (read * dollars_in + usage.output * dollars_out) / 1_000_000


def _price(part: str) -> tuple[str, tuple[float, float]]:
    model, _, price = part.rpartition("=")
    try:
        dollars_in, dollars_out = (float(number) for number in price.split("/"))
    except ValueError as error:
        raise BadInput(f"ASOF_PRICES is not valid: “{part}” is not a valid price.", _HINT) from error
    if not model.strip() or not (0 <= dollars_in < float("inf") and 0 <= dollars_out < float("inf")):
        raise BadInput(f"ASOF_PRICES is not valid: “{part}” does not give a model's prices.", _HINT)
    return model.strip(), (dollars_in, dollars_out)
