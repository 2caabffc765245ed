from datetime import UTC, datetime

import pytest

from services.core.answer_records import Sentence
from services.core.models import Instants
from services.verification.check import check
from tests.services.verification.turns import chunks, marked

PASSAGES = chunks(
    """The Harlow Bridge opened on 14 May 1932 and cost 2.1 million crowns. It was designed by the engineer Ida
    Brandt, who had studied under Karl Moe. The bridge replaced an older ferry line, which had carried 600
    passengers a day. In 1968 the city council decided to add a second lane.""",
    """The library supports Python 3.9 and later. Support for Windows 7 was dropped in release 4.0, because the
    compiler no longer ran there. Users who cannot upgrade may stay on the 3.x branch, which gets security fixes
    until December 2026. The parser was rewritten in Rust by Mei Lin and is about three times faster than before.""",
    """Dr. Okoye joined the clinic in 2011 as a junior surgeon. She became head of surgery in 2017, after Dr. Levin
    retired. The clinic treats 12,000 patients a year. It does not offer dental care. In March 2020 it bought the
    building next door from the Rossi family for 1.5 million euros.""",
    """User: I'm vegetarian but my husband Tom isn't. We adopted a cat called Miso last spring. I used to work for
    Brightline; since January I've been freelancing. My deadline for the grant is 30 June.""",
)
OTHERS = chunks(
    """Founded in 1987 by the chemist Rosa Klein, Velatex makes coatings for ships. Its first plant stood in Gdynia;
    a second one was opened in Rotterdam in 2003. In 2015 the company sold the Gdynia plant to its rival Morska
    for 40 million zloty. Velatex now employs 860 people. Its products contain no lead.""",
    """Version 2.3 of the gateway must be installed before 1 October. It removes the old login page and adds two-
    factor login. Administrators can turn two-factor login off for single users, but not for whole groups. The
    upgrade takes about 20 minutes. Customers in Japan were moved first, in July; customers in Europe followed in
    August.""",
    """The glacier has lost a third of its mass since 1980. Between 2005 and 2010 it retreated by 140 metres.
    Researchers led by Sofia Berg measured it every spring with lasers. They found that meltwater, not rain, feeds
    the lake. The old hut was given up in 1999 because the ground had become unsafe.""",
)
GOOD = [
    "The Harlow Bridge was opened in May 1932 [1].",
    "Ida Brandt designed the Harlow Bridge [1].",
    "Building the Harlow Bridge cost 2.1 million crowns [1].",
    "Ida Brandt was a student of Karl Moe [1].",
    "Before the bridge there was a ferry line with 600 passengers a day [1].",
    "The city council decided in 1968 that a second lane should be added [1].",
    "36 years after it opened, a second lane was decided on [1].",
    "Python 3.9 is the oldest version that the library supports [2].",
    "Windows 7 is no longer supported since release 4.0 [2].",
    "Security fixes for the 3.x branch will continue until December 2026 [2].",
    "Mei Lin rewrote the parser in Rust [2].",
    "The new parser is roughly three times as fast [2].",
    "Release 4.0 dropped support for Windows 7 [2].",
    "Dr. Okoye came to the clinic in 2011 [3].",
    "Okoye has led the surgery department since 2017 [3].",
    "Dr. Levin was head of surgery before Dr. Okoye [3].",
    "It took Okoye six years to become head of surgery [3].",
    "The clinic sees 12,000 patients every year [3].",
    "Dental care is not offered by the clinic [3].",
    "The clinic bought the neighbouring building from the Rossi family in March 2020 [3].",
    "The Rossi family sold the building to the clinic for 1.5 million euros [3].",
    "Miso is the user's cat [4].",
    "The user no longer works for Brightline [4].",
    "The grant deadline is on 30 June [4].",
]
BAD = [
    "The Harlow Bridge opened on 14 March 1932 [1].",
    "The Harlow Bridge opened in 1923 [1].",
    "Karl Moe designed the Harlow Bridge [1].",
    "Karl Moe studied under Ida Brandt [1].",
    "The bridge cost 1.2 million crowns [1].",
    "The ferry line replaced the bridge [1].",
    "The ferry carried 900 passengers a day [1].",
    "The city council decided not to add a second lane [1].",
    "Ida Brandt did not design the bridge [1].",
    "The Harlow Bridge was designed by Otto Falk [1].",
    "The library supports Windows 7 [2].",
    "The library does not support Python 3.9 [2].",
    "The library supports Python 3.6 [2].",
    "Support for Windows 7 was dropped in release 5.0 [2].",
    "The 3.x branch gets security fixes until December 2028 [2].",
    "The parser was rewritten in Go by Mei Lin [2].",
    "The new parser is three times slower than before [2].",
    "Mei Lin was rewritten by the parser [2].",
    "Dr. Levin joined the clinic in 2011 [3].",
    "Dr. Okoye became head of surgery in 2011 [3].",
    "Dr. Okoye retired in 2017 [3].",
    "The clinic treats 21,000 patients a year [3].",
    "The clinic offers dental care [3].",
    "The Rossi family bought the building from the clinic [3].",
    "The clinic paid 5.1 million euros for the building [3].",
    "Tom is vegetarian [4].",
    "The user works for Brightline [4].",
    "The cat is called Tom [4].",
    "The deadline for the grant is 30 July [4].",
    "The library was written in Rust by Ida Brandt [1].",
]
GOOD_OTHERS = [
    "Rosa Klein founded Velatex in 1987 [1].",
    "Velatex was set up by a chemist called Rosa Klein [1].",
    "A second plant in Rotterdam opened in 2003 [1].",
    "Morska bought the Gdynia plant in 2015 [1].",
    "The plant in Gdynia was sold to Morska for 40 million zloty [1].",
    "Velatex has 860 employees [1].",
    "There is no lead in Velatex's products [1].",
    "16 years after its founding, Velatex opened a plant in Rotterdam [1].",
    "The gateway's version 2.3 has to be installed by 1 October [2].",
    "Two-factor login can be switched off for individual users [2].",
    "Two-factor login cannot be turned off for whole groups [2].",
    "The old login page is removed in version 2.3 [2].",
    "Upgrading takes around 20 minutes [2].",
    "The glacier shrank by 140 metres from 2005 to 2010 [3].",
    "One third of the glacier's mass has been lost since 1980 [3].",
    "Sofia Berg's team measured the glacier with lasers each spring [3].",
    "The lake is fed by meltwater rather than rain [3].",
    "The hut was abandoned in 1999 [3].",
    "The ground at the old hut was no longer safe [3].",
]
BAD_OTHERS = [
    "Velatex was founded in 1978 [1].",
    "Velatex was founded by Karl Morska [1].",
    "Morska sold the Gdynia plant to Velatex [1].",
    "Velatex sold the Rotterdam plant in 2015 [1].",
    "The Gdynia plant was sold for 14 million zloty [1].",
    "Velatex employs 680 people [1].",
    "Velatex's products contain lead [1].",
    "Velatex bought Morska in 2015 [1].",
    "Version 2.4 of the gateway must be installed before 1 October [2].",
    "Version 2.3 must be installed before 1 November [2].",
    "Two-factor login can be turned off for whole groups [2].",
    "The upgrade takes about 50 minutes [2].",
    "Customers in Europe were moved first [2].",
    "Rain feeds the lake [3].",
    "The glacier has gained a third of its mass since 1980 [3].",
    "The glacier retreated by 410 metres between 2005 and 2010 [3].",
    "The old hut is still in use [3].",
    "The old hut was given up in 1989 [3].",
    "Rosa Klein led the researchers [3].",
]


@pytest.mark.parametrize("sentence", GOOD)
def test_what_a_cited_passage_says_is_supported(sentence: str) -> None:
    assert {(one.mark, one.by) for one in marked(sentence, PASSAGES)} == {("supported", None)}


@pytest.mark.parametrize("sentence", BAD)
def test_what_a_cited_passage_does_not_say_is_contradicted_by_it(sentence: str) -> None:
    (one,) = marked(sentence, PASSAGES)
    assert (one.mark, one.by) == ("contradicted", one.citations[0])


@pytest.mark.parametrize("sentence", GOOD_OTHERS)
def test_what_other_passages_say_is_supported(sentence: str) -> None:
    assert {(one.mark, one.by) for one in marked(sentence, OTHERS)} == {("supported", None)}


@pytest.mark.parametrize("sentence", BAD_OTHERS)
def test_what_other_passages_do_not_say_is_contradicted(sentence: str) -> None:
    assert "contradicted" in {one.mark for one in marked(sentence, OTHERS)}


def test_quoted_words_stay_quoted_only_where_they_stand_in_the_passage() -> None:
    at = Instants(datetime(2026, 11, 22, tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC))
    there, elsewhere = (
        Sentence(f"“{words}” (Harlow, line 1)", (PASSAGES[0].n,), "quoted")
        for words in ("The Harlow Bridge opened on 14 May 1932", "The Harlow Bridge opened in 1968")
    )
    assert [one.mark for one in check([there, elsewhere], PASSAGES, at)] == ["quoted", "contradicted"]
