"""Questions as people ask them of those they know: with a sentence before, by kinds of things, of several at once."""

from collections.abc import Iterator, Sequence

import pytest

from tests.services.analyst.conftest import Graph, Row, untyped

ROWS: Sequence[Row] = (
    ("Oda Fell", "WORKS_AT", "Skerry Boatyard", "2010-04-01", "2016-03-31"),
    ("Oda Fell", "WORKS_AT", "Holm Cannery", "2016-05-01", ""),
    ("Rolf Lund", "WORKS_AT", "Skerry Boatyard", "2012-01-01", "2018-01-01"),
    ("Rolf Lund", "WORKS_AT", "Holm Cannery", "2018-02-01", ""),
    ("Tove Ask", "WORKS_AT", "Holm Cannery", "2011-01-01", ""),
    ("Bror Ness", "WORKS_AT", "Skerry Boatyard", "1990-01-01", "1995-01-01"),
    ("Oda Fell", "REPORTS_TO", "Tove Ask", "2016-05-01", ""),
    ("Oda Fell", "LEADS", "Festival of Lamps", "2012-01-01", "2014-06-01"),
    ("Rolf Lund", "LEADS", "Festival of Lamps", "2014-06-01", "2017-01-01"),
    ("Oda Fell", "LEADS", "Harbour Watch", "2015-01-01", ""),
    ("Oda Fell", "MEMBER_OF", "Holm Gospel Choir", "2013-01-01", "2015-01-01"),
    ("Oda Fell", "MEMBER_OF", "Skerry Knitting Circle", "2015-01-01", ""),
    ("Rolf Lund", "MEMBER_OF", "Skerry Knitting Circle", "2016-01-01", ""),
    ("Oda Fell", "STUDIES_LANGUAGE", "Danish", "2011-01-01", "2012-06-01"),
    ("Oda Fell", "STUDIES_LANGUAGE", "Faroese", "2019-01-01", ""),
    ("Oda Fell", "TAKES_COURSE", "Net Mending", "2020-01-01", "2020-03-01"),
    ("Oda Fell", "HAS_OPTICIAN", "Eli Moe", "2012-01-01", ""),
    ("Rolf Lund", "HAS_OPTICIAN", "Eli Moe", "2013-01-01", ""),
    ("Tove Ask", "HAS_OPTICIAN", "Gro Vik", "2013-01-01", ""),
    ("Oda Fell", "HAS_LAWYER", "Una Rey", "2014-01-01", ""),
    ("Oda Fell", "RIDES", "Vega Scooter", "2014-01-01", ""),
    ("Tove Ask", "RIDES", "Vega Scooter", "2016-01-01", ""),
    ("Oda Fell", "OWNS_PET", "Muffin", "2014-01-01", ""),
    ("Oda Fell", "OWNS_PET", "Nico", "2018-01-01", ""),
    ("Muffin", "IS_A", "ragdoll cat", "", ""),
    ("Nico", "IS_A", "sheepdog", "", ""),
    ("Oda Fell", "ALLERGIC_TO", "mussels", "", ""),
    ("Tove Ask", "ALLERGIC_TO", "mussels", "", ""),
    ("Liv Fell", "SISTER_OF", "Oda Fell", "", ""),
    ("Jon Fell", "BROTHER_OF", "Oda Fell", "", ""),
    ("Liv Fell", "LIVES_IN", "Norvik", "2010-01-01", ""),
    ("Jon Fell", "LIVES_IN", "Tarnes", "", "2012-03-01"),
    ("Jon Fell", "LIVES_IN", "Aldby", "2012-03-01", ""),
    ("Liv Fell", "PARENT_OF", "Asta Fell", "2015-01-01", ""),
    ("Geir Fell", "PARENT_OF", "Asta Fell", "2015-01-01", ""),
)


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("village"), ROWS)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("I'm cooking for Oda, is there anything she's allergic to?", ["Oda Fell ALLERGIC_TO mussels"]),
        ("We're writing to Jon Fell. Where does he live?", ["Jon Fell LIVES_IN Aldby"]),
        ("My aunt wants to know: who does Oda report to?", ["Oda Fell REPORTS_TO Tove Ask"]),
        ("I'm sorting letters — who led Harbour Watch in 2016?", ["Oda Fell LEADS Harbour Watch"]),
    ],
)
def test_a_sentence_before_a_question_may_name_whom_it_is_about(
    village: Graph, question: str, cited: Sequence[str]
) -> None:
    assert village.cited(question) == cited


@pytest.mark.parametrize(
    "question",
    [
        "I met Rolf in 2015, where did he work?",
        "Oda left the boatyard first, who does she report to?",
        "What did Oda study at college?",
        "Who is Oda's newest colleague?",
        "Which rugby circle is Rolf in?",
        "What parrot does Oda own?",
        "Did Oda lead the Festival of Lamps before or after she was in the knitting circle?",
        "I'm thinking of last spring: where did Oda work?",
        "I don't need the new ones. Who worked at Holm Cannery?",
        "Of those who lead Festival of Lamps now, who has done so the longest?",
        "Who were Oda's colleagues?",
        "Where did Oda and Bror Ness work together?",
    ],
)
def test_what_would_change_the_answer_is_not_passed_over(village: Graph, question: str) -> None:
    assert village.ask(question).declined


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("Which choir was Oda a member of?", ["Oda Fell MEMBER_OF Holm Gospel Choir"]),
        ("Which knitting circle is Rolf in?", ["Rolf Lund MEMBER_OF Skerry Knitting Circle"]),
        ("What festival did Oda lead?", ["Oda Fell LEADS Festival of Lamps"]),
        ("How many festivals did Oda lead?", ["Oda Fell LEADS Festival of Lamps"]),
        ("Which cat does Oda own?", ["Oda Fell OWNS_PET Muffin"]),
        ("What sort of animal is Nico?", ["Nico IS_A sheepdog"]),
        ("When did Oda join the knitting circle?", ["Oda Fell MEMBER_OF Skerry Knitting Circle"]),
        ("Which language is Oda learning?", ["Oda Fell STUDIES_LANGUAGE Faroese"]),
        ("Which optician takes care of Tove?", ["Tove Ask HAS_OPTICIAN Gro Vik"]),
    ],
)
def test_a_noun_for_what_is_asked_tells_which_of_the_answers(
    village: Graph, question: str, cited: Sequence[str]
) -> None:
    assert village.cited(question) == cited


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Who are Oda's optician and lawyer?", ["Eli Moe", "Una Rey"], "Gro Vik"),
        ("Where do Oda's brother and sister live?", ["Aldby", "Norvik"], "Tarnes"),
        ("Who are little Asta's mum and dad?", ["Liv Fell", "Geir Fell"], "Oda"),
        ("Oda rides a Vega Scooter, who else does?", ["Tove Ask"], "Oda"),
        ("Tove is allergic to mussels; who else is?", ["Oda Fell"], "Tove"),
        ("Who has the same optician as Oda?", ["Rolf Lund has optician Eli Moe"], "Tove"),
        ("Who had the same optician as Oda in 2015?", ["Rolf Lund has optician Eli Moe"], "Tove"),
        ("Who had Gro Vik as optician in 2015?", ["Tove Ask has optician Gro Vik"], "Oda"),
        ("Who are Oda's colleagues?", ["Rolf Lund", "Tove Ask"], "Boatyard"),
        ("Who was Oda's colleague in 2014?", ["Rolf Lund"], "Tove"),
        ("Where did Oda and Rolf work together?", ["Skerry Boatyard", "Holm Cannery"], "Tove"),
        ("Which of Oda's memberships ended in 2015?", ["Holm Gospel Choir"], "Knitting"),
        ("Who worked at Skerry Boatyard first and at Holm Cannery later?", ["Oda Fell", "Rolf Lund"], "Tove"),
        ("Who does Rolf work for?", ["Holm Cannery"], "Boatyard"),
        ("Who does Oda answer to at work?", ["Tove Ask"], "Cannery"),
        ("Until which year did Jon live in Tarnes?", ["until 2012-03-01"], "Aldby"),
        ("What is Oda allergic to?", ["Oda Fell is allergic to mussels"], "Tove"),
    ],
)
def test_things_are_asked_in_everyday_ways(village: Graph, question: str, said: Sequence[str], not_said: str) -> None:
    answer = village.ask(question)
    assert not answer.declined
    assert all(words in answer.text for words in said)
    assert not_said not in answer.text


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("After Oda stopped leading the Festival of Lamps, who took it over?", ["Rolf Lund LEADS Festival of Lamps"]),
        ("Who took over the Festival of Lamps from Oda?", ["Rolf Lund LEADS Festival of Lamps"]),
        ("Who took over the Festival of Lamps after Oda?", ["Rolf Lund LEADS Festival of Lamps"]),
        ("Who did Rolf take over the Festival of Lamps from?", ["Oda Fell LEADS Festival of Lamps"]),
        ("From whom did Rolf take over the Festival of Lamps?", ["Oda Fell LEADS Festival of Lamps"]),
    ],
)
def test_who_took_something_over_came_after_another(village: Graph, question: str, cited: Sequence[str]) -> None:
    assert village.cited(question) == cited


def test_an_undated_fact_has_no_start_that_could_be_given(village: Graph) -> None:
    said = village.ask("How long has Oda been allergic to mussels?").text
    assert said == "The graph has no dated fact that Oda Fell is allergic to mussels."
