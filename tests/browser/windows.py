"""The windows in which tests look at pages: both themes at every width under ASOF_FULL=1, otherwise one of them."""

from itertools import product

import pytest

from tests.conftest import FULL


def in_windows(*widths: int) -> pytest.MarkDecorator:
    """Give a test its `theme` and `width`: dark and the first width at least, which is to be the hardest one."""
    windows = list(product(("dark", "light"), widths))
    return pytest.mark.parametrize(("theme", "width"), windows if FULL else windows[:1])
