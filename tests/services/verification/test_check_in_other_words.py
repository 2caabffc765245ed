import pytest

from services.core.answer_records import Evidence
from tests.services.verification.turns import chunks, facts, marked

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
PASSAGES = chunks(
    """The village of Ardmoor lies at the foot of Ben Carrow. In 1847 a fire destroyed the mill, and it was never
    rebuilt. The school, which had 31 pupils in 2005, closed in 2012 and now serves as a community hall. Since
    2016 a bus has run to Dalness three times a day. The baker, Fiona Grant, has kept the post office open since
    her father died.""",
    """Our team moved the billing service from MySQL to Postgres in the week of 6 May 2024. The migration took four
    days, two more than planned, because the backups were larger than expected. Nobody lost data. Jana Novak led
    the work; Ravi Patel wrote the scripts. Response times fell from 240 to 90 milliseconds.""",
    """Patients under 12 must not take this medicine. Adults take one tablet of 50 mg twice a day, with food. The
    most common side effect is headache, which occurs in about 8% of patients. The medicine was approved in
    Switzerland in 2018 and in Canada two years later. Do not store it above 25 degrees.""",
)
PASSAGES_GOOD = [
    "Ardmoor is a village below Ben Carrow [1].",
    "The mill was destroyed by a fire in 1847 [1].",
    "The mill burned down in 1847 and was not rebuilt [1].",
    "There were 31 pupils at the school in 2005 [1].",
    "The school was shut in 2012 [1].",
    "The former school is used as a community hall today [1].",
    "Three buses a day go to Dalness [1].",
    "Fiona Grant runs the post office [1].",
    "Seven years before it closed, the school had 31 pupils [1].",
    "A bus to Dalness has been running since 2016 [1].",
    "In May 2024 the billing service was migrated from MySQL to Postgres [2].",
    "The billing service now runs on Postgres [2].",
    "No data was lost [2].",
    "Jana Novak was in charge of the migration [2].",
    "The scripts were Ravi Patel's work [2].",
    "Ravi Patel wrote the scripts [2].",
    "Response times dropped to 90 milliseconds [2].",
    "Response times went down by 150 milliseconds [2].",
    "Children under 12 are not allowed to take the medicine [3].",
    "Adults should take a 50 mg tablet two times a day together with food [3].",
    "Headache is the most frequent side effect [3].",
    "Roughly 8 percent of patients get headaches [3].",
    "Canada approved the medicine in 2020 [3].",
    "The medicine got its approval in Switzerland in 2018 [3].",
    "The daily dose for adults is two tablets [3].",
    "Two years after Switzerland, Canada approved the medicine [3].",
]
PASSAGES_BAD = [
    "Ben Carrow lies at the foot of Ardmoor [1].",
    "The mill was rebuilt after the fire of 1847 [1].",
    "The mill was destroyed in 1874 [1].",
    "The school had 13 pupils in 2005 [1].",
    "The school is still open [1].",
    "Dalness was destroyed by a fire [1].",
    "Fiona Grant closed the post office [1].",
    "The billing service was moved from Postgres to MySQL [2].",
    "The migration took six days [2].",
    "Some data was lost [2].",
    "Ravi Patel led the work [2].",
    "Jana Novak wrote the scripts [2].",
    "Response times rose from 90 to 240 milliseconds [2].",
    "The tablet has 80 mg [3].",
    "About 18% of patients get headaches [3].",
    "The medicine must be taken without food [3].",
    "The medicine must be stored above 25 degrees [3].",
    "The medicine was approved in Norway in 2018 [3].",
]
MORE_PASSAGES = chunks(
    """The Tarn ferry was built in 1962 at the Olsen yard and carried cars until the tunnel opened in 1988. It was
    sold to a Greek company, which renamed it Eleni. A fire broke out on board in 1995; no one was hurt. The ship
    was scrapped in Turkey in 2001.""",
    """Please note that the office is moving. From 3 November you will find us at 12 Mill Road, on the second floor.
    Parking is free for visitors during the first hour. Lena Voss looks after keys and badges. The old office at
    Dock Street stays open until 28 November, but only for deliveries. We expect 85 people to work at the new
    site.""",
    """In trials the vaccine protected 92 of 100 volunteers. Side effects were mild and lasted less than two days.
    The study, led by Prof. Amy Okafor and paid for by the Lind Foundation, ran from January 2019 to June 2021.
    Pregnant women were not included. A second study has been announced for 2027.""",
)
MORE_PASSAGES_GOOD = [
    "The Olsen yard built the Tarn ferry in 1962 [1].",
    "The ferry took cars until 1988, when the tunnel opened [1].",
    "The Tarn ferry was in service for 26 years before the tunnel opened [1].",
    "A Greek company bought the ferry and called it Eleni [1].",
    "Nobody was injured in the fire of 1995 [1].",
    "In 2001 the ship was broken up in Turkey [1].",
    "The ferry was 39 years old when it was scrapped [1].",
    "The new office is at 12 Mill Road [2].",
    "The office moves to Mill Road on 3 November [2].",
    "Visitors can park for free for one hour [2].",
    "Keys and badges are Lena Voss's job [2].",
    "Until 28 November the Dock Street office only takes deliveries [2].",
    "85 people are expected to work at the new office [2].",
    "The second floor of 12 Mill Road is where the office will be from 3 November [2].",
    "The vaccine protected 92% of the volunteers [3].",
    "Side effects were not serious and went away within two days [3].",
    "Amy Okafor was in charge of the study [3].",
    "The study was funded by the Lind Foundation [3].",
    "The study took two and a half years [3].",
    "The study started in January 2019 and ended in June 2021 [3].",
    "Pregnant women did not take part in the study [3].",
    "Another study is announced for 2027 [3].",
]
MORE_PASSAGES_BAD = [
    "The Tarn ferry built the Olsen yard [1].",
    "The ferry was built in 1926 [1].",
    "The ferry was sold to a Turkish company [1].",
    "The tunnel opened in 1998 [1].",
    "The Tarn ferry still carries cars [1].",
    "The office moves on 13 November [2].",
    "Parking is not free for visitors [2].",
    "The old office is open until 28 December [2].",
    "We expect 58 people at the new site [2].",
    "The vaccine protected 29 of 100 volunteers [3].",
    "Side effects were severe [3].",
    "The study was led by the Lind Foundation [3].",
    "Amy Okafor paid for the study [3].",
    "The study ran until June 2022 [3].",
    "Pregnant women were included [3].",
]
LAST_PASSAGES = chunks(
    """Ines Duarte opened the first Café Lume in 1998 with her cousin Paulo. By 2010 there were 14 branches, all of
    them in the north of the country. The chain was taken over by Brava Foods in 2016, and Duarte left the
    following year. Since then nine branches have been shut. None of the cafés sells alcohol.""",
    """The committee heard three witnesses on 8 April. Mr Osborn said that the dam had been inspected twice in 2021;
    Ms Tan, the engineer, disputed this. The dam holds 60 million cubic metres of water and protects about 7,000
    households. Repairs will begin in June and should be complete within 18 months. The region pays a third of the
    cost, the state the rest.""",
    """Kestrel is a small web framework written in Go. It was started by Bram de Vries as a weekend project in March
    2019 and reached version 1.0 in May 2021. Plugins are loaded at start-up and cannot be added later. The
    project has 52 contributors, but four of them make most of the changes. Version 2 dropped the template engine.""",
    """Marta: I can't come on Friday, my train only arrives on Saturday at noon. Could you ask Leo to bring the
    projector? He borrowed it in August. I've paid the 300 euros for the hall already. The workshop has room for
    25 people and 19 have signed up.""",
    """Lake Orrin freezes over for about four months each year. The monastery on its island was founded by Saint
    Brena in 872 and burned down twice, in 1133 and in 1540. Today eleven monks live there. Visitors reach it by
    boat from Kell, a trip of 20 minutes. Photography is forbidden in the chapel. The library, the largest of its
    kind in the country, keeps 3,200 manuscripts.""",
)
LAST_PASSAGES_GOOD = [
    "Café Lume was started by Ines Duarte and her cousin Paulo in 1998 [1].",
    "Twelve years after the first one opened, there were 14 branches [1].",
    "In 2010 the chain had 14 cafés, all in the north [1].",
    "Brava Foods took over the chain in 2016 [1].",
    "The chain has belonged to Brava Foods since 2016 [1].",
    "Ines Duarte left in 2017 [1].",
    "Nine branches have closed since the takeover [1].",
    "Five of the 14 branches are left [1].",
    "Alcohol is not sold in any of the cafés [1].",
    "On 8 April three witnesses were heard by the committee [2].",
    "According to Osborn, the dam was inspected two times in 2021 [2].",
    "The engineer Tan contested what Osborn said [2].",
    "Around 7,000 households are protected by the dam [2].",
    "The dam's capacity is 60 million cubic metres [2].",
    "The repairs are due to start in June [2].",
    "It should take no more than a year and a half to repair the dam [2].",
    "Kestrel is written in Go [3].",
    "Bram de Vries began Kestrel in March 2019 [3].",
    "Kestrel took about two years to reach version 1.0 [3].",
    "Version 1.0 of Kestrel came out in May 2021 [3].",
    "Plugins can't be added after start-up [3].",
    "Most of the changes come from four of the 52 contributors [3].",
    "The template engine was removed in version 2 [3].",
    "48 contributors make the smaller part of the changes [3].",
    "Marta won't be there on Friday [4].",
    "The hall cost 300 euros and has been paid [4].",
    "Six places at the workshop are still free [4].",
    "19 people have registered for the workshop [4].",
    "The workshop can take 25 people [4].",
    "For some four months a year Lake Orrin is frozen [5].",
    "Saint Brena founded the monastery in 872 [5].",
    "There were fires at the monastery in 1133 and 1540 [5].",
    "407 years lay between the two fires [5].",
    "The monastery is home to eleven monks [5].",
    "The boat from Kell takes 20 minutes [5].",
    "Taking photographs in the chapel is not allowed [5].",
    "You can get to the monastery by boat from Kell [5].",
    "The library has 3,200 manuscripts [5].",
]
LAST_PASSAGES_BAD = [
    "Paulo Duarte left Café Lume in 2012 [1].",
    "Café Lume was founded in 1989 [1].",
    "Brava Foods was taken over by Café Lume [1].",
    "In 2010 there were 41 branches [1].",
    "The cafés sell alcohol [1].",
    "Ines Duarte still runs the chain [1].",
    "Seven branches have been shut [1].",
    "The dam protects 70,000 households [2].",
    "Repairs will begin in July [2].",
    "The dam was not inspected in 2021 [2].",
    "Kestrel was started in May 2019 [3].",
    "Plugins can be added at any time [3].",
    "Kestrel has 25 contributors [3].",
    "Version 2 added a template engine [3].",
    "Kestrel is written in Rust [3].",
    "Marta has not paid for the hall [4].",
    "Marta arrives on Friday [4].",
    "29 people have signed up [4].",
    "The monastery was founded in 782 [5].",
    "Photography is allowed in the chapel [5].",
    "Thirteen monks live there [5].",
    "The monastery burned down in 1530 [5].",
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


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        *((one, PASSAGES) for one in PASSAGES_GOOD),
        *((one, MORE_PASSAGES) for one in MORE_PASSAGES_GOOD),
        *((one, LAST_PASSAGES) for one in LAST_PASSAGES_GOOD),
    ],
)
def test_other_words_for_what_passages_say_are_supported(sentence: str, cited: list[Evidence]) -> None:
    assert {one.mark for one in marked(sentence, cited)} == {"supported"}


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        *((one, PASSAGES) for one in PASSAGES_BAD),
        *((one, MORE_PASSAGES) for one in MORE_PASSAGES_BAD),
        *((one, LAST_PASSAGES) for one in LAST_PASSAGES_BAD),
    ],
)
def test_what_passages_do_not_say_is_contradicted(sentence: str, cited: list[Evidence]) -> None:
    assert "contradicted" in {one.mark for one in marked(sentence, cited)}
