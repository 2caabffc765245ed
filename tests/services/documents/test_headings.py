"""Headings and their lines, in Markdown and in reStructuredText."""

import pytest

from services.documents import markdown, restructured


def headings(module, text: str) -> list[tuple[int, int, int, str]]:
    return [(h.start, h.end, h.rank, h.name) for h in module.outline(text).headings]


def test_markdown_has_headings_with_signs_and_with_lines_below_them():
    text = "# Profile\ntext\n\nSkills\nand more\n------\n\n### `code` & *words* [link](x) ###\n"
    assert headings(markdown, text) == [
        (0, 1, 1, "Profile"),
        (3, 6, 2, "Skills and more"),
        (7, 8, 3, "code & words link"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# comment\n```",
        "~~~~\n# comment\n```\n# comment",
        "    # code",
        "> # quoted",
        "- # item",
        "<!--\n# hidden\n-->",
        "#hashtag",
        "\\# escaped",
        "#\n",
        "# " + "long " * 100,
        "---\n# a comment: in YAML\ntitle: x\n---\n",
        "+++\ntitle = 'x'\n+++\n",
        "***",
    ],
)
def test_what_looks_like_a_heading_of_markdown_and_is_none(text):
    assert headings(markdown, text) == []


def test_front_matter_is_skipped_and_a_rule_is_not():
    assert markdown.front_matter_lines("---\ntitle: x\n---\n# A\n") == 3
    assert markdown.front_matter_lines("---\ntitle: x\n") == 0
    assert markdown.front_matter_lines("---\n\nJust a rule\n\n---\n") == 0
    assert headings(markdown, "---\ntitle: x\n---\n# A\n") == [(3, 4, 1, "A")]


def test_restructured_text_ranks_its_signs_by_their_first_appearance():
    text = "====\nBook\n====\n\nPart\n====\n\nChapter\n-------\n\nPart\n====\n"
    assert headings(restructured, text) == [
        (0, 3, 0, "Book"),
        (4, 6, 1, "Part"),
        (7, 9, 2, "Chapter"),
        (10, 12, 1, "Part"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A longer title\n===",
        "two lines\nof text\n=======",
        "  indented\n========",
        "- item\n------",
        ":field: x\n=========",
        ">>> 1\n=====",
        "====  ====\na     b\n====  ====\n1     2\n====  ====",
        "+----+\n| ab |\n+----+\n",
        "text\n\n----\n\ntext",
        "=====\ntitle\n-----",
        "----\n\n----",
        "===",
        "a::\n\n    Title\n    =====\n",
        "Title\n=-=-=",
        "t" * 400 + "\n" + "=" * 400,
    ],
)
def test_what_looks_like_a_heading_of_restructured_text_and_is_none(text):
    assert headings(restructured, text) == []


@pytest.mark.parametrize(
    "before", ["", "text\n\n", ".. _label:\n\n", ".. _label:\n", "  quoted\n", "Top\n---\n", "Top\n---\n=====\n"]
)
def test_a_title_starts_a_paragraph(before):
    assert headings(restructured, f"{before}Title\n=====\n")[-1][3] == "Title"


def test_a_line_of_signs_may_be_a_little_short_as_in_docutils():
    assert headings(restructured, "A longer title\n====\n") == [(0, 2, 0, "A longer title")]
    assert headings(restructured, "Hi\n==\n") == [(0, 2, 0, "Hi")]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("The ``__init__`` *method* of **all**", "The __init__ method of all"),
        ("See :mod:`!string.templatelib`", "See string.templatelib"),
        ("Use :c:member:`~PyLongExport.value` now", "Use value now"),
        ("`Text <http://example.org>`_ and `more`_", "Text and more"),
        ("Python_ rocks [1]_", "Python rocks"),
        (r"``TypeVarTuple``\s and \*args", "TypeVarTuples and *args"),
        ("self.__super__.foo(*args)", "self.__super__.foo(*args)"),
        ("Spelled  out", "Spelled out"),
    ],
)
def test_a_title_is_named_without_its_markup(title, name):
    assert restructured.plain(title) == name
