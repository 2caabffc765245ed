import pytest

from tests.services.verification.turns import facts, mark, marked

WORLD = facts("""
Berlin | CAPITAL_OF | Germany | 1990-10-03
Bonn | CAPITAL_OF | West Germany | 1949-05-10 | 1990-10-03
Toni Morrison | WROTE | Beloved | 1987-09-02
Beloved | WON_AWARD | Pulitzer Prize | 1988-04-01
React 18 | REQUIRES | Node 16 | 2022-03-29 |  | React 18 requires Node 16 or newer
Vue 2 | MAINTAINED_BY | Evan You | 2016-09-30 | 2023-12-31
Ticket 88 | has status | in progress | 2024-02-01 | 2024-02-09
Ticket 88 | has status | closed | 2024-02-09
Helen Park | BOARD_MEMBER_OF | Orion Bank | 2015-04-01 | 2021-03-31
Orion Bank | HEADQUARTERED_IN | Zurich
Orion Bank | HAS_EMPLOYEES | 2,300 | 2023-01-01 |  | Orion Bank has 2,300 employees.
Nile | FLOWS_THROUGH | Egypt
Marco Reus | PLAYS_FOR | LA Galaxy | 2024-08-15
Marco Reus | PLAYS_FOR | Borussia Dortmund | 2012-07-01 | 2024-06-30
Deal 7 | SIGNED_BY | Ana Costa | 2020-05-05
Tesla Grohmann | SUBSIDIARY_OF | Tesla | 2017-01-03
RFC 7231 | OBSOLETED_BY | RFC 9110 | 2022-06-06
Sam Lee | MENTORS | Priya Rao | 2023-09-01
Mars Sample Return | MANAGED_BY | NASA | 2020-07-01
Jonas Weber | EDUCATED_AT | TU Munich | 2001-10-01 | 2006-09-30
Paper 12 | CITES | Paper 4 | 2019-01-10
Lighthouse Fund | INVESTED_IN | Brightcell | 2021-06-14 |  | Lighthouse Fund invested 12 million dollars in Brightcell.
Kafka 3.0 | DEPRECATES | ZooKeeper | 2021-09-21
Ursula Klein | SPOUSE_OF | Peter Klein | 1999-06-12
Line 4 | CONNECTS | Central Station | 2005-01-01
Grafton Bridge | BUILT_IN | Leeds | 1911-05-01
Paul Adeyemi | MINISTER_OF | Finance | 2010-05-12 | 2014-11-30
Rita Gomez | MINISTER_OF | Finance | 2014-12-01
""")
OTHER = facts("""
Acme Corp | hasCEO | Linda Zhou | 2019-03-01 | 2024-02-29
Acme Corp | hasCEO | Omar Said | 2024-03-01
Omar Said | worksFor | Globex | 2015-06-01 | 2024-02-28
service-auth | depends_on | redis 7.2 | 2023-11-01 |  | service-auth depends on redis 7.2
service-auth | owned by | Team Falcon | 2022-05-10 | 2025-01-15
service-auth | owned by | Team Heron | 2025-01-15
Lake Como | LOCATED_IN | Italy
Carla Ruiz | BORN_IN | Sevilla | 1971-08-02
Carla Ruiz | INVENTED | HydroLoop | 2004-10-12
Patent 55 | GRANTED_TO | Carla Ruiz | 2006-03-07 |  | Patent 55 was granted to Carla Ruiz for HydroLoop
Maple Street School | HAS_PRINCIPAL | Dina Wolf | 2012-08-01 | 2018-07-31
Maple Street School | HAS_PRINCIPAL | Ed Chan | 2018-08-01 |  | Ed Chan is principal of Maple Street School
Kenya | MEMBER_OF | East African Community | 2000-07-07
Bill 21 | HAS_STAGE | Committee | 2023-02-01 | 2023-05-20
Bill 21 | HAS_STAGE | Third Reading | 2023-05-20 | 2023-06-30
Bill 21 | HAS_STAGE | Passed | 2023-06-30
Ivan Petrov | ALLERGIC_TO | peanuts
Ivan Petrov | PREFERS | window seats | 2020-01-01
Flight 902 | OPERATED_BY | Aurora Air | 2018-04-01 | 2020-03-15
Bluebird | TRANSLATED_BY | Nora Lund | 2010-09-01
Nora Lund | SIBLING_OF | Erik Lund
Contract 9 | VALUE | 450,000 euros | 2021-02-01
Raft | IMPLEMENTED_IN | etcd | 2013-07-01
Eva Stone | CHAIRS | Audit Committee | 2021-01-01
Eva Stone | CHAIRS | Ethics Board | 2017-01-01 | 2020-12-31
""")
GOOD = [
    "Berlin has been Germany's capital since October 1990 [1].",
    "Germany has had its capital in Berlin since 3 Oct 1990 [1].",
    "From 1949 to 1990 the capital of West Germany was Bonn [2].",
    "Bonn was West Germany's capital for 41 years [2].",
    "Beloved is a novel by Toni Morrison [3].",
    "Toni Morrison is the author of Beloved, which won the Pulitzer Prize [3][4].",
    "Beloved was awarded the Pulitzer Prize in April 1988 [4].",
    "To run React 18 you need Node 16 or newer [5].",
    "Evan You maintained Vue 2 until the end of 2023 [6].",
    "Vue 2 is no longer maintained by Evan You [6].",
    "Evan You looked after Vue 2 for more than seven years [6].",
    "Ticket 88 was in progress for eight days before it was closed on 9 February 2024 [7][8].",
    "Ticket 88 has been closed since 2024-02-09 [8].",
    "Ticket 88 is closed [8].",
    "On 5 February 2024, ticket 88 was still in progress [7].",
    "Helen Park sat on the board of Orion Bank from April 2015 to March 2021 [9].",
    "Helen Park was a board member of Orion Bank for six years [9].",
    "Helen Park left the board of Orion Bank in March 2021 [9].",
    "Orion Bank, based in Zurich, has 2,300 employees [10][11].",
    "Orion Bank employs roughly 2,300 people [11].",
    "The Nile runs through Egypt [12].",
    "Marco Reus moved from Borussia Dortmund to LA Galaxy in summer 2024 [13][14].",
    "Reus played for Dortmund for twelve years [14].",
    "Marco Reus currently plays for LA Galaxy [13].",
    "Before LA Galaxy, Marco Reus was at Borussia Dortmund [13][14].",
    "Deal 7 was signed by Ana Costa on May 5th, 2020 [15].",
    "Ana Costa signed Deal 7 [15].",
    "Tesla owns Tesla Grohmann [16].",
    "Tesla Grohmann became a subsidiary of Tesla in January 2017 [16].",
    "RFC 9110 obsoletes RFC 7231 [17].",
    "RFC 7231 was replaced by RFC 9110 in June 2022 [17].",
    "Sam Lee is Priya Rao's mentor [18].",
    "Priya Rao is mentored by Sam Lee [18].",
    "NASA manages Mars Sample Return [19].",
    "Jonas Weber studied at TU Munich between 2001 and 2006 [20].",
    "Jonas Weber is a graduate of TU Munich [20].",
    "Paper 4 is cited by Paper 12 [21].",
    "Lighthouse Fund put $12 million into Brightcell in June 2021 [22].",
    "Kafka 3.0 deprecated ZooKeeper in September 2021 [23].",
    "Ursula Klein is married to Peter Klein [24].",
    "Peter Klein and Ursula Klein have been married for 27 years [24].",
    "Rita Gomez succeeded Paul Adeyemi as Minister of Finance in December 2014 [27][28].",
    "Paul Adeyemi was finance minister until 30 November 2014 [27].",
    "In 2012, the Minister of Finance was Paul Adeyemi [27].",
    "Rita Gomez has held the office of Minister of Finance since late 2014 [28].",
    "Grafton Bridge was built in 1911 in Leeds [26].",
    "- Final owner: **Ana Costa** signed Deal 7 [15]",
    "Two people have been Minister of Finance: Paul Adeyemi and Rita Gomez [27][28].",
    "As of 2013, Helen Park was not yet on the board of Orion Bank [9].",
    "Central Station is on Line 4 [25].",
]
BAD = [
    "Bonn is the capital of Germany [1].",
    "Berlin became the capital of Germany in 1989 [1].",
    "Germany is the capital of Berlin [1].",
    "Bonn is the capital of West Germany [2].",
    "Bonn was West Germany's capital for 35 years [2].",
    "Beloved was written by Alice Walker [3].",
    "Beloved wrote Toni Morrison [3].",
    "Toni Morrison did not write Beloved [3].",
    "Beloved won the Booker Prize [4].",
    "React 17 requires Node 16 [5].",
    "Node 16 requires React 18 [5].",
    "Vue 2 is maintained by Evan You [6].",
    "Evan You maintained Vue 3 until 2023 [6].",
    "Evan You has maintained Vue 2 since 2014 [6].",
    "Ticket 88 is in progress [7].",
    "Ticket 88 is still open [8].",
    "Ticket 88 was closed on 9 March 2024 [8].",
    "Ticket 88 was in progress for eighteen days [7].",
    "Ticket 89 was closed in February 2024 [8].",
    "Helen Park sits on the board of Orion Bank [9].",
    "Helen Park joined the board of Orion Bank in 2016 [9].",
    "Helen Park was on the board of Orion Bank for nine years [9].",
    "Orion Bank is headquartered in Geneva [10].",
    "Orion Bank has had its head office in Zurich since 1990 [10].",
    "Orion Bank has 3,200 employees [11].",
    "Egypt flows through the Nile [12].",
    "Marco Reus plays for Borussia Dortmund [14].",
    "In 2025 Marco Reus played for Borussia Dortmund [14].",
    "LA Galaxy plays for Marco Reus [13].",
    "Marco Reus moved from LA Galaxy to Borussia Dortmund in 2024 [13][14].",
    "Deal 7 was signed by Ana Costa on 5 June 2020 [15].",
    "Deal 7 signed Ana Costa [15].",
    "Tesla is a subsidiary of Tesla Grohmann [16].",
    "RFC 7231 obsoletes RFC 9110 [17].",
    "RFC 7231 was obsoleted by RFC 9111 [17].",
    "Priya Rao mentors Sam Lee [18].",
    "Sam Lee is mentored by Priya Rao [18].",
    "ESA manages Mars Sample Return [19].",
    "NASA is managed by Mars Sample Return [19].",
    "Jonas Weber studied at TU Berlin [20].",
    "Jonas Weber studied at TU Munich from 2001 to 2008 [20].",
    "Jonas Weber is a student at TU Munich [20].",
    "Paper 4 cites Paper 12 [21].",
    "Paper 12 does not cite Paper 4 [21].",
    "Lighthouse Fund invested 21 million dollars in Brightcell [22].",
    "Brightcell invested in Lighthouse Fund [22].",
    "Lighthouse Fund invested in Brightcell in 2019 [22].",
    "Ursula Klein and Peter Klein are not married [24].",
    "Ursula Klein married Hans Klein in 1999 [24].",
    "Paul Adeyemi is Minister of Finance [27].",
    "Paul Adeyemi succeeded Rita Gomez as Minister of Finance [27][28].",
    "Rita Gomez was Minister of Finance in 2013 [28].",
    "Rita Gomez has been Minister of Health since 2014 [28].",
    "Orion Bank is led by Helen Park [9].",
    "Ticket 88 was reopened on 9 February 2024 [8].",
    "Rita Gomez has never been Minister of Finance [28].",
    "Paul Adeyemi and Rita Gomez are ministers of finance [27][28].",
    "Helen Park no longer plays for LA Galaxy [13].",
]
GOOD_OTHER = [
    "Omar Said is the CEO of Acme Corp [2].",
    "Acme is run by Omar Said [2].",
    "Linda Zhou was Acme's chief executive for five years, from March 2019 to the end of February 2024 [1].",
    "Omar Said took over as CEO from Linda Zhou on 1 March 2024 [1][2].",
    "Before joining Acme Corp, Omar Said worked for Globex [3][2].",
    "Omar Said was employed by Globex from 2015 until February 2024 [3].",
    "service-auth needs redis 7.2 [4].",
    "Team Heron has owned service-auth since January 2025 [6].",
    "service-auth passed from Team Falcon to Team Heron on 15 January 2025 [5][6].",
    "Team Falcon used to own service-auth [5].",
    "In 2023 service-auth belonged to Team Falcon [5].",
    "Lake Como is in Italy [7].",
    "Carla Ruiz was born on 2 August 1971 in Sevilla [8].",
    "HydroLoop was invented by Carla Ruiz in 2004 [9].",
    "Patent 55 went to Carla Ruiz in March 2006 [10].",
    "The principal of Maple Street School is Ed Chan; before him it was Dina Wolf [12][11].",
    "Dina Wolf led Maple Street School for six years [11].",
    "Ed Chan replaced Dina Wolf as principal of Maple Street School in August 2018 [11][12].",
    "Kenya joined the East African Community in July 2000 [13].",
    "Kenya has belonged to the East African Community for 26 years [13].",
    "Bill 21 was in committee until 20 May 2023, had its third reading, and was passed on 30 June 2023 [14][15][16].",
    "Bill 21 went from Committee to Third Reading in May 2023 [14][15].",
    "Bill 21 has passed [16].",
    "Ivan Petrov prefers window seats [18].",
    "Flight 902 was operated by Aurora Air for almost two years [19].",
    "Aurora Air stopped operating Flight 902 in March 2020 [19].",
    "Bluebird was translated by Nora Lund [20].",
    "Nora Lund and Erik Lund are siblings [21].",
    "Contract 9 is worth 450,000 euros [22].",
    "The value of Contract 9 is €450,000 [22].",
    "Eva Stone chairs the Audit Committee and chaired the Ethics Board until 2020 [24][25].",
]
BAD_OTHER = [
    "Linda Zhou is the CEO of Acme Corp [1].",
    "Omar Said became CEO of Acme Corp in March 2023 [2].",
    "Acme Corp is the CEO of Omar Said [2].",
    "Linda Zhou succeeded Omar Said as CEO of Acme Corp [1][2].",
    "Omar Said works for Globex [3].",
    "Linda Zhou worked for Globex until 2024 [3].",
    "service-auth depends on redis 7.4 [4].",
    "redis 7.2 depends on service-auth [4].",
    "Team Falcon owns service-auth [5].",
    "service-auth passed from Team Heron to Team Falcon in January 2025 [5][6].",
    "Lake Como is in Austria [7].",
    "Carla Ruiz was born in Malaga [8].",
    "Carla Ruiz was born in 1972 [8].",
    "HydroLoop invented Carla Ruiz [9].",
    "Patent 55 was granted to Otto Falk [10].",
    "Patent 55 was granted to Carla Ruiz in 2008 [10].",
    "Dina Wolf is the principal of Maple Street School [11].",
    "Ed Chan has been principal of Maple Street School since August 2016 [12].",
    "Dina Wolf replaced Ed Chan as principal of Maple Street School [11][12].",
    "Kenya is not a member of the East African Community [13].",
    "Kenya left the East African Community in 2000 [13].",
    "Bill 21 was passed on 30 July 2023 [16].",
    "Bill 21 is in committee [14].",
    "Bill 21 was rejected [16].",
    "Ivan Petrov is allergic to walnuts [17].",
    "Ivan Petrov hates window seats [18].",
    "Flight 902 is operated by Aurora Air [19].",
    "Flight 902 was operated by Aurora Air for four years [19].",
    "Nora Lund was translated by Bluebird [20].",
    "Bluebird was translated by Erik Lund [20].",
    "Contract 9 is worth 540,000 euros [22].",
    "Eva Stone chairs the Ethics Board [25].",
    "Eva Stone chairs the Audit Committee and the Ethics Board [24][25].",
    "Globex hired Omar Said in 2019 [3].",
    "Omar Said has never worked for Globex [3].",
]


@pytest.mark.parametrize("sentence", GOOD)
def test_what_the_cited_facts_say_is_supported(sentence: str) -> None:
    assert {(one.mark, one.by) for one in marked(sentence, WORLD)} == {("supported", None)}


@pytest.mark.parametrize("sentence", BAD)
def test_what_the_cited_facts_do_not_say_is_contradicted_by_one_of_them(sentence: str) -> None:
    (one,) = marked(sentence, WORLD)
    assert one.mark == "contradicted"
    assert one.by in one.citations
    assert one.reason


@pytest.mark.parametrize("sentence", GOOD_OTHER)
def test_what_facts_of_another_graph_say_is_supported(sentence: str) -> None:
    assert {(one.mark, one.by) for one in marked(sentence, OTHER)} == {("supported", None)}


@pytest.mark.parametrize("sentence", BAD_OTHER)
def test_what_facts_of_another_graph_do_not_say_is_contradicted(sentence: str) -> None:
    assert "contradicted" in {one.mark for one in marked(sentence, OTHER)}


TIES = facts("""
    Nordkai Gin | MADE_BY | Alder Works | 2015-05-01 |  | Alder Works makes Nordkai Gin.
    Alder Works | BASED_IN | Torvik | 2001-01-01
    PEP 9 | HAS_STATUS | Accepted | 2020-01-01
    Ada Lane | WORKS_AT | Orion Bank | 2010-01-01 | 2015-01-01
    Orion Bank | BASED_IN | Bergen | 2001-01-01
""")


def test_a_clause_may_leave_out_a_name_that_another_clause_has() -> None:
    assert mark("Nordkai Gin comes from Alder Works, a firm whose base is Torvik [1][2].", TIES) == "supported"


def test_not_yet_may_be_said_of_what_comes_after_a_fact() -> None:
    assert mark("PEP 9 is Accepted, but not yet final [3].", TIES) == "supported"
    assert mark("PEP 9 is not yet Accepted [3].", TIES) == "contradicted"


def test_the_end_of_one_fact_is_not_that_of_another_that_only_tells_more_of_a_name() -> None:
    assert mark("Ada Lane no longer works at Orion Bank in Bergen [4][5].", TIES) == "supported"
    assert mark("Orion Bank is no longer in Bergen [5].", TIES) == "contradicted"


@pytest.mark.parametrize(
    "sentence",
    [
        "Rita Gomez works for Orion Bank as a trade adviser [1].",
        "Rita Gomez works for Orion Bank, a separate company [1].",
        "Acme Corp owns Bluebird, which trades in steel [2].",
        "Acme Corp owns Bluebird, a stock exchange [2].",
        "Acme Corp owns Bluebird, the fire service [2].",
    ],
)
def test_a_noun_or_a_state_that_looks_like_an_ending_verb_tells_of_no_end(sentence):
    open_facts = facts("Rita Gomez | WORKS_FOR | Orion Bank | 2014-12-01\nAcme Corp | OWNS | Bluebird | 2015-06-01")
    assert mark(sentence, open_facts) == "supported"


@pytest.mark.parametrize("verb", ["separated from", "was fired by", "quit", "leaves"])
def test_a_verb_of_ending_says_that_what_goes_on_has_ended(verb):
    open_fact = facts("Rita Gomez | WORKS_FOR | Orion Bank | 2014-12-01")
    assert mark(f"Rita Gomez {verb} Orion Bank [1].", open_fact) == "contradicted"
