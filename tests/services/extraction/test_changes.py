"""What texts end and begin: whose it is, which date it has, and what is told under a condition."""

from dataclasses import replace

import pytest

from services.extraction.offline import DOUBTFUL, confidence_of
from services.extraction.weighing import Weight
from services.proposals.preselection import PRE_TICKED, SHOWN
from tests.services.extraction.read import drafts, facts, findings, shown

ENDS = [
    ("Olga Brandt relinquished the presidency of Kiln Foundation in May 2014.", "Olga Brandt LEADS Kiln Foundation"),
    ("Olga Brandt gave up her seat on the board of Kiln Foods in May 2014.", "Olga Brandt MEMBER_OF Kiln Foods"),
    ("Olga Brandt's tenure as provost of Kiln College expired in May 2014.", "Olga Brandt HAS_ROLE provost"),
    ("Olga Brandt's contract with Kiln Foods ran out in May 2014.", "Olga Brandt WORKS_FOR Kiln Foods"),
    ("Olga Brandt was ousted as treasurer in May 2014.", "Olga Brandt HAS_ROLE treasurer"),
    ("Olga Brandt cut ties with Kiln Foods in May 2014.", "Olga Brandt WORKS_FOR Kiln Foods"),
    ("Olga Brandt made way for Tom Berg as treasurer in May 2014.", "Olga Brandt HAS_ROLE treasurer"),
    ("The union of Olga Brandt and Tom Berg was annulled in May 2014.", "Olga Brandt MARRIED_TO Tom Berg"),
    ("Olga Brandt's divorce from Tom Berg came through in May 2014.", "Olga Brandt MARRIED_TO Tom Berg"),
    ("Olga Brandt lost her husband Tom Berg in May 2014.", "Tom Berg MARRIED_TO Olga Brandt"),
    ("Olga Brandt offloaded her stake in Kiln Foods in May 2014.", "Olga Brandt OWNS Kiln Foods"),
    ("Kiln Foods offloaded Heron Mills to Tansy Group in May 2014.", "Kiln Foods OWNS Heron Mills"),
    ("Olga Brandt defected from the Heron Party to the Tansy Party in May 2014.", "Olga Brandt MEMBER_OF Heron Party"),
    ("The board accepted Olga Brandt's resignation as treasurer in May 2014.", "Olga Brandt HAS_ROLE treasurer"),
]
BEGINNINGS = [
    ("Tom Berg was supplanted by Olga Brandt as treasurer in May 2014.", "Olga Brandt HAS_ROLE treasurer"),
    ("Tom Berg handed over the presidency of Kiln Fund to Olga Brandt in May 2014.", "Olga Brandt LEADS Kiln Fund"),
    ("Olga Brandt left Heron Mills for Kiln Foods in May 2014.", "Olga Brandt WORKS_FOR Kiln Foods"),
    ("Tom Berg retired as treasurer in May 2014, and Olga Brandt took over.", "Olga Brandt HAS_ROLE treasurer"),
    ("Kiln Foods sold Heron Mills to Olga Brandt in May 2014.", "Olga Brandt OWNS Heron Mills"),
]


@pytest.mark.parametrize(("text", "fact"), ENDS)
def test_what_ends_on_a_day_has_it_as_its_end(text, fact):
    assert f"{fact} ..2014-05-01" in facts(text)


@pytest.mark.parametrize(("text", "fact"), BEGINNINGS)
def test_what_another_gets_begins_on_the_day(text, fact):
    assert f"{fact} 2014-05-01.." in facts(text)


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("Olga Brandt, treasurer of Kiln Foods, handed in her notice on 3 May 2014.", "Olga Brandt"),
        ("Olga Brandt, treasurer of Kiln Foods, called it a day on 3 May 2014.", "Olga Brandt"),
        ("Treasurer Olga Brandt threw in the towel on 3 May 2014.", "Olga Brandt"),
        ("Olga Brandt was treasurer of Kiln Foods. She quit on 3 May 2014.", "Olga Brandt"),
    ],
)
def test_an_end_that_names_no_office_ends_what_is_told_beside_it(text, holder):
    offices = [one for one in drafts(text) if one.relation == "HAS_ROLE" and one.source == holder]
    ends = [one.invalid_at or one.unsure_invalid_at for one in offices]
    assert [one.valid_at or one.unsure_valid_at for one in offices] == [None]
    assert [end and end.date().isoformat() for end in ends] == ["2014-05-03"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Olga Brandt is treasurer of Kiln Foods. She gave up smoking in May 2014.", "Olga Brandt HAS_ROLE treasurer"),
        ("Olga Brandt is treasurer of Kiln Foods. She was out sick on 3 May 2014.", "Olga Brandt HAS_ROLE treasurer"),
        ("Kiln Foods uses Postgres. It stopped hiring in May 2014.", "Kiln Foods USES Postgres"),
        ("Olga Brandt owns Kiln Foods. She returned to Ulm in May 2014.", "Olga Brandt OWNS Kiln Foods"),
    ],
)
def test_an_end_of_something_else_ends_nothing_that_is_told_beside_it(text, fact):
    assert fact in facts(text)


def test_an_end_is_of_who_loses_and_not_of_what_they_do_after():
    found = facts("Sacked by Kiln Foods in 2014, Olga Brandt now chairs Heron Mills.")
    assert "Olga Brandt LEADS Heron Mills" in found


def test_a_successor_is_not_succeeded_by_who_was_before():
    found = {(one.source, one.target) for one in drafts("Tom Berg was replaced by Olga Brandt as treasurer in 2014.")
             if one.relation == "SUCCEEDED"}  # fmt: skip
    assert found == {("Olga Brandt", "Tom Berg")}


@pytest.mark.parametrize(
    "text",
    [
        "Olga Brandt, the former treasurer of Kiln Foods, lives in Ulm.",
        "Former treasurer Olga Brandt lives in Ulm.",
    ],
)
def test_what_somebody_was_has_ended_on_an_unknown_day(text):
    (office,) = [one for one in drafts(text) if one.relation == "HAS_ROLE"]
    assert (office.valid_at, office.invalid_at, office.is_over) == (None, None, True)


def test_a_former_husband_is_none_any_more():
    (marriage,) = [one for one in drafts("Olga Brandt's ex-husband Tom Berg moved to Ulm in 2014.")
                   if one.relation == "MARRIED_TO"]  # fmt: skip
    assert (marriage.valid_at, marriage.invalid_at, marriage.is_over) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [
        "Olga Brandt will become treasurer of Kiln Foods in 2027 unless the members object.",
        "Should the vote fail, Olga Brandt takes over as treasurer of Kiln Foods in 2027.",
        "Olga Brandt plans to join Kiln Foods in 2027.",
        "Kiln Foods has agreed to buy Heron Mills in 2027.",
        "Word has it that Olga Brandt works for Kiln Foods.",
        "Olga Brandt might have become head of Kiln Foods.",
        "Did Olga Brandt leave Kiln Foods in 2014?",
        "These are rejected on principle.",
    ],
)
def test_conditions_plans_and_hearsay_are_not_ticked(text):
    assert [one for one in drafts(text) if one.confidence >= PRE_TICKED] == []


@pytest.mark.parametrize("share", [0.5, 0.65])
def test_what_hangs_on_a_condition_is_shown_only_where_it_is_likely(share):
    found, *_ = findings("Olga Brandt works for Kiln Foods.")
    plain, doubtful = (
        confidence_of(replace(found, is_doubtful=is_doubtful), Weight(share, is_ruled=False))
        for is_doubtful in (False, True)
    )
    assert doubtful < SHOWN <= plain


def test_what_a_neighbour_is_said_to_be_stays_in_its_sentence():
    text = (
        "Olga Brandt stepped down as CEO of Kiln in June 2017. "
        "Ida Moen, CFO of Heron Traders, resigned on June 30, 2021."
    )
    offices = [one for one in drafts(text) if one.relation == "HAS_ROLE"]
    ticked = [(one.source, one.target) for one in offices if one.confidence >= PRE_TICKED]
    assert set(ticked) <= {("Olga Brandt", "CEO"), ("Ida Moen", "CFO")}


def test_a_list_of_people_is_of_what_stands_before_it():
    found = facts("Project Heron. Lead: Olga Brandt. Devs: Tom Berg, Ida Moen.")
    assert found == {
        "Olga Brandt LEADS Project Heron",
        "Tom Berg WORKS_ON Project Heron",
        "Ida Moen WORKS_ON Project Heron",
    }


def test_a_noun_of_ending_is_of_whom_it_names_and_not_of_who_did_it():
    told = facts("Ann Lee was president of Kiln FC. Her removal of Bob Ray as coach on 3 May 2020 was noted.")
    assert "Bob Ray HAS_ROLE coach ..2020-05-03" in told
    assert not [one for one in told if one.startswith("Ann Lee") and "2020-05-03" in one]


def test_who_goes_to_a_department_ends_nothing_that_is_not_named():
    told = facts("Ann Lee has worked for Kiln Ltd since 2015. She transferred to the marketing department in 2020.")
    assert {"Ann Lee WORKS_FOR Kiln Ltd 2015-01-01..", "Ann Lee WORKS_FOR marketing department 2020-01-01.."} <= told


def test_a_president_who_resigns_stays_the_vice_president_of_another_firm():
    text = "Ann Lee, vice president of Kiln Ltd since 2010, resigned as president of the Heron Club on 3 May 2020."
    ends = {one.target.name: one.times.invalid_at for one in findings(text)}
    assert ends["vice president"] is None


def test_what_expires_far_behind_a_contract_does_not_end_it():
    told = facts("Ann Lee's contract with Kiln Foods was good, but the milk expired in May 2014.")
    assert not [one for one in told if one.endswith("..2014-05-01")]


@pytest.mark.parametrize(
    "text",
    [
        "The keyword is clear: Ann Lee joined Kiln Ltd in 2020.",
        "Ann Lee, who lectures in theory of music, joined Kiln Ltd in 2020.",
        "Ann Lee joined Whispers Ltd in 2020.",
    ],
)
def test_words_that_only_hold_a_word_of_rumours_are_told_as_facts(text):
    (joined,) = (one for one in drafts(text) if one.relation == "WORKS_FOR")
    assert joined.confidence > DOUBTFUL


@pytest.mark.parametrize("hint", ["Word is that", "Whispers that", "In theory,", "There's talk of it:"])
def test_what_is_told_as_a_rumour_is_doubtful(hint):
    assert all(one.confidence <= DOUBTFUL for one in drafts(f"{hint} Ann Lee joined Kiln Ltd in 2020."))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Kiln Ltd was demerged from Heron Group in May 2014.", "Kiln Ltd PART_OF Heron Group ..2014-05-01"),
        (
            "Kiln Foods, part of Heron Group since 2010, was spun off in May 2014.",
            "Kiln Foods PART_OF Heron Group 2010-01-01..2014-05-01",
        ),
    ],
)
def test_what_is_spun_off_is_no_part_any_more(text, fact):
    assert fact in shown(text)
