"""What the rules read from sentences, pattern by pattern."""

import pytest

from services.extraction.rules.calibration import measured
from services.extraction.rules.clause_dates import Times
from services.proposals.preselection import PRE_TICKED, SHOWN
from tests.services.extraction.read import as_line, drafts, facts, findings, shown

SENTENCES = [
    ("Ada Brandt joined Northwind Labs in March 2019.", {"Ada Brandt WORKS_FOR Northwind Labs 2019-03-01.."}),
    ("Ada Brandt left Northwind Labs in May 2021.", {"Ada Brandt WORKS_FOR Northwind Labs ..2021-05-01"}),
    ("Ada Brandt has worked for Northwind Labs since 2019.", {"Ada Brandt WORKS_FOR Northwind Labs 2019-01-01.."}),
    (
        "Ada Brandt joined Northwind Labs in 2015 and left in 2022.",
        {"Ada Brandt WORKS_FOR Northwind Labs 2015-01-01..2022-01-01"},
    ),
    (
        "Ada Brandt is the chief executive of Northwind Labs.",
        {"Ada Brandt HAS_ROLE chief executive", "Ada Brandt LEADS Northwind Labs"},
    ),
    ("The architect Ottokar Blau lives in Linz.", {"Ottokar Blau HAS_ROLE architect", "Ottokar Blau LIVES_IN Linz"}),
    ("Ada Brandt works as a nurse.", {"Ada Brandt HAS_ROLE nurse"}),
    ("Ida Moen reports to Tobias Krantz.", {"Ida Moen REPORTS_TO Tobias Krantz"}),
    ("Peter Berg's manager is Ida Moen.", {"Peter Berg REPORTS_TO Ida Moen"}),
    (
        "Tobias Krantz succeeded Ida Moen in 2021.",
        {"Tobias Krantz SUCCEEDED Ida Moen 2021-01-01.."},
    ),
    (
        "Tern Robotics was founded in 2016 by Ida Moen and Peter Berg.",
        {"Ida Moen FOUNDED Tern Robotics 2016-01-01..", "Peter Berg FOUNDED Tern Robotics 2016-01-01.."},
    ),
    ("Tern Robotics was bought by Bramble Oil in July 2021.", {"Bramble Oil ACQUIRED Tern Robotics 2021-07-01.."}),
    ("Tern Robotics is a subsidiary of Bramble Oil.", {"Tern Robotics PART_OF Bramble Oil"}),
    ("Tern Robotics has its headquarters in Oslo.", {"Tern Robotics BASED_IN Oslo"}),
    (
        "Ida Moen moved from Bergen to Oslo in 2014.",
        {"Ida Moen LIVES_IN Oslo 2014-01-01..", "Ida Moen LIVES_IN Bergen ..2014-01-01"},
    ),
    ("Ida Moen was born in Voss on 3 March 1970.", {"Ida Moen BORN_IN Voss 1970-03-03.."}),
    ("Ida studied at Lund College from 1990 to 1995.", {"Ida STUDIED_AT Lund College 1990-01-01..1995-01-01"}),
    ("Ida Moen has been married to Peter Berg since 2011.", {"Ida Moen MARRIED_TO Peter Berg 2011-01-01.."}),
    ("Ida Moen is the mother of Nils Moen.", {"Nils Moen CHILD_OF Ida Moen"}),
    ("Ida Moen speaks Danish and a little German.", {"Ida Moen SPEAKS Danish", "Ida Moen SPEAKS German"}),
    ("Ida Moen won the Holberg Prize in 2018.", {"Ida Moen WON Holberg Prize 2018-01-01.."}),
    ("The Silent Hour is a film directed by Ida Moen.", {"Ida Moen DIRECTED Silent Hour"}),
    ("Peter Berg plays the cello in the Hull Quartet.", {"Peter Berg MEMBER_OF Hull Quartet"}),
    ("Heron 2.0 was released on 5 June 2025.", {"Heron HAS_VERSION 2.0 2025-06-05.."}),
    ("Heron is written in Rust.", {"Heron WRITTEN_IN Rust"}),
    ("Heron replaces Egret.", {"Heron REPLACES Egret"}),
    ("The web client depends on React 18.", {"web client DEPENDS_ON React 18"}),
    (
        "We migrated the billing service from MySQL to PostgreSQL in May 2024.",
        {"billing service USES PostgreSQL 2024-05-01..", "billing service USES MySQL ..2024-05-01"},
    ),
    ("User doesn't like early meetings.", {"user DISLIKES early meetings"}),
    ("User stopped using Chrome in January.", {"user USES Chrome ..2026-01-01"}),
    ("User no longer works at Bramble Oil.", {"user WORKS_FOR Bramble Oil"}),
    ("Ida Moen and Peter Berg got married in 2011.", {"Ida Moen MARRIED_TO Peter Berg 2011-01-01.."}),
    ("Ida Moen's husband is Peter Berg.", {"Peter Berg MARRIED_TO Ida Moen"}),
    ("Ida Moen, head of Tern Robotics, spoke.", {"Ida Moen LEADS Tern Robotics"}),
    ("The mayor of Ulm, Ida Moen, spoke.", {"Ida Moen HAS_ROLE mayor"}),
    (
        "Ida Moen is the drummer of the Hull Quartet.",
        {"Ida Moen HAS_ROLE drummer", "Ida Moen MEMBER_OF Hull Quartet"},
    ),
    (
        "Northwind Labs employs Peter Berg as a welder.",
        {"Peter Berg WORKS_FOR Northwind Labs", "Peter Berg HAS_ROLE welder"},
    ),
    ("Gorse 6.0 came out in 2019.", {"Gorse HAS_VERSION 6.0 2019-01-01.."}),
    ("User dropped Chrome in January.", {"user USES Chrome ..2026-01-01"}),
    ("Ida Moen directs the Horn Institute.", {"Ida Moen LEADS Horn Institute"}),
    ("Ida Moen directed Heron.", {"Ida Moen DIRECTED Heron"}),
    ("Tern Robotics Ltd moved to Ulm in 2019.", {"Tern Robotics Ltd BASED_IN Ulm 2019-01-01.."}),
    ("Peter Berg joined Lund College in 2019.", {"Peter Berg STUDIED_AT Lund College 2019-01-01.."}),
    ("Peter Berg joined the Hull Quartet in 2019.", {"Peter Berg MEMBER_OF Hull Quartet 2019-01-01.."}),
    ("Ida Moen attended Lund College.", {"Ida Moen STUDIED_AT Lund College"}),
    ("Ida Moen attended the Riga Summit.", {"Ida Moen PARTICIPATED_IN Riga Summit"}),
    ("Ida Moen, not Peter Berg, leads Tern Robotics.", {"Ida Moen LEADS Tern Robotics"}),
]

ENDINGS = [
    ("Ida Moen and Peter Berg divorced in 2019.", {"Ida Moen MARRIED_TO Peter Berg ..2019-01-01"}),
    ("Ida Moen quit her job at Orsted Foods in 2019.", {"Ida Moen WORKS_FOR Orsted Foods ..2019-01-01"}),
    (
        "Ida Moen resigned as chair of Tern Robotics in 2019.",
        {"Ida Moen LEADS Tern Robotics ..2019-01-01", "Ida Moen HAS_ROLE chair ..2019-01-01"},
    ),
    (
        "Chief executive Ida Moen steps down today after nine years at Orsted Foods.",
        {"Ida Moen WORKS_FOR Orsted Foods ..2026-03-10"},
    ),
    (
        "Tern Robotics is no longer a division of Bramble Oil.",
        {"Tern Robotics PART_OF Bramble Oil"},
    ),
    ("Ida Moen is the successor of Peter Berg.", {"Ida Moen SUCCEEDED Peter Berg"}),
    ("Ida Moen's predecessor was Peter Berg.", {"Ida Moen SUCCEEDED Peter Berg"}),
    (
        "Tern Robotics was led by Ida Moen until 31 August 2021, when Peter Berg took over.",
        {
            "Ida Moen LEADS Tern Robotics ..2021-08-31",
            "Peter Berg LEADS Tern Robotics 2021-08-31..",
            "Peter Berg SUCCEEDED Ida Moen 2021-08-31..",
        },
    ),
    (
        "Ida Moen handed the Heron dashboard to Peter Berg in May 2021.",
        {"Peter Berg WORKS_ON Heron dashboard 2021-05-01.."},
    ),
    ("Peter Berg was assigned to Heron.", {"Peter Berg WORKS_ON Heron"}),
    (
        "We swapped RabbitMQ for Nimbus in the order service in May 2021.",
        {"order service USES RabbitMQ ..2021-05-01", "order service USES Nimbus 2021-05-01.."},
    ),
    (
        "Tern Robotics moved its headquarters from Oslo to Ulm in 2019.",
        {"Tern Robotics BASED_IN Oslo ..2019-01-01", "Tern Robotics BASED_IN Ulm 2019-01-01.."},
    ),
]


@pytest.mark.parametrize(("sentence", "expected"), [*SENTENCES, *ENDINGS])
def test_a_sentence_tells_what_it_says(sentence, expected):
    assert facts(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Northwind Labs appointed Ada Brandt treasurer in 2020.",
            {"Ada Brandt HAS_ROLE treasurer 2020-01-01..", "Ada Brandt WORKS_FOR Northwind Labs 2020-01-01.."},
        ),
        ("The Oslo-based company Tern Robotics grew.", {"Tern Robotics BASED_IN Oslo"}),
        ("The Quiet Hill, a novel by Tom Reyes, was a bestseller.", {"Tom Reyes AUTHORED The Quiet Hill"}),
        ("Ticket ABC-12 was closed on 5 March 2026.", {"Ticket ABC-12 HAS_STATUS closed 2026-03-05.."}),
        ("ABC-12 is in review.", {"ABC-12 HAS_STATUS in review"}),
        ("User is allergic to peanuts.", {"user ALLERGIC_TO peanuts"}),
        (
            "PEP 3107 introduced function annotations.",
            {"PEP 3107 INTRODUCES function annotations"},
        ),
        ("The imp module was removed in Python 3.12.", {"Python 3.12 REMOVES imp module"}),
        ("User has a dog named Biscuit.", {"user OWNS Biscuit"}),
        (
            "After ten years as an engineer at Orsted Foods, Ida Moen left for Tern Robotics in 2019.",
            {
                "Ida Moen HAS_ROLE engineer ..2019-01-01",
                "Ida Moen WORKS_FOR Orsted Foods ..2019-01-01",
                "Ida Moen WORKS_FOR Tern Robotics 2019-01-01..",
            },
        ),
        (
            "LIP 30 was deferred on 2023-01-20 and withdrawn on 2025-03-28.",
            {
                "LIP 30 HAS_STATUS deferred 2023-01-20..2025-03-28",
                "LIP 30 HAS_STATUS withdrawn 2025-03-28..",
            },
        ),
    ],
)
def test_what_no_rule_reads_the_network_finds(sentence, expected):
    assert shown(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Ida Moen has not joined Tern Robotics.",
        "Ida Moen may join Tern Robotics next year.",
        "Ida Moen may join Tern Robotics and lead it.",
        "Rumours that Ida Moen left Tern Robotics spread.",
        "Ida Moen will join Tern Robotics.",
        "If Ida Moen joined Tern Robotics, she would lead it.",
        "Ida Moen wants to work for Tern Robotics.",
        "Ida Moen denied that she had founded Tern Robotics.",
        "Tern Robotics is said to own Bramble Oil.",
        "Did Ida Moen found Tern Robotics?",
        "Rumour has it that Ida Moen owns a castle.",
        "Ida Moen almost won the Holberg Prize.",
        "Suppose Ida Moen is married to Peter Berg.",
        "No one from Tern Robotics took part in the Riga talks.",
        "A developer who uses Emacs is faster.",
        "Use Emacs.",
        "TODO: add a test",
        "Unless funding arrives, Tern Robotics will close in May 2027.",
    ],
)
def test_what_is_denied_wished_supposed_asked_or_ordered_is_no_fact(sentence):
    assert facts(sentence) == set()


def test_what_is_planned_is_a_fact_with_a_date():
    assert facts("Ida Moen will join Tern Robotics on 3 May 2027.") == {"Ida Moen WORKS_FOR Tern Robotics 2027-05-03.."}


def test_a_former_office_is_over_without_a_date():
    (draft,) = (d for d in drafts("Peter Berg, a former referee, was late.") if d.relation == "HAS_ROLE")
    assert (draft.target, draft.is_over, draft.invalid_at) == ("referee", True, None)


@pytest.mark.parametrize(
    ("text", "was"),
    [
        ("Ida Moen, formerly of Orsted Foods, spoke.", ("Ida Moen", "WORKS_FOR", "Orsted Foods")),
        ("Ida Moen leads team Falcon (was: team Otter).", ("Ida Moen", "LEADS", "team Otter")),
        ("Tern Robotics uses Preact instead of React.", ("Tern Robotics", "USES", "React")),
    ],
)
def test_what_was_so_before_is_over_without_a_date(text, was):
    (found,) = (one for one in findings(text) if (one.source.name, one.relation, one.target.name) == was)
    assert found.times == Times(is_over=True)


def test_pronouns_surnames_and_the_company_stand_for_whom_was_named():
    text = "Ada Brandt runs Northwind Labs. She lives in Hull. Brandt was born in Voss. The company is based in Oslo."
    assert facts(text) == {
        "Ada Brandt LEADS Northwind Labs",
        "Ada Brandt LIVES_IN Hull",
        "Ada Brandt BORN_IN Voss",
        "Northwind Labs BASED_IN Oslo",
    }


def test_she_may_have_been_named_earlier_in_the_thread():
    assert facts("She joined Tern Robotics.", before=["Ada Brandt called."]) == {"Ada Brandt WORKS_FOR Tern Robotics"}


def test_this_pep_is_the_document():
    assert facts("This PEP proposes pattern guards.", title="PEP 622") == {"PEP 622 INTRODUCES pattern guards"}


def test_what_a_proposal_proposes_to_add_is_what_it_introduces():
    assert facts("This PEP proposes adding pattern guards.", title="PEP 622") == {"PEP 622 INTRODUCES pattern guards"}


def test_they_are_the_two_who_were_named_or_whoever_was_named_last():
    assert facts("Ida Moen and Peter Berg founded Kiln. They live in Oslo.") >= {
        "Ida Moen LIVES_IN Oslo",
        "Peter Berg LIVES_IN Oslo",
    }
    assert "Ida Moen WORKS_FOR Kiln" in facts("Ida Moen lives in Oslo. They work for Kiln.")


def test_header_fields_are_about_the_document():
    text = "Author: Ada Brandt, Bo Lind\nStatus: Accepted\nRequires: WEP 50\nResolution: 17-Feb-2026"
    assert facts(text, title="WEP 55 – Frozen records") == {
        "Ada Brandt AUTHORED WEP 55",
        "Bo Lind AUTHORED WEP 55",
        "WEP 55 HAS_STATUS Accepted 2026-02-17..",
        "WEP 55 DEPENDS_ON WEP 50",
    }


def test_notes_without_a_subject_are_about_the_user():
    assert facts("- User lives in Ghent\n- prefers window seats") == {
        "user LIVES_IN Ghent",
        "user PREFERS window seats",
    }


def test_i_is_whoever_speaks():
    assert facts("User: I left Orbis Foods last Friday.") == {"user WORKS_FOR Orbis Foods ..2026-03-06"}


def test_offsets_point_at_the_sentence_in_the_text_as_it_was_given():
    text = "# Notes\n\nSee [the page](http://x.y). *Ida Moen* joined\n**Tern Robotics** in 2019. It rained.\n"
    draft = max(drafts(text), key=lambda draft: draft.confidence)
    assert text[draft.start : draft.end] == "Ida Moen* joined\n**Tern Robotics** in 2019."
    assert draft.fact == text[draft.start : draft.end]


def test_married_to_is_told_once():
    text = "Ida Moen is married to Peter Berg. Peter Berg's wife is Ida Moen."
    assert len([draft for draft in drafts(text) if draft.relation == "MARRIED_TO"]) == 1


def test_code_and_tables_are_not_read():
    assert facts("```\nIda Moen joined Tern Robotics.\n```\n\n| Ida Moen joined Tern Robotics. | a |\n") == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Anna Muster joined Acme Corp on 1 March 2020. In 2022 she left Acme Corp.",
            "Anna Muster WORKS_FOR Acme Corp 2020-03-01..2022-01-01",
        ),
        (
            "Anna Muster joined Acme Corp on 1 March 2020. In May 2022 she left Acme Corp.",
            "Anna Muster WORKS_FOR Acme Corp 2020-03-01..2022-05-01",
        ),
        (
            "Bea Ash joined Acme Corp on 1 March 2020. She left Acme Corp in 2022.",
            "Bea Ash WORKS_FOR Acme Corp 2020-03-01..2022-01-01",
        ),
        (
            "Acme Corp. hired Bea Ash in 2020. Bea Ash left Acme Corp. in 2022.",
            "Bea Ash WORKS_FOR Acme Corp 2020-01-01..2022-01-01",
        ),
        (
            "South Korea joined the OECD in 1996. It left the OECD in 2001.",
            "South Korea MEMBER_OF OECD 1996-01-01..2001-01-01",
        ),
    ],
)
def test_a_start_and_an_end_told_in_two_sentences_are_one_fact(text: str, expected: str) -> None:
    assert {as_line(finding) for finding in findings(text)} == {expected}


def test_leaving_before_joining_are_two_times_at_a_place_and_not_one_span():
    ((fact,),) = [[as_line(one) for one in findings("Ida Moen joined Kiln in 2022. Ida Moen left Kiln in 2020.")]]
    assert fact == "Ida Moen WORKS_FOR Kiln 2022-01-01.."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna299 Muster joined Company299 in 2020.", {"Anna299 Muster WORKS_FOR Company299 2020-01-01.."}),
        (
            "Anna2 Muster leads Web3 Systems. Muster lives in Linz.",
            {"Anna2 Muster LEADS Web3 Systems", "Anna2 Muster LIVES_IN Linz"},
        ),
    ],
)
def test_a_name_keeps_its_word_with_a_number(text: str, expected: set[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize("mark", ["# ", ""])
def test_a_title_is_no_name_for_what_the_text_names(mark: str) -> None:
    text = f"{mark}Vega Motors news\n\nLaura Stein became chief executive of Vega Motors on 1 June 2021."
    assert "Laura Stein LEADS Vega Motors 2021-06-01.." in facts(text, "Vega Motors news")


@pytest.mark.parametrize("title", ["History", "About us", "Vega Motors News"])
def test_a_short_line_above_a_sentence_is_no_part_of_it(title: str) -> None:
    text = f"# {title}\n\n{title}\nVega Motors was founded by Hugo Brandt in 1950. It is based in Linz.\nLater\n"
    found = facts(f"{text}Ida Moen leads Vega Motors.", title)
    assert found == {
        "Hugo Brandt FOUNDED Vega Motors 1950-01-01..",
        "Vega Motors BASED_IN Linz",
        "Ida Moen LEADS Vega Motors",
    }


def test_a_sentence_goes_on_over_lines_of_any_length():
    text = "Ada Brandt joined\nNorthwind Labs in March 2019 as a designer of chairs."
    assert "Ada Brandt WORKS_FOR Northwind Labs 2019-03-01.." in facts(text)


def test_the_confidence_of_a_draft_is_how_often_drafts_like_it_were_right():
    plain = max(drafts("Ida Moen lives in Oslo."), key=lambda draft: draft.confidence)
    assert (plain.relation, plain.confidence >= PRE_TICKED) == ("LIVES_IN", True)


def test_the_surer_a_rule_of_ones_own_relation_the_more_often_it_was_right():
    shares = [measured(score / 100) for score in range(101)]
    assert shares == sorted(shares)
    assert measured(0.5) >= SHOWN > measured(0.49)
