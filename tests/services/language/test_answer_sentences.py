import pytest

from services.language.answer_sentences import split


def cited(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(sentence.text, sentence.citations) for sentence in split(text)]


def test_a_citation_before_or_after_the_full_stop_belongs_to_the_sentence() -> None:
    assert cited("PEP 8 is Active [1]. It has type Process. [2][3] It is old.") == [
        ("PEP 8 is Active.", (1,)),
        ("It has type Process.", (2, 3)),
        ("It is old.", ()),
    ]


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("[1]", (1,)),
        ("[1][2]", (1, 2)),
        ("[1] [2]", (1, 2)),
        ("[1, 2]", (1, 2)),
        ("[1-3]", (1, 2, 3)),
        ("[2–3]", (2, 3)),
        ("[4; 6]", (4, 6)),
        ("[2][2]", (2,)),
    ],
)
def test_numbers_are_read_alone_in_lists_and_in_ranges(marker: str, numbers: tuple[int, ...]) -> None:
    assert cited(f"It holds {marker}.") == [("It holds.", numbers)]


def test_a_link_is_no_citation() -> None:
    assert cited("See [1](https://example.org).") == [("See [1](https://example.org).", ())]


@pytest.mark.parametrize(
    "text",
    [
        "It runs on Python 3.7.0 and later.",
        "J. R. Smith met A.M. Kuchling in Rome.",
        "Some, e.g. Draft, are short, i.e. one word.",
        "Dr. Levin wrote No. 5 with Acme Inc. in May.",
        "It grew by 2.5 percent vs. 1.2 before.",
        "The call is `a. B`, as before.",
    ],
)
def test_a_full_stop_within_a_sentence_does_not_end_it(text: str) -> None:
    assert cited(text) == [(text, ())]


def test_a_name_that_ends_in_a_full_stop_may_end_a_sentence() -> None:
    assert [text for text, _ in cited("She joined Acme Inc. It grew. He lives in the U.S. The end.")] == [
        "She joined Acme Inc.",
        "It grew.",
        "He lives in the U.S.",
        "The end.",
    ]


def test_list_items_table_rows_and_headings_are_cut_apart() -> None:
    text = (
        "## History\n\nHere is what I found:\n- Draft from 2001 [1]\n- Final since 2013 [2]\n  and still so.\n"
        "1. One [3]\n\n| name | status |\n|---|---|\n| PEP 8 | Active [4] |\n\n---\n> Quoted [5]."
    )
    assert cited(text) == [
        ("## History", ()),
        ("Here is what I found:", ()),
        ("Draft from 2001", (1,)),
        ("Final since 2013 and still so.", (2,)),
        ("One", (3,)),
        ("PEP 8 | Active", (4,)),
        ("Quoted.", (5,)),
    ]


def test_lines_that_each_end_in_a_citation_are_sentences() -> None:
    assert cited("PEP 8 was Draft [1]\nPEP 8 was Active [2]") == [("PEP 8 was Draft", (1,)), ("PEP 8 was Active", (2,))]


def test_what_is_fenced_is_no_sentence() -> None:
    assert cited("It is so [1].\n```\nSELECT 1. FROM x [2].\n```\nIt ends [3].") == [
        ("It is so.", (1,)),
        ("It ends.", (3,)),
    ]


def test_offsets_cover_a_sentence_with_its_citations() -> None:
    text = "- **PEP 8** is Active. [1] It is old [2]!"
    assert [text[one.start : one.end] for one in split(text)] == ["**PEP 8** is Active. [1]", "It is old [2]!"]


@pytest.mark.parametrize("text", ["", "   \n", "[1]", "---", "|---|---|"])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert split(text) == ()
