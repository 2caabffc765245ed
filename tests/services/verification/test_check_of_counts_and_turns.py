"""Rules of English that no one relation and no one subject explains: counts in time, order, "not A but B", scope."""

from dataclasses import replace

import pytest

from tests.services.verification.turns import chunks, facts, mark, result

STAFF = [
    {"source": name, "relation": "WORKS_FOR", "target": "Ridge Labs", "valid_at": start, "invalid_at": end}
    for name, start, end in (
        ("Ana Bell", "2015-03-01", None),
        ("Cem Dal", "2018-05-01", None),
        ("Eva Fox", "2021-02-01", None),
        ("Gil Hart", "2021-09-01", "2023-04-01"),
    )
]
COUNTED = [result(1, 4, STAFF)]
CITIES = facts("""
Nils Aker | LIVES_IN | Turin | 2010-01-01 | 2016-05-01
Nils Aker | LIVES_IN | Lyon | 2016-05-01
Mia Stone | FOUNDED | Harbor Press | 2001-06-01
Nils Aker | LEADS | Harbor Press | 2012-02-01
Mia Stone | LEADS | Harbor Press | 2001-06-01 | 2012-02-01
""")
MILL = chunks(
    """The mill was closed to visitors in 2009. The owner, Jonas Reed, preferred wind power, while his sister Clara
    argued for steam. The storm of 12 May 2014 started at 08:15 and was over at 09:45. Three of the seven sails broke.
    No grain was lost. The keys are held by the miller, never by the owner. In 2015 the rent was raised from 200 to
    260 euros."""
)


@pytest.mark.parametrize(
    "text",
    [
        "Half of the four joined in 2021 [1].",
        "Two people joined in 2018 or earlier [1].",
        "None of them started before 2015 [1].",
        "One left in 2023 [1].",
        "Three have joined since 2018 [1].",
    ],
)
def test_rows_are_counted_at_the_dates_of_a_sentence(text: str) -> None:
    assert mark(text, COUNTED) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Three people joined in 2021 [1].",
        "None of them started before 2018 [1].",
        "Two left in 2023 [1].",
        "Ana Bell left in 2023 [1].",
    ],
)
def test_a_wrong_count_at_a_date_is_contradicted(text: str) -> None:
    assert mark(text, COUNTED) == "contradicted"


def test_a_search_that_stopped_at_its_limit_counts_nothing() -> None:
    found = replace(result(1, 4, STAFF), is_whole=False)
    assert mark("There are 4 people at Ridge Labs [1].", [found]) == "contradicted"
    assert mark("There are 4 people at Ridge Labs [1].", COUNTED) == "supported"
    assert mark("Ana Bell works for Ridge Labs [1].", [found]) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Nils Aker moved out of Turin in May 2016 [1].",
        "Since 2016 Nils Aker has lived in Lyon, not Turin [1][2].",
        "Harbor Press, a creation of Mia Stone, is no longer led by her [3][5].",
        "Mia Stone led Harbor Press before Nils Aker [4][5].",
        "Mia Stone handed Harbor Press over to Nils Aker in 2012 [4][5].",
    ],
)
def test_what_is_said_of_one_fact_is_not_asked_of_another(text: str) -> None:
    assert mark(text, CITIES) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Nils Aker led Harbor Press before Mia Stone [4][5].",
        "Nils Aker lives in Turin, not Lyon [1][2].",
        "Nils Aker handed Harbor Press over to Mia Stone in 2012 [4][5].",
        "Nils Aker lived in Lyon before he led Harbor Press [2][4].",
        "Mia Stone founded Harbor Press after Nils Aker had lived in Turin [1][3].",
    ],
)
def test_a_wrong_order_of_two_facts_is_contradicted(text: str) -> None:
    assert mark(text, CITIES) == "contradicted"


@pytest.mark.parametrize(
    "text",
    [
        "The storm lasted an hour and a half [1].",
        "Reed, unlike Clara, preferred wind power [1].",
        "The owner has no say over the keys [1].",
        "Three of the seven sails were broken [1].",
        "The rent went up by 60 euros in 2015 [1].",
        "Visitors have not been let in since 2009 [1].",
    ],
)
def test_a_passage_bears_out_other_words(text: str) -> None:
    assert mark(text, MILL) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Clara preferred wind power [1].",
        "The keys are held by the owner [1].",
        "Four of the seven sails broke [1].",
        "Some grain was lost [1].",
        "The rent was lowered from 260 to 200 euros [1].",
        "The rent is 200 euros [1].",
        "The storm of 12 June 2014 started at 08:15 [1].",
    ],
)
def test_a_passage_that_says_otherwise_contradicts(text: str) -> None:
    assert mark(text, MILL) == "contradicted"
