"""The table of changes: which phrases tell of an end by themselves, which of a beginning."""

import pytest

from services.extraction.rules.findings import CHANGED
from services.language.changes import change_verbs, ending_phrases, starting_verbs, tells_end


@pytest.mark.parametrize(
    "words",
    [
        "after she handed in her notice",
        "before his contract expired",
        "since the departure of Olga",
        "when they gave up the lease",
        "once he was ousted",
        "until Olga divorced him",
    ],
)
def test_words_of_an_end_tell_of_one(words):
    assert tells_end(words.split())


@pytest.mark.parametrize(
    "words",
    ["after she joined Kiln", "when Olga succeeded Tom", "before he handed the report to Olga", "since Kiln is in Ulm"],
)
def test_beginnings_and_handovers_are_no_ends(words):
    assert not tells_end(words.split())


def test_no_verb_tells_of_both_an_end_and_a_beginning():
    assert ending_phrases() & starting_verbs() == set()


def test_each_line_says_who_loses_or_who_gains_and_what_kind_of_thing():
    lines = [one for changes in change_verbs().values() for one in changes]
    assert all((one.loses or one.gains) and one.about <= {*CHANGED, "any"} for one in lines)
