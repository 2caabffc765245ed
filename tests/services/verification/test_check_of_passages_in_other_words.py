import pytest

from services.core.answer_records import Evidence
from tests.services.verification.turns import chunks, marked

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
