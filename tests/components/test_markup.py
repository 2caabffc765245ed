"""Text from data stays text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import markup


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("PEP 484", "PEP 484"),
        ("![x](http://host/leak.png)", r"\!\[x\]\(http\://host/leak.png\)"),
        (":red[a] $x$ **b**", r"\:red\[a\] \$x\$ \*\*b\*\*"),
    ],
)
def test_markdown_in_data_is_shown_as_it_stands(value: str, shown: str) -> None:
    assert markup.plain(value) == shown


@given(st.text("ab`*_[]()!<>:$#~|\\&+-"))
def test_no_sign_of_markdown_is_left_without_its_backslash(value: str) -> None:
    left = markup.plain(value)
    while left:
        assert left[0] == "\\" or left[0] in "ab"
        left = left[2:] if left[0] == "\\" else left[1:]
