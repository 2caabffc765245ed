"""The list of the strings that people read, and wording that was given up."""

import re

import pytest

from tools.strings import interface_strings

pytestmark = pytest.mark.slow

GIVEN_UP = (
    "Its old name finds it",
    "stand here",
    "I did not understand what is asked",
    "Search looks in the documents",
    "Nothing is called “",
    "No call is like that",
    "Take something in",
    "A click goes to that date",
    "with what is ticked marked",
    "Who reads the facts",
    "is read against it",
    "True until, not including",
    "One of the graph, or a new one",
    "Where you know it from",
    "in the past neither",
    "What tells you so",
    "Entities twice",
    "They are two",
    "At odds",
    "Loose ends",
    "The past stays readable",
    "Embed it anew",
    "are joined by",
    "by what retired them",
    "the surest first",
    "It is right",
    "Walk the graph",
    "Put both side by side",
    "Others of this workspace may read it",
    "the result of a call",
    "a name never changes, a label may",
    "it is used once the settings name it",
    "Embed anew",
    "in step at",
    "It follows the graph by itself",
    "put back as it came",
    "with commas between",
    "the list of jobs below has them all",
    "You can go on elsewhere",
    "some seconds more",
    "Nothing is reported to anybody",
    "It is gone on with",
    "nothing of it is in",
)


@pytest.fixture(scope="module")
def strings() -> list[str]:
    return [each.text for each in interface_strings()]


@pytest.mark.parametrize("words", GIVEN_UP)
def test_wording_that_was_given_up_is_not_used_again(words: str, strings: list[str]) -> None:
    assert [text for text in strings if words in text] == []


def test_strings_of_pages_commands_and_errors_are_listed_and_code_is_not(strings: list[str]) -> None:
    assert "Facts found in your text appear here for review." in strings
    assert "run the MCP server on standard input and output" in strings
    assert "There is no workspace “{…}”." in strings
    assert not [text for text in strings if "MATCH (" in text or "SELECT " in text]


def test_headings_are_listed_and_words_that_the_graph_or_a_header_needs_are_not(strings: list[str]) -> None:
    assert {"Key points", "Success rate", "Recording delay"} <= set(strings)
    assert not {"Episodic", "Organization", "Bearer", "UNION ALL", "christmas eve"} & set(strings)
    assert not [text for text in strings if text.startswith("%s") or "class=" in text]


def test_texts_in_markup_before_a_filled_in_part_and_in_scripts_are_listed(strings: list[str]) -> None:
    listed = {" ".join(text.split()) for text in strings}
    assert "The answer cites no sources." in listed
    assert "No results for “{…}”. {…}" in listed
    assert "Select entities with {…}" in listed
    assert not [text for text in strings if "px" in text]


def test_no_space_stands_before_a_full_stop_and_apostrophes_are_straight(strings: list[str]) -> None:
    listed = [" ".join(text.split()) for text in strings]
    assert not [text for text in listed if re.search(r"\w [.,;:](?:\s|$)", text) or "’" in text]


def test_no_string_has_three_full_stops_for_an_ellipsis(strings: list[str]) -> None:
    assert not [text for text in strings if "..." in text]
