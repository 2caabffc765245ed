import pytest

from services.core.answer_records import Evidence
from tests.services.verification.turns import facts, marked

MORE = facts("""
Harbor Clinic | EMPLOYS | Dr. Yara Haddad | 2012-05-01 | 2019-04-30
Dr. Yara Haddad | WORKS_AT | St. Jude Hospital | 2019-05-01 |  | Dr. Yara Haddad works at St. Jude Hospital.
Gannet 2 | LAUNCHED_BY | Arc Space | 2016-09-14 |  | Arc Space launched the satellite Gannet 2.
Gannet 2 | ORBITS | Venus | 2017-02-20 | 2022-11-03 | Gannet 2 orbited Venus.
Gannet 2 | COST | 310 million dollars | 2016-09-14 |  | Gannet 2 cost 310 million dollars.
Linus Falk | COACHES | Elk City Rovers | 2018-07-01 | 2021-06-30 | Linus Falk coached the Elk City Rovers.
Bea Moreau | COACHES | Elk City Rovers | 2021-07-01 |  | Bea Moreau coaches the Elk City Rovers.
Elk City Rovers | PLAYS_IN | Union Arena | 2009-03-01 |  | The Elk City Rovers play in Union Arena.
Union Arena | HAS_CAPACITY | 18,500 | 2009-03-01 |  | Union Arena has 18,500 seats.
Moss Street | RENAMED_TO | Avenue of Peace | 1991-11-05 |  | Moss Street was renamed Avenue of Peace.
The Glass Orchard | WRITTEN_BY | Tomas Reyes | 2005-02-11 |  | Tomas Reyes wrote The Glass Orchard.
The Glass Orchard | TRANSLATED_INTO | German | 2008-10-01 |  | The Glass Orchard was translated into German.
Tomas Reyes | LIVES_IN | Porto |  |  | Tomas Reyes lives in Porto.
Norvik | TWINNED_WITH | Salgueiro | 1988-06-01 |  | Norvik is twinned with Salgueiro.
parser-lib | LICENSED_UNDER | GPL 3 | 2014-01-10 | 2020-08-15 | parser-lib is licensed under GPL 3.
parser-lib | LICENSED_UNDER | MIT | 2020-08-15 |  | parser-lib is licensed under MIT.
parser-lib | MAINTAINED_BY | Oskar Lind | 2014-01-10 |  | Oskar Lind maintains parser-lib.
PROJ-77 | BLOCKED_BY | PROJ-12 | 2025-03-03 | 2025-04-17 | PROJ-77 is blocked by PROJ-12.
PROJ-77 | ASSIGNED_TO | Keiko Abe | 2025-03-01 |  | PROJ-77 is assigned to Keiko Abe.
Keiko Abe | MEMBER_OF | Platform Team | 2021-02-01 |  | Keiko Abe is a member of the Platform Team.
Mila | HAS_ALLERGY | cat hair |  |  | Mila is allergic to cat hair.
Mila | OWNS | red bicycle | 2023-05-20 |  | Mila owns a red bicycle.
Rivera Foods | MERGED_WITH | Castell Group | 2018-10-01 |  | Rivera Foods merged with the Castell Group.
Rivera Foods | HAS_REVENUE | 2.4 billion euros | 2022-01-01 | 2022-12-31
Rivera Foods | HAS_REVENUE | 3 billion euros | 2023-01-01 | 2023-12-31
""")


MORE_GOOD = [
    "Dr. Haddad was employed at Harbor Clinic from May 2012 to April 2019 [1].",
    "Yara Haddad spent seven years at Harbor Clinic [1].",
    "Yara Haddad left Harbor Clinic in April 2019 and has been at St. Jude Hospital since 1 May 2019 [1][2].",
    "Haddad has worked at St. Jude Hospital for more than seven years now [2].",
    "Harbor Clinic was Haddad's employer until spring 2019 [1].",
    "Gannet 2 was sent into space by Arc Space on 14 Sept 2016 [3].",
    "Gannet 2, launched in 2016, cost $310 million [3][5].",
    "Gannet 2 circled Venus from February 2017 until November 2022 [4].",
    "Gannet 2 was in orbit around Venus for five years and eight months [4].",
    "It took Gannet 2 about five months to get from launch to Venus orbit [3][4].",
    "The price of Gannet 2 was 310 million dollars [5].",
    "Under Linus Falk, who was coach from 2018 to 2021, the Elk City Rovers played in Union Arena [6][8].",
    "The Rovers' coach is Bea Moreau [7].",
    "Bea Moreau took charge of the Elk City Rovers in July 2021 [7].",
    "Bea Moreau has been the coach of the Elk City Rovers for five years [7].",
    "Linus Falk's spell as coach of the Elk City Rovers lasted three years [6].",
    "The Elk City Rovers have had two coaches, Falk and Moreau [6][7].",
    "Union Arena seats 18,500 spectators [9].",
    "Union Arena, home of the Elk City Rovers since 2009, holds 18,500 people [8][9].",
    "About 18,500 people fit into Union Arena [9].",
    "Moss Street got a new name, Avenue of Peace, on 5 November 1991 [10].",
    "The author of The Glass Orchard is Tomas Reyes [11].",
    "The Glass Orchard, a book by Tomas Reyes, came out in February 2005 [11].",
    "A German translation of The Glass Orchard appeared in October 2008 [12].",
    "Three and a half years after it was written, The Glass Orchard was available in German [11][12].",
    "Tomas Reyes, the author of The Glass Orchard, makes his home in Porto (no date given) [11][13].",
    "Norvik and Salgueiro have been twin towns for 38 years [14].",
    "Norvik has been twinned with Salgueiro since the summer of 1988 [14].",
    "parser-lib switched from GPL 3 to MIT on 15 August 2020 [15][16].",
    "Before August 2020, parser-lib was under GPL 3 [15].",
    "parser-lib was published under the GPL 3 for six and a half years [15].",
    "The licence of parser-lib has been MIT since 2020 [16].",
    "Oskar Lind has been maintaining parser-lib since January 2014 [17].",
    "parser-lib is maintained by Oskar Lind [17].",
    "PROJ-12 blocked PROJ-77 for 45 days, from 3 March to 17 April 2025 [18].",
    "PROJ-77 was held up by PROJ-12 until 17 April 2025 [18].",
    "PROJ-77 is no longer blocked by PROJ-12 [18].",
    "PROJ-77 is in the hands of Keiko Abe, who belongs to the Platform Team [19][20].",
    "Keiko Abe joined the Platform Team in February 2021 [20].",
    "In 2020, Keiko Abe was not yet a member of the Platform Team [20].",
    "Mila has had a red bicycle since May 2023 [22].",
    "The red bicycle belongs to Mila [22].",
    "Mila bought a red bicycle on 20 May 2023 [22].",
    "Rivera Foods and the Castell Group merged in October 2018 [23].",
    "Rivera Foods made 2.4 billion euros in 2022 and 3 billion in 2023 [24][25].",
    "* **Coach:** Bea Moreau (since 1 July 2021) [7]",
    "* Oskar Lind – maintainer of parser-lib [17]",
    "| parser-lib | MIT | 2020-08-15 | [16] |",
]


MORE_BAD = [
    "Dr. Haddad worked at Harbor Clinic from May 2012 to April 2020 [1].",
    "Yara Haddad works at Harbor Clinic [1].",
    "St. Jude Hospital works at Yara Haddad [2].",
    "Gannet 2 was launched on 14 September 2017 [3].",
    "Gannet 2 orbits Venus [4].",
    "Gannet 2 orbited Mars from 2017 to 2022 [4].",
    "Gannet 2 cost 130 million dollars [5].",
    "Linus Falk coaches the Elk City Rovers [6].",
    "The Elk City Rovers coach Bea Moreau [7].",
    "Bea Moreau has coached the Elk City Rovers for nine years [7].",
    "Union Arena has 15,800 seats [9].",
    "Avenue of Peace was renamed Moss Street in 1991 [10].",
    "The Glass Orchard was translated into French [12].",
    "Tomas Reyes does not live in Porto [13].",
    "Tomas Reyes was written by The Glass Orchard [11].",
    "parser-lib is licensed under GPL 3 [15].",
    "parser-lib switched from MIT to GPL 3 in August 2020 [15][16].",
    "PROJ-12 is blocked by PROJ-77 [18].",
    "PROJ-77 was blocked by PROJ-12 for 15 days [18].",
    "Keiko Abe left the Platform Team in February 2021 [20].",
    "Mila is allergic to dog hair [21].",
    "Mila owns a blue bicycle [22].",
    "Rivera Foods never merged with the Castell Group [23].",
    "Revenue at Rivera Foods rose by 60% from 2022 to 2023 [24][25].",
]


STILL_MORE = facts("""
Aldo Bianchi | COMPOSED | Harbour Suite | 1974-03-01 |  | Aldo Bianchi composed the Harbour Suite.
Harbour Suite | PREMIERED_AT | Odeon Hall | 1975-10-12 |  | The Harbour Suite was first performed at Odeon Hall.
Quest Bank | SUPERVISED_BY | Bafin | 2003-01-01 | 2014-11-03 | Quest Bank was supervised by Bafin.
Quest Bank | SUPERVISED_BY | ECB | 2014-11-04 |  | Quest Bank is supervised by the ECB.
orders-db | REPLICATES_TO | orders-replica | 2022-06-01 |  | orders-db replicates to orders-replica.
orders-db | RUNS_ON | host-17 | 2021-02-01 | 2023-02-01 | orders-db ran on host-17.
Temple of Isun | DESIGNATED_AS | World Heritage Site | 1996-12-07 |  | The Temple of Isun is a World Heritage Site.
Temple of Isun | VISITED_BY | 220,000 people a year | 2019-01-01 |
Greta Olsen | PRESIDENT_OF | Fjord Union | 2009-05-01 | 2017-04-30 | Greta Olsen was president of the Fjord Union.
Henrik Dahl | PRESIDENT_OF | Fjord Union | 2017-05-01 |  | Henrik Dahl is president of the Fjord Union.
Sana Iqbal | MOVED_TO | Lisbon | 2020-09-01 |  | Sana Iqbal moved to Lisbon.
Sana Iqbal | SPEAKS | Portuguese |  |  | Sana Iqbal speaks Portuguese.
Ticket A-9 | PRIORITY | high | 2024-03-01 | 2024-03-20 | Ticket A-9 has priority high.
Ticket A-9 | PRIORITY | low | 2024-03-20 |  | Ticket A-9 has priority low.
Dr. Emil Roth | SUPERVISES | Tara Singh | 2022-10-01 |  | Emil Roth supervises the thesis of Tara Singh.
Silva Wines | EXPORTS_TO | Japan | 2015-04-01 | 2022-04-01 | Silva Wines exported to Japan.
Silva Wines | OWNS | Quinta Alta | 2001-08-01 |  | Silva Wines bought the vineyard Quinta Alta.
""")


STILL_MORE_GOOD = [
    "The Harbour Suite had its premiere at Odeon Hall in October 1975 [2].",
    "A year and seven months passed between the composition of the Harbour Suite and its premiere [1][2].",
    "Until November 2014 Quest Bank was under the supervision of Bafin [3].",
    "Since 4 November 2014 the ECB has been supervising Quest Bank [4].",
    "Supervision of Quest Bank passed from Bafin to the ECB in November 2014 [3][4].",
    "Bafin watched over Quest Bank for almost twelve years [3].",
    "orders-replica is a replica of orders-db [5].",
    "Between February 2021 and February 2023, orders-db was hosted on host-17 [6].",
    "orders-db spent two years on host-17 [6].",
    "orders-db does not run on host-17 any more [6].",
    "The Temple of Isun has been a World Heritage Site since 1996 [7].",
    "In December 1996 the Temple of Isun was made a World Heritage Site [7].",
    "The Temple of Isun attracts some 220,000 visitors a year [8].",
    "Greta Olsen presided over the Fjord Union for eight years [9].",
    "In 2010 Greta Olsen was at the head of the Fjord Union [9].",
    "The Fjord Union has had two presidents: Olsen and Dahl [9][10].",
    "Dahl has been in office for nine years [10].",
    "Sana Iqbal has lived in Lisbon since September 2020 [11].",
    "Sana Iqbal, who moved to Lisbon in 2020, speaks Portuguese [11][12].",
    "Portuguese is one of the languages that Sana Iqbal speaks [12].",
    "Ticket A-9 had high priority for 19 days [13].",
    "The priority of ticket A-9 was lowered from high to low on 20 March 2024 [13][14].",
    "Ticket A-9's priority is now low [14].",
    "Tara Singh's supervisor is Emil Roth [15].",
    "Tara Singh has been supervised by Dr. Roth since October 2022 [15].",
    "Silva Wines shipped to Japan from 2015 to 2022 [16].",
    "Silva Wines stopped exporting to Japan in April 2022 [16].",
    "Silva Wines sold its wine in Japan for seven years [16].",
    "Quinta Alta has been in the possession of Silva Wines since August 2001 [17].",
    "Silva Wines acquired Quinta Alta in 2001 [17].",
]


STILL_MORE_BAD = [
    "Odeon Hall composed the Harbour Suite [1].",
    "The Harbour Suite was composed in 1947 [1].",
    "Quest Bank supervises Bafin [3].",
    "Quest Bank is supervised by Bafin [3].",
    "Bafin supervised Quest Bank until 2016 [3].",
    "orders-db runs on host-17 [6].",
    "orders-replica replicates to orders-db [5].",
    "The Temple of Isun became a World Heritage Site in 1969 [7].",
    "Greta Olsen is president of the Fjord Union [9].",
    "Greta Olsen followed Henrik Dahl as president of the Fjord Union [9][10].",
    "Sana Iqbal moved to Porto [11].",
    "Sana Iqbal does not speak Portuguese [12].",
    "Ticket A-9 has high priority [13].",
    "Emil Roth is supervised by Tara Singh [15].",
    "Silva Wines exports to Japan [16].",
    "Silva Wines exported to Japan for ten years [16].",
    "Quinta Alta owns Silva Wines [17].",
]


@pytest.mark.parametrize("sentence", MORE_GOOD)
def test_other_words_for_what_facts_say_are_supported(sentence: str) -> None:
    assert {one.mark for one in marked(sentence, MORE)} == {"supported"}


@pytest.mark.parametrize("sentence", STILL_MORE_GOOD)
def test_other_words_for_what_yet_other_facts_say_are_supported(sentence: str) -> None:
    assert {one.mark for one in marked(sentence, STILL_MORE)} == {"supported"}


@pytest.mark.parametrize(
    ("sentence", "cited"), [*((one, MORE) for one in MORE_BAD), *((one, STILL_MORE) for one in STILL_MORE_BAD)]
)
def test_what_facts_do_not_say_is_contradicted(sentence: str, cited: list[Evidence]) -> None:
    assert "contradicted" in {one.mark for one in marked(sentence, cited)}
