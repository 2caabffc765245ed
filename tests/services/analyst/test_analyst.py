"""What is answered to each kind of question, over graphs that have nothing in common."""

import pytest

from services.analyst.vocabulary import Synonyms
from tests.services.analyst.conftest import Graph, day

HARBOUR = [
    ("Who commanded the Aurora on 1 January 2010?", ["Aurora COMMANDED_BY Ines Calder"]),
    ("Who is the captain of Aurora?", ["Aurora COMMANDED_BY Tomas Berg"]),
    ("Which vessels does Yara Okonkwo command?", ["Borealis COMMANDED_BY Yara Okonkwo"]),
    ("aurora home port 5 may 2012", ["Aurora HOME_PORT Gdansk"]),
    ("Could you please tell me where Aurora was moored on 2013-03-03?", ["Aurora MOORED_AT Berth 3"]),
    ("Which vessels are in service?", ["Borealis HAS_STATE in service", "Aurora HAS_STATE in service"]),
    ("Who owned Aurora in 2014?", ["Aurora OWNED_BY Meridian Lines", "Aurora OWNED_BY Polar Freight"]),
    ("Was Aurora laid up on 2013-01-01?", ["Aurora HAS_STATE laid up"]),
    ("Was Aurora in service on 2013-01-01?", ["Aurora HAS_STATE laid up"]),
    ("When was Aurora laid up?", ["Aurora HAS_STATE laid up"]),
    ("Until when was Aurora laid up?", ["Aurora HAS_STATE laid up"]),
    ("How long was the Aurora laid up?", ["Aurora HAS_STATE laid up"]),
    ("Since when has Borealis been commanded by Yara Okonkwo?", ["Borealis COMMANDED_BY Yara Okonkwo"]),
    ("How did the owner of Aurora change?", ["Aurora OWNED_BY Meridian Lines", "Aurora OWNED_BY Polar Freight"]),
    ("Who owned Aurora before Polar Freight?", ["Aurora OWNED_BY Meridian Lines"]),
    ("Who succeeded Ines Calder as captain of Aurora?", ["Aurora COMMANDED_BY Tomas Berg"]),
    ("Who owned Aurora just before October 2014?", ["Aurora OWNED_BY Polar Freight"]),
    ("Which port did Aurora call home after 2010-01-01?", ["Aurora HOME_PORT Rotterdam"]),
    ("Who was the first owner of Aurora?", ["Aurora OWNED_BY Meridian Lines"]),
    ("What is the latest home port of Aurora?", ["Aurora HOME_PORT Rotterdam"]),
    (
        "Compare the home port of Aurora on 2010-01-01 and 2015-01-01",
        ["Aurora HOME_PORT Rotterdam", "Aurora HOME_PORT Gdansk"],
    ),
    ("How is Aurora connected to Borealis?", ["Aurora OWNED_BY Polar Freight", "Borealis OWNED_BY Polar Freight"]),
    ("Who commanded Aurora when it was laid up?", ["Aurora COMMANDED_BY Tomas Berg"]),
    ("What replaced Calypso?", ["Borealis REPLACES Calypso"]),
    ("What was Calypso replaced by?", ["Borealis REPLACES Calypso"]),
    ("What did Borealis replace?", ["Borealis REPLACES Calypso"]),
    ("Who owns Calypso?", ["Calypso OWNED_BY Polar Freight"]),
]

CLINIC = [
    ("Where did Maria Lindqvist work on 1 May 2014?", ["Maria Lindqvist works in Cardiology"]),
    (
        "Who worked in Cardiology on 2013-01-01?",
        ["Maria Lindqvist works in Cardiology", "Omar Haddad works in Cardiology"],
    ),
    ("What was Maria's post in 2012?", ["Maria Lindqvist has post Registrar"]),
    ("Who was Omar Haddad's boss on 2014-01-01?", ["Omar Haddad reports to Maria Lindqvist"]),
    ("Who reports to Samuel Osei?", ["Omar Haddad reports to Samuel Osei"]),
    ("Who does Omar Haddad report to?", ["Omar Haddad reports to Samuel Osei"]),
    ("Which drug did Petra Novak take on 2014-06-01?", ["Petra Novak takes medication warfarin"]),
    ("When did Maria Lindqvist become Head Nurse?", ["Maria Lindqvist has post Head Nurse"]),
    ("Who treats Petra Novak?", ["Petra Novak treated by Samuel Osei"]),
    ("Where did Maria Lindqvist live when she became Head Nurse?", ["Maria Lindqvist lives in Uppsala"]),
    (
        "What wards has Maria Lindqvist worked in over the years?",
        ["Maria Lindqvist works in Cardiology", "Maria Lindqvist works in Oncology"],
    ),
    ("When did Maria Lindqvist leave Cardiology?", ["Maria Lindqvist works in Cardiology"]),
]


@pytest.mark.parametrize(("question", "cited"), HARBOUR)
def test_the_facts_of_a_harbour_are_cited(harbour: Graph, question: str, cited: list[str]) -> None:
    assert harbour.cited(question) == cited


@pytest.mark.parametrize(("question", "cited"), CLINIC)
def test_the_facts_of_a_clinic_are_cited(clinic: Graph, question: str, cited: list[str]) -> None:
    assert clinic.cited(question) == cited


def test_a_sentence_says_a_fact_with_its_dates_and_its_number(harbour: Graph) -> None:
    answer = harbour.ask("How did the owner of Aurora change?")
    assert answer.text == (
        "Aurora was owned by Meridian Lines from 2001-01-01 until 2014-09-30. [1] "
        "Aurora is owned by Polar Freight, since 2014-09-30. [2]"
    )
    told = [answer.text[s.start : s.end] for s in answer.sentences]
    assert told == [f"{s.text} [{s.citations[0]}]" for s in answer.sentences]
    assert {s.mark for s in answer.sentences} == {"supported"}


def test_a_period_is_its_first_instant_and_ends_before_the_next(harbour: Graph) -> None:
    answer = harbour.ask("Who owned Aurora in 2014?")
    assert (answer.at.as_of, answer.as_of_2) == (day("2014-01-01"), day("2015-01-01"))
    assert answer.dated_by == "in 2014"


def test_yes_and_no_come_before_the_facts(harbour: Graph) -> None:
    assert harbour.ask("Was Aurora laid up on 2013-01-01?").text.startswith("Yes. ")
    assert harbour.ask("Was Aurora in service on 2013-01-01?").text.startswith("No, not on 2013-01-01. ")


def test_what_of_two_values_holds_is_told_and_not_whether_the_first_does(harbour: Graph) -> None:
    answer = harbour.ask("Is Aurora laid up or in service?")
    assert answer.text == "Aurora has state in service, since 2014-10-01. [1]"


def test_a_count_cites_the_result_and_every_fact(harbour: Graph) -> None:
    answer = harbour.ask("How many vessels did Polar Freight own on 2015-01-01?")
    assert answer.sentences[0].text == "2 vessels were owned by Polar Freight on 2015-01-01."
    assert len({n for sentence in answer.sentences for n in sentence.citations}) == 3


def test_an_undated_fact_stands_in_a_sentence_of_its_own_where_no_date_is_asked(harbour: Graph) -> None:
    (sentence,) = harbour.ask("Who owns Calypso?").sentences
    assert sentence.undated
    assert sentence.text == "Calypso is owned by Polar Freight (undated)."
    assert harbour.ask("Who owned Calypso on 2015-01-01?").declined


def test_the_bar_holds_where_the_question_has_no_date_and_yields_where_it_has(harbour: Graph) -> None:
    asked = "Who commanded Aurora{}?"
    assert harbour.cited(asked.format(""), as_of=day("2010-01-01")) == ["Aurora COMMANDED_BY Ines Calder"]
    assert harbour.cited(asked.format(" on 2012-01-01"), as_of=day("2010-01-01")) == ["Aurora COMMANDED_BY Tomas Berg"]


def test_what_was_not_yet_known_is_left_out(harbour: Graph) -> None:
    known = harbour.ask("As known on 2012-01-01, what was the state of Aurora on 2013-01-01?")
    assert "in service" in known.text
    assert known.at.known_at == day("2012-01-01")


def test_every_follow_up_that_is_proposed_is_answered(harbour: Graph, clinic: Graph) -> None:
    for graph, question in (
        (harbour, "What is the state of Aurora?"),
        (clinic, "What is the post of Maria Lindqvist?"),
    ):
        proposed = graph.ask(question).follow_ups
        assert proposed
        assert [ask for ask in proposed if graph.ask(ask).declined] == []


def test_a_workspace_may_call_its_relations_and_types_otherwise(harbour: Graph) -> None:
    asked = "Which tub does Yara Okonkwo skipper?"
    assert harbour.ask(asked).declined
    declared = Synonyms({"Vessel": ("tub",)}, {"COMMANDED_BY": ("skipper",)})
    other = Graph(harbour.services, harbour.facts, declared)
    assert other.cited(asked) == ["Borealis COMMANDED_BY Yara Okonkwo"]
