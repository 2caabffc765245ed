"""What a question means by its dates."""

from datetime import UTC, datetime

import pytest

from services.analyst.time_frame import TimeFrame, time_frame

NOW = datetime(2026, 11, 22, 15, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def read(question: str) -> TimeFrame:
    """The time of a question without names."""
    return time_frame(question, question, NOW)


INSTANTS = [
    ("on 2015-03-05", "2015-03-05"),
    ("on 2015/03/05", "2015-03-05"),
    ("at 2015-03-05T14:30:00Z", "2015-03-05T14:30"),
    ("at 2015-03-05 14:30 UTC", "2015-03-05T14:30"),
    ("at 2015-03-05T16:00:00+02:00", "2015-03-05T14:00"),
    ("at 2015-03-05T14:30:11.250000+00:00", "2015-03-05T14:30:11.250"),
    ("on 22 May 2015", "2015-05-22"),
    ("on the 22nd of May, 2015", "2015-05-22"),
    ("on 22-May-2015", "2015-05-22"),
    ("on 22/May/2015", "2015-05-22"),
    ("May 22nd, 2015", "2015-05-22"),
    ("on May 22 2015 at noon", "2015-05-22T12:00"),
    ("at noon on 22 May 2015", "2015-05-22T12:00"),
    ("at 3pm on 5 March 2014", "2014-03-05T15:00"),
    ("on 5th March, 2014 at 15:22:10 UTC", "2014-03-05T15:22:10"),
    ("Wednesday, 5 March 2014", "2014-03-05"),
    ("on 25/12/2019", "2019-12-25"),
    ("on 14.03.2015", "2015-03-14"),
    ("on New Year's Day 2012", "2012-01-01"),
    ("on Christmas Eve 2018", "2018-12-24"),
    ("at the start of 2014", "2014-01-01"),
    ("at the end of March 2015", "2015-03-31"),
    ("yesterday", "2026-11-21"),
    ("three days ago", "2026-11-19"),
    ("on 5 May", "2026-05-05"),
    ("two weeks after 22 May 2015", "2015-06-05"),
    ("the day before 2015-03-01", "2015-02-28"),
]

PERIODS = [
    ("in 2010", "2010-01-01", "2011-01-01"),
    ("in the year 2011", "2011-01-01", "2012-01-01"),
    ("in May 2015", "2015-05-01", "2015-06-01"),
    ("in 2015-03", "2015-03-01", "2015-04-01"),
    ("in 03/2015", "2015-03-01", "2015-04-01"),
    ("in Q3 2014", "2014-07-01", "2014-10-01"),
    ("in the third quarter of 2014", "2014-07-01", "2014-10-01"),
    ("in the first half of 2014", "2014-01-01", "2014-07-01"),
    ("in the 1990s", "1990-01-01", "2000-01-01"),
    ("early 2012", "2012-01-01", "2012-05-01"),
    ("in mid-2012", "2012-05-01", "2012-09-01"),
    ("late March 2015", "2015-03-21", "2015-04-01"),
    ("in the summer of 2012", "2012-06-01", "2012-09-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("last month", "2026-10-01", "2026-11-01"),
    ("three years ago", "2023-01-01", "2024-01-01"),
    ("a month after 31 January 2015", "2015-02-01", "2015-03-01"),
    ("in March", "2026-03-01", "2026-04-01"),
]


@pytest.mark.parametrize(("text", "wanted"), INSTANTS)
def test_a_day_or_a_time_is_its_first_instant(text: str, wanted: str) -> None:
    when = read(f"{text}, who was it?")
    assert (when.way, when.first) == ("at", at(wanted))


@pytest.mark.parametrize(("text", "first", "last"), PERIODS)
def test_a_longer_time_is_a_period_up_to_before_its_end(text: str, first: str, last: str) -> None:
    when = read(f"Who was it {text}?")
    assert (when.way, when.first, when.last) == ("period", at(first), at(last))


@pytest.mark.parametrize(
    ("text", "problem"), [("on 03/04/2019", "ambiguous"), ("on 31 February 2015", "does not exist")]
)
def test_a_date_that_can_be_read_in_two_ways_or_in_none_is_not_guessed(text: str, problem: str) -> None:
    assert problem in read(f"Who was it {text}?").problem


@pytest.mark.parametrize(
    "text",
    ["May I ask who it was?", "version 3.5", "the 12 members", "1234567", "at 10:30", "in ten years", "today"],
)
def test_what_names_no_day_of_the_record_is_no_date(text: str) -> None:
    assert read(text).way == "none"


@pytest.mark.parametrize(
    ("question", "way", "first", "last"),
    [
        ("Who was it on 2015-03-05?", "at", "2015-03-05", None),
        ("Who was it by 2012?", "at", "2012-12-31T23:59:59.999999", None),
        ("Who was it as of June 2017?", "at", "2017-06-01", None),
        ("Who was it in 2012?", "period", "2012-01-01", "2013-01-01"),
        ("Who was it just before March 2012?", "before", "2012-03-01", None),
        ("Who was it until 2012?", "before", "2012-01-01", "2013-01-01"),
        ("Who was it after 2012-05-01?", "after", "2012-05-01T23:59:59.999999", None),
        ("Who was it 2012?", "period", "2012-01-01", "2013-01-01"),
        ("Who was it since 2010?", "since", "2010-01-01", None),
        ("Who was it from 2010 onwards?", "since", "2010-01-01", None),
        ("Who was it between 2010 and 2014?", "period", "2010-01-01", "2015-01-01"),
        ("Who was it in 2010-2014?", "period", "2010-01-01", "2015-01-01"),
        ("Who was it from May 2010 through 2014?", "period", "2010-05-01", "2015-01-01"),
        ("Compare it on 2011-01-01 with that on 2010-01-01", "pair", "2010-01-01", "2011-01-02"),
    ],
)
def test_the_words_before_a_date_tell_what_it_is_for(question: str, way: str, first: str, last: str | None) -> None:
    when = read(question)
    assert (when.way, when.first) == (way, at(first))
    if last is not None:
        assert when.last == at(last)


@pytest.mark.parametrize(
    "question",
    [
        "As known on 2015-03-05, what was it on 2014-01-01?",
        "What did the graph believe on 2015-03-05 about it on 2014-01-01?",
        "On 2015-03-05, what did we believe it was on 2014-01-01?",
        "Going by what was known on 2015-03-05, what was it on 2014-01-01?",
        "From the point of view of 2015-03-05, what was it on 2014-01-01?",
        "According to the graph of 5 March 2015, what was it on 1 January 2014?",
    ],
)
def test_what_was_known_on_a_date_is_the_second_clock(question: str) -> None:
    when = read(question)
    assert (when.first, when.known_at) == (at("2014-01-01"), at("2015-03-05"))


def test_the_ends_of_a_range_can_be_compared_at_their_first_instants() -> None:
    assert read("Who was it between 2010 and May 2014?").second == at("2014-05-01")


def test_the_phrase_that_gave_the_date_is_kept() -> None:
    assert read("Who was it in the summer of 2012?").phrase == "in the summer of 2012"


@pytest.mark.parametrize(
    "sentence",
    [
        "Who won when the election was held on 5 May 2010?",
        "Who chaired the summit that was held in May 2010?",
        "Who lost the data of May 2010?",
        "Who published the information from May 2010?",
    ],
)
def test_what_was_held_and_data_of_a_date_are_no_words_for_what_the_graph_knew(sentence: str) -> None:
    frame = read(sentence)
    assert (frame.known_at, frame.first is not None) == (None, True)


@pytest.mark.parametrize(
    "sentence",
    ["Who led it, based on the data of May 2010?", "Going by what information was available in May 2010, who led it?"],
)
def test_going_by_data_of_a_date_asks_for_what_was_known_then(sentence: str) -> None:
    assert read(sentence).known_at == at("2010-05-01")
