"""Markup in texts from outside: shown as what it means, never run."""

import pytest

from components.markup import prose, without_markup


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (":pep:`3107` introduced syntax", "PEP 3107 introduced syntax"),
        ("the ``typing`` module and `mypy`_", "the <code>typing</code> module and mypy"),
        ("**bold** and *plain* and 2*3*4", "<b>bold</b> and plain and 2*3*4"),
        ("see `the list <https://a.b>`_ or [this](http://c)", "see the list or this"),
        (":func:`~os.path` and :ref:`words <anchor>`", "os.path and words"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ],
)
def test_markup_within_a_text_is_shown_as_meant(written: str, shown: str) -> None:
    assert prose(written) == shown


def test_a_text_without_its_markup_can_be_cut_anywhere() -> None:
    assert without_markup("``a < b`` is **so** for :pep:`8`") == "a < b is so for PEP 8"
