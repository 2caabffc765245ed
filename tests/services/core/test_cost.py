"""What tokens cost, by the prices that somebody set."""

import pytest

from services.core.cost import Prices, Usage
from services.core.errors import BadInput


def test_a_cache_is_cheap_to_read_and_dear_to_write() -> None:
    prices = Prices("claude-sonnet-5-5=3/15, org/local:7b=0/0")
    usage = Usage(input=1_000_000, output=100_000, cache_read=2_000_000, cache_write=400_000)
    assert prices.cost("claude-sonnet-5-5", usage) == pytest.approx(3 + 1.5 + 0.6 + 1.5)
    assert prices.cost("org/local:7b", usage) == 0


def test_a_model_without_a_price_has_no_cost() -> None:
    assert Prices("").cost("claude-sonnet-5-5", Usage(input=1)) is None
    assert "claude-sonnet-5-5" not in Prices("claude-sonnet-5=3/15")


def test_usages_add_up() -> None:
    whole = Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40)
    assert whole == Usage(11, 22, 33, 44)
    assert (whole.read, whole.total) == (88, 110)


@pytest.mark.parametrize("text", ["m", "m=3", "m=3/x", "=3/15", "m=-1/2", "m=nan/2", "m=1/2/3", "a=1/2,b", "m=inf/1"])
def test_a_price_that_cannot_be_read_names_the_setting(text: str) -> None:
    with pytest.raises(BadInput, match="ASOF_PRICES"):
        Prices(text)
