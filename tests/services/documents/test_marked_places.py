"""Where a text says a fact, texts in pieces, and what differs between two."""

from hypothesis import given
from hypothesis import strategies as st

from services.core.models import Fact
from services.documents.marked_places import by_line, differences, pieces, places

TEXT = """Ada Lovelace was born in London.
She works for Engines Ltd. since 2019. Bob does not.

Bob lives
in Paris now.
"""


def fact(source: str, relation: str, target: str, text: str = "") -> Fact:
    return Fact(f"{source}-{relation}-{target}", source, target, source, relation, target, text)


def quoted(found: Fact, content: str = TEXT) -> str | None:
    span = places([found], content).get(found.uuid)
    return None if span is None else content[slice(*span)]


def test_the_own_words_of_a_fact_are_its_place() -> None:
    assert (
        quoted(fact("A", "R", "B", "She works for Engines Ltd. since 2019."))
        == "She works for Engines Ltd. since 2019."
    )


def test_a_sentence_with_the_own_words_of_a_fact_is_marked_whole() -> None:
    assert quoted(fact("A", "R", "B", "She works for Engines Ltd.")) == "She works for Engines Ltd. since 2019."
    assert quoted(fact("A", "R", "B", "2019. Bob does")) == "2019. Bob does"


def test_a_sentence_that_names_both_ends_says_the_fact() -> None:
    assert quoted(fact("Ada Lovelace", "BORN_IN", "London")) == "Ada Lovelace was born in London."


def test_of_two_sentences_with_the_target_the_one_with_the_relation_says_it() -> None:
    content = "Engines is near. She works for Engines. Engines closed."
    assert quoted(fact("Ada", "WORKS_FOR", "Engines"), content) == "She works for Engines."


def test_the_target_alone_is_enough_and_the_source_alone_is_not() -> None:
    assert quoted(fact("Ada Lovelace", "LIVES_IN", "Paris")) == "Bob lives\nin Paris now."
    assert quoted(fact("Ada Lovelace", "LIVES_IN", "Rome")) is None


def test_a_word_within_another_word_is_not_taken_for_it() -> None:
    assert quoted(fact("Ada", "LIKES", "art"), "She starts early.") is None


def test_an_empty_text_says_nothing() -> None:
    assert places([fact("Ada", "LIKES", "art")], "") == {}


@given(st.text("ab \n", max_size=60), st.integers(1, 20))
def test_pieces_are_the_whole_text_in_order_and_none_is_too_long(content: str, most: int) -> None:
    cuts = pieces(content, most)
    assert "".join(content[start:stop] for start, stop in cuts) == content
    assert all(0 <= stop - start <= most for start, stop in cuts)


def test_a_piece_ends_behind_a_line_where_one_ends() -> None:
    assert pieces("aaa\nbbb\nccc", 6) == ((0, 4), (4, 8), (8, 11))
    assert pieces("aaaaaaa", 3) == ((0, 3), (3, 6), (6, 7))


@given(
    st.text("ab\n", max_size=40),
    st.dictionaries(st.sampled_from("xyz"), st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted).map(tuple)),
    st.integers(1, 15),
)
def test_marks_by_line_are_the_letters_of_the_spans(content: str, spans: dict[str, tuple[int, int]], most: int) -> None:
    marked = []
    for shown in pieces(content, most):
        first = content.count("\n", 0, shown[0]) + 1
        lines = content[slice(*shown)].split("\n")
        starts = [shown[0] + sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines))]
        for number, marks in by_line(content, shown, spans).items():
            assert marks == sorted(marks)
            for start, stop, key in marks:
                assert 0 <= start < stop <= len(lines[number - first])
                at = starts[number - first]
                assert spans[key][0] <= at + start < at + stop <= spans[key][1]
                marked += range(at + start, at + stop)
    wanted = {n for start, stop in spans.values() for n in range(start, min(stop, len(content))) if content[n] != "\n"}
    assert sorted(marked) == sorted(wanted)


def test_differences_are_lines_with_the_words_that_changed() -> None:
    before = "one\ntwo\nthree\nfour\nfive\nsix\nAda lives in Turin with Bob.\n"
    after = "one\ntwo\nthree\nfour\nfive\nsix\nAda lives in Paris with Bob.\nAnd Cy.\n"
    found = differences(before, after)
    assert found is not None
    assert [(line.kind, line.text) for line in found] == [
        ("gap", "4"),
        ("same", "five"),
        ("same", "six"),
        ("ended", "Ada lives in Turin with Bob."),
        ("added", "Ada lives in Paris with Bob."),
        ("added", "And Cy."),
        ("same", ""),
    ]


def test_a_reworded_line_marks_its_words() -> None:
    found = differences("Ada lives in Turin with Bob.", "Ada lives in Paris with Bob.")
    assert found is not None
    assert [[line.text[slice(*span)] for span in line.changed] for line in found] == [["Turin"], ["Paris"]]


def test_the_same_text_differs_in_nothing_and_a_huge_one_is_not_compared() -> None:
    assert differences("a\nb", "a\nb") == ()
    assert differences("\n" * 30_000, "a") is None
