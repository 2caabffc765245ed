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


def test_a_spoken_label_has_no_backslashes_and_no_markup() -> None:
    assert markup.spoken("“Jean-Paul (Sr.)” is ![x](http://host/leak.png)") == (
        "“Jean-Paul (Sr.)” is x (http //host/leak.png)"
    )


def test_long_names_that_differ_at_their_ends_stay_apart() -> None:
    address = "http://host.example/handbook/chapters/"
    first, second = markup.with_numbers([f"{address}one", f"{address}two"])
    assert first.endswith("one")
    assert second.endswith("two")
    assert max(len(first), len(second)) == 32
    assert markup.with_numbers(["notes.txt", "notes.txt", "b"]) == ["notes.txt (1)", "notes.txt (2)", "b"]


@given(st.text("ab`*_[]()!<>:$#~|\\&+-"))
def test_no_sign_of_markdown_is_left_without_its_backslash(value: str) -> None:
    left = markup.plain(value)
    while left:
        assert left[0] == "\\" or left[0] in "ab"
        left = left[2:] if left[0] == "\\" else left[1:]
