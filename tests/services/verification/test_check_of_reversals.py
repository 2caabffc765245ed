"""Sentences that turn round what a record says, beside true ones in the same words."""

import pytest

from tests.services.verification.turns import chunks, facts, mark

FACTS = facts("""
Veld Rail | ACQUIRED | Quarry Line | 2004-03-01
Hop Brewery | PART_OF | Malt Holding | 1999-05-01 | 2011-08-01
Ira Stone | HEADS | Tidal Lab | 2001-02-01 | 2009-06-01
Uma Reed | HEADS | Tidal Lab | 2009-06-01
Request 7 | HAS_STATE | Open | 2015-01-10 | 2015-09-20
Request 7 | HAS_STATE | Approved | 2015-09-20 | 2019-03-02
Request 7 | HAS_STATE | Closed | 2019-03-02
Veld Rail | HAS_DEBT | 40 million | 2010-01-01 | 2014-01-01
Veld Rail | HAS_DEBT | 25 million | 2014-01-01
Rule 9 | REPLACES | Rule 4 | 2020-02-01
Lea Brook | DECLINED_SEAT_ON | Harbour Board | 2012-04-01
Tove Dahl | LIVES_IN | Namur | 2000-01-01 | 2006-07-01
Tove Dahl | LIVES_IN | Bruges | 2006-07-01
""")
MANUAL = chunks(
    """The pump was ordered before the well had been dug. Visitors must not enter the hall, but they may leave bags at
    the door. At most six guests may sleep in the hut. The bridge was to be opened in 2015. Rents rose by 4 percent,
    while wages fell from 30 to 28. Version 7 brought a leak, which was closed in version 9. Ada Holm sold the mill to
    Per Lund. The choir was founded in 1950 and disbanded in 1988. A toll will be charged on the bridge."""
)


@pytest.mark.parametrize(
    "text",
    [
        "Quarry Line became part of Veld Rail in March 2004 [1].",
        "Quarry Line was taken over by Veld Rail [1].",
        "Hop Brewery has no longer been part of Malt Holding since August 2011 [2].",
        "Ira Stone handed Tidal Lab over to Uma Reed in June 2009 [3][4].",
        "Ira Stone was head of Tidal Lab before Uma Reed was [3][4].",
        "Request 7 moved to Approved on 20 September 2015 [6].",
        "Request 7 ceased to be Approved on 2 March 2019 [6].",
        "Request 7 went from Open to Approved in September 2015 [5][6].",
        "Request 7 was Approved for at least three years [6].",
        "Three facts match: Open, Approved and Closed [5][6][7].",
        "The debt of Veld Rail fell from 40 million to 25 million in 2014 [8][9].",
        "The debt of Veld Rail shrank by 15 million [8][9].",
        "Rule 4 made way for Rule 9 [10].",
        "Lea Brook turned down a seat on the Harbour Board [11].",
        "In July 2006 Tove Dahl left Namur for Bruges [12][13].",
        "Tove Dahl lived in Namur until she moved to Bruges [12][13].",
    ],
)
def test_what_facts_say_in_other_words_is_supported(text: str) -> None:
    assert mark(text, FACTS) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Veld Rail became part of Quarry Line in March 2004 [1].",
        "Veld Rail was taken over by Quarry Line [1].",
        "Hop Brewery has no longer been part of Malt Holding since May 1999 [2].",
        "Uma Reed handed Tidal Lab over to Ira Stone in June 2009 [3][4].",
        "Uma Reed was head of Tidal Lab before Ira Stone was [3][4].",
        "Request 7 moved to Approved on 2 March 2019 [6].",
        "Request 7 ceased to be Approved on 20 September 2015 [6].",
        "Request 7 went from Approved to Open in September 2015 [5][6].",
        "Request 7 was Approved for no more than three years [6].",
        "Request 7 will be Approved on 20 September 2015 [6].",
        "Request 7 is due to be Closed in March 2019 [7].",
        "The debt of Veld Rail rose from 40 million to 25 million in 2014 [8][9].",
        "The debt of Veld Rail grew by 15 million [8][9].",
        "Rule 9 made way for Rule 4 [10].",
        "Lea Brook joined the Harbour Board in April 2012 [11].",
        "Uma Reed refused to head Tidal Lab [4].",
        "In July 2006 Tove Dahl left Bruges for Namur [12][13].",
        "Tove Dahl lived in Bruges until she moved to Namur [12][13].",
        "Uma Reed used to head Tidal Lab [4].",
        "Ira Stone has headed Tidal Lab since February 2001 [3].",
    ],
)
def test_what_turns_round_a_fact_is_contradicted(text: str) -> None:
    assert mark(text, FACTS) == "contradicted"


@pytest.mark.parametrize(
    "text",
    [
        "The well was dug after the pump had been ordered [1].",
        "Visitors are not allowed to enter the hall [1].",
        "No more than six guests may sleep in the hut [1].",
        "Wages dropped to 28 from 30 [1].",
        "The leak was closed in version 9 [1].",
        "Per Lund bought the mill from Ada Holm [1].",
        "The choir was disbanded in 1988 [1].",
    ],
)
def test_what_a_passage_says_in_other_words_is_supported(text: str) -> None:
    assert mark(text, MANUAL) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "The pump was ordered after the well had been dug [1].",
        "Visitors may enter the hall [1].",
        "Visitors are forbidden to leave bags at the door [1].",
        "At least six guests may sleep in the hut [1].",
        "The bridge was opened in 2015 [1].",
        "A toll was charged on the bridge [1].",
        "Rents fell by 4 percent [1].",
        "Wages rose from 28 to 30 [1].",
        "The leak was closed in version 7 [1].",
        "Per Lund sold the mill to Ada Holm [1].",
        "The choir was disbanded in 1950 [1].",
    ],
)
def test_what_turns_round_a_passage_is_contradicted(text: str) -> None:
    assert mark(text, MANUAL) == "contradicted"
