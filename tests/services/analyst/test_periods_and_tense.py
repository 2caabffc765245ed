"""Periods are intervals, and tenses look where they point: over people in offices and clubs, and over companies."""

from collections.abc import Iterator, Sequence

import pytest

from services.analyst.analyst import Analyst
from services.core import clock
from services.core.answer_records import Answer, Asked, Sentence
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from services.verification.check import check
from tests.services.analyst.conftest import Graph, opened
from tests.services.analyst.period_graphs import CIVIC, CIVIC_TYPES, TRADE, TRADE_TYPES
from tests.services.retrieval.conftest import W

Row = tuple[str, str, Sequence[str]]
"""Graph, question, and the facts to cite: their far names with the years of their starts, in order."""

HOLDS_DURING: Sequence[Row] = [
    ("civic", "Who was Mayor of Tarn between 2004 and 2016?", ["Bruno 2002", "Chidi 2008", "Dana 2015"]),
    (
        "civic",
        "Who held the position of Mayor of Tarn from 1998 through 2008?",
        ["Alma 1994", "Bruno 2002", "Chidi 2008"],
    ),
    ("civic", "Which clubs did Goran Ilic play for during the 1990s?", ["Moss 1995", "Vale 1999"]),
    (
        "civic",
        "Who was a member of the Tarn Rowing Club in the years 2003 to 2007?",
        ["Alma 1990", "Bruno 1998", "Chidi 2006"],
    ),
    ("civic", "Who was Mayor of Tarn in 2002?", ["Bruno 2002"]),
    ("civic", "Who was Mayor of Tarn in 2007?", []),
    ("civic", "Where did Alma Reyes live from 1980 to 1990?", ["Elwy 1956", "Tarn 1985"]),
    ("civic", "Which teams did Goran Ilic play for between March 2003 and July 2004?", []),
    ("trade", "Who led Ardent Mills from 2012 to 2018?", ["Hugo 2006", "Irene 2012", "Jonas 2013", "Kemi 2018"]),
    ("trade", "Who ran Ardent Mills in 2012?", ["Hugo 2006", "Irene 2012"]),
    (
        "trade",
        "What was the status of Basalt Foods between 2011 and 2016?",
        ["Listed 2010", "Insolvent 2015", "Private 2016"],
    ),
    ("trade", "Where was Ardent Mills headquartered during the 2000s?", ["Norburg 2000"]),
    ("trade", "Who was CEO of Ardent Mills since 2013?", ["Irene 2012", "Jonas 2013", "Kemi 2018"]),
]
UNTIL: Sequence[Row] = [
    ("civic", "Who was Mayor of Tarn until 2006?", ["Bruno 2002"]),
    ("civic", "Until 2014, who was Mayor of Tarn?", ["Chidi 2008"]),
    ("civic", "Who had been Mayor of Tarn until 2014?", ["Alma 1994", "Bruno 2002", "Chidi 2008"]),
    ("trade", "Before it became Insolvent, what was Basalt Foods' last status?", ["Listed 2010"]),
    ("civic", "Everybody who held the post of Mayor of Tarn prior to 2008", ["Alma 1994", "Bruno 2002"]),
    ("trade", "Who was CEO of Ardent Mills until 2018?", ["Jonas 2013"]),
    ("trade", "Where was Ardent Mills headquartered until 2009?", ["Norburg 2000"]),
    ("trade", "Who ran Ardent Mills until the end of 2011?", ["Hugo 2006"]),
]
CHANGES: Sequence[Row] = [
    (
        "trade",
        "What changed in the status of Basalt Foods between 2009 and 2017?",
        ["Private 2003", "Listed 2010", "Insolvent 2015", "Private 2016"],
    ),
    (
        "trade",
        "How did the status of Basalt Foods change from 2009 to 2017?",
        ["Private 2003", "Listed 2010", "Insolvent 2015", "Private 2016"],
    ),
    (
        "trade",
        "What happened to the status of Ardent Mills between 2008 and 2018?",
        ["Private 2000", "Listed 2009", "Private 2017"],
    ),
    ("trade", "Compare the status of Basalt Foods in 2009 and 2017", ["Private 2016", "Private 2003"]),
    ("trade", "Compare the status of Basalt Foods between 2009 and 2017", ["Private 2016", "Private 2003"]),
    (
        "civic",
        "What changed for Chidi Obi between 2005 and 2013?",
        ["Tarn 2006", "Mayor 2008", "Silver 2009", "Elwy 2012"],
    ),
]
PAST: Sequence[Row] = [
    ("civic", "Which clubs did Goran Ilic play for?", ["Moss 1995", "Vale 1999", "Moss 2004", "Dunmore 2006"]),
    ("civic", "Who played for Vale United?", ["Bruno 1980", "Goran 1999"]),
    ("civic", "Who used to play for Moss Rangers?", ["Goran 1995", "Goran 2004"]),
    ("civic", "Where does Alma Reyes live?", ["Tarn 1985"]),
    ("trade", "Who were the CEOs of Ardent Mills?", ["Hugo 2006", "Irene 2012", "Jonas 2013", "Kemi 2018"]),
    ("trade", "Which companies was Hugo Brandt CEO of?", ["Ardent 2006", "Basalt 2014"]),
    ("trade", "Who did Corvid Labs supply?", ["Basalt 2005"]),
    ("trade", "Who does Corvid Labs supply?", []),
    ("trade", "What was the status of Delta Looms?", ["Insolvent 2011"]),
]
EVENTS: Sequence[Row] = [
    ("civic", "Who won the Silver Quill in 2012?", ["Farah 2012"]),
    ("civic", "Who won the Silver Quill in 2010?", []),
    ("civic", "Who graduated from Orme College between 1980 and 1990?", ["Farah 1984"]),
    ("civic", "Who was born in Tarn?", ["Farah 1961"]),
    ("civic", "Who joined the Tarn Rowing Club in the 1990s?", ["Alma 1990", "Bruno 1998"]),
    ("civic", "Who left the Tarn Rowing Club between 2003 and 2012?", ["Bruno 1998", "Chidi 2006"]),
    ("civic", "Who stopped playing for Moss Rangers in 2006?", ["Goran 2004"]),
    ("civic", "Who became Mayor of Tarn between 2000 and 2010?", ["Bruno 2002", "Chidi 2008"]),
    ("civic", "Who became Senator for Elwy in 2007?", []),
    ("trade", "Which companies became Listed in 2009?", ["Ardent 2009", "Corvid 2009"]),
    ("trade", "Which companies were listed in 2010?", ["Basalt 2010"]),
    ("civic", "How many teams has Goran Ilic played for?", ["Moss 1995", "Vale 1999", "Moss 2004", "Dunmore 2006"]),
    ("trade", "Which companies did Ardent Mills acquire between 2012 and 2016?", ["Corvid 2014"]),
    ("trade", "Which companies did Ardent Mills acquire in 2016?", []),
    ("trade", "Who acquired Ember Rail?", ["Basalt 2019"]),
]
TERMS: Sequence[tuple[str, str, Sequence[str], str]] = [
    (
        "civic",
        "How long has Erik Lund been Senator for Elwy?",
        ["Senator 2001", "Senator 2007", "Senator 2013"],
        "since 2001-01-03: ",
    ),
    (
        "civic",
        "Since when has Erik Lund been Senator for Elwy?",
        ["Senator 2001", "Senator 2007", "Senator 2013"],
        "since 2001-01-03.",
    ),
    (
        "civic",
        "How long did Goran Ilic play for Moss Rangers?",
        ["Moss 1995", "Moss 2004"],
        "2006-07-01: 1 year and 11 months (699 days).",
    ),
    ("trade", "How long has Ardent Mills been Private?", ["Private 2017"], " days) so far."),
    (
        "civic",
        "When did Dana Whitlock stop being Mayor of Tarn?",
        ["Mayor 2019"],
        "The graph records no end by ",
    ),
    ("civic", "Until when was Chidi Obi Mayor of Tarn?", ["Mayor 2008"], "until 2015-01-01."),
    (
        "trade",
        "When did Irene Sato stop being CEO of Basalt Foods?",
        ["Basalt 2016"],
        "The graph records no end by ",
    ),
    (
        "trade",
        "When will Irene Sato stop being CEO of Basalt Foods?",
        ["Basalt 2016"],
        "According to the graph; today is ",
    ),
    ("civic", "Who will be Mayor of Tarn in 2029?", ["Dana 2019"], "According to the graph; today is "),
    (
        "civic",
        "Will Dana Whitlock be Mayor of Tarn in 2029?",
        ["Mayor 2019"],
        "Yes, according to the graph; today is ",
    ),
]
WHETHER: Sequence[tuple[str, str, Sequence[str], str]] = [
    ("civic", "Was Bruno Keller Mayor of Tarn?", ["Mayor 2002"], "Yes."),
    ("civic", "Is Bruno Keller Mayor of Tarn?", ["Mayor 2002"], "No, not now."),
    (
        "civic",
        "Was Bruno Keller Mayor of Tarn between 2007 and 2010?",
        ["Mayor 2002"],
        "No, not between 2007 and 2010.",
    ),
    ("civic", "Was Bruno Keller married to Farah Noor in 2005?", ["Farah 1990"], "No, not in 2005."),
    ("civic", "Did Goran Ilic play for Vale United?", ["Vale 1999"], "Yes."),
    ("trade", "Was Basalt Foods Insolvent?", ["Insolvent 2015"], "Yes."),
    ("trade", "Is Basalt Foods Insolvent?", ["Private 2016"], "No, not now."),
    ("trade", "Was Basalt Foods Insolvent on 2017-01-01?", ["Private 2016"], "No, not on 2017-01-01."),
    ("trade", "Was Corvid Labs Listed in 2008?", ["Listed 2009"], "No, not in 2008."),
    ("trade", "Did Ardent Mills acquire Corvid Labs in 2014?", ["Corvid 2014"], "Yes."),
    ("trade", "Did Ardent Mills acquire Corvid Labs in 2015?", ["Corvid 2014"], "No, not in 2015."),
    (
        "trade",
        "Did Ardent Mills acquire Ember Rail?",
        ["Delta 2011", "Corvid 2014"],
        "No, never, according to the graph.",
    ),
    (
        "civic",
        "How is Bruno Keller connected to Farah Noor?",
        ["Farah 1990"],
        "now; they are connected at another time.",
    ),
]
COUNTS: Sequence[tuple[str, str, str]] = [
    (
        "civic",
        "How many people were Mayor of Tarn between 2004 and 2016?",
        "3 people held position Mayor of Tarn between 2004 and 2016.",
    ),
    (
        "civic",
        "How many people joined the Tarn Rowing Club between 1995 and 2008?",
        "2 people were member of Tarn Rowing Club, beginning",
    ),
    ("trade", "How many companies were Listed in 2010?", "3 companies had status Listed in 2010."),
    ("trade", "How many companies became Listed between 2009 and 2010?", "3 companies had status Listed, beginning"),
    ("trade", "How many companies did Ardent Mills acquire in 2014?", "Ardent Mills acquired 1 company in 2014."),
    ("civic", "How many people played for Moss Rangers?", "1 person played for Moss Rangers."),
]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Graph]]:
    folder = tmp_path_factory.mktemp("periods")
    found = {
        "civic": opened(folder / "civic", CIVIC_TYPES, CIVIC),
        "trade": opened(folder / "trade", TRADE_TYPES, TRADE),
    }
    yield found
    for graph in found.values():
        graph.services.close()


def asked(graph: Graph, question: str) -> tuple[Answer, tuple[Sentence, ...], list[str]]:
    """The answer, its sentences as they are checked, and what it cites: "Bruno 2002"."""
    toolbox = Toolbox(Context(graph.services.workspace(W)), TOOLS.values())
    answer = Analyst().answer(Asked(question), toolbox)
    facts = {e.n: e.fact for e in toolbox.evidence if e.fact is not None}
    cited = [facts[n] for n in dict.fromkeys(n for s in answer.sentences for n in s.citations if n in facts)]
    sentences = check(answer.sentences, toolbox.evidence, answer.at, as_of_2=answer.as_of_2, question=question)
    far = [(fact.target if fact.source in question else fact.source, fact.valid_at) for fact in cited]
    return answer, sentences, [f"{name.split()[0]} {at and at.year}" for name, at in far]


def _are_borne_out(sentences: Sequence[Sentence]) -> bool:
    return all(sentence.mark in (None, "supported") for sentence in sentences)


@pytest.mark.parametrize(("of", "question", "cited"), [*HOLDS_DURING, *UNTIL, *CHANGES, *PAST, *EVENTS])
def test_what_is_told_is_what_held_began_or_ended_in_the_time_asked_about(
    graphs: dict[str, Graph], of: str, question: str, cited: Sequence[str]
) -> None:
    answer, sentences, told = asked(graphs[of], question)
    assert (answer.declined, told) == (not cited, list(cited))
    assert _are_borne_out(sentences)


@pytest.mark.parametrize(("of", "question", "cited", "said"), [*TERMS, *WHETHER])
def test_terms_that_follow_each_other_are_one_and_a_no_says_when(
    graphs: dict[str, Graph], of: str, question: str, cited: Sequence[str], said: str
) -> None:
    answer, sentences, told = asked(graphs[of], question)
    assert said in answer.text
    assert sorted(told) == sorted(cited)
    assert _are_borne_out(sentences)


@pytest.mark.parametrize(("of", "question", "said"), COUNTS)
def test_a_count_is_of_those_that_held_or_began_in_the_time(
    graphs: dict[str, Graph], of: str, question: str, said: str
) -> None:
    answer, sentences, _ = asked(graphs[of], question)
    assert answer.text.startswith(said)
    assert _are_borne_out(sentences)


@pytest.mark.parametrize(
    ("of", "question", "said"),
    [
        (
            "civic",
            "Who is Bruno Keller married to?",
            "now. The last one before that: Bruno Keller was married to Farah Noor",
        ),
        ("civic", "Who won the Silver Quill in 2010?", "in 2010. The first is Chidi Obi, from 2009-10-05."),
        (
            "trade",
            "What is the status of Delta Looms?",
            "now. The last one before that: Delta Looms had status Insolvent",
        ),
        ("civic", "Is there a link between Goran Ilic and Bruno Keller?", "between Goran Ilic and Bruno Keller now."),
        ("civic", "Who will be the next Mayor of Tarn?", "The graph has no facts about the future (today is "),
        ("civic", "How was Bruno Keller connected to Chidi Obi in 1970?", "on 1970-01-01."),
    ],
)
def test_what_is_declined_says_when_there_is_nothing_and_what_was_before(
    graphs: dict[str, Graph], of: str, question: str, said: str
) -> None:
    answer, _, _ = asked(graphs[of], question)
    assert answer.declined
    assert said in f"{answer.text} {answer.hint}"


def test_a_planned_end_is_told_in_the_present(graphs: dict[str, Graph]) -> None:
    answer, _, _ = asked(graphs["civic"], "Who will be Mayor of Tarn in 2029?")
    assert f"today is {clock.now():%Y-%m-%d}. Dana Whitlock holds position" in answer.text


def test_an_event_is_told_at_its_time(graphs: dict[str, Graph]) -> None:
    answer, _, _ = asked(graphs["civic"], "Where was Alma Reyes born?")
    assert answer.text.startswith("Alma Reyes was born in Elwy on 1956-11-02.")
