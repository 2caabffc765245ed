"""Lists that name nobody, offices called after their field, editions of a series, and questions of those answered."""

from collections.abc import Iterator

import pytest

from tests.services.analyst.conftest import Graph, Row, opened

TYPES = {
    "Person": ("Ida Marsh", "Otto Brandt", "Lena Quist", "Piet Vos", "Cleo Hart"),
    "Bureau": ("Bureau of Tides", "Bureau of Charts", "Bureau of the Coast"),
    "Guild": ("Salt Guild", "Rope Guild"),
    "Ship": ("Kittiwake", "Fulmar", "Petrel", "Gannet"),
    "Yard": ("Norlund Yard", "Vesper Yard"),
    "Town": ("Aldhaven", "Merrow"),
    "Regatta": (),
}
ROWS: tuple[Row, ...] = (
    ("Ida Marsh", "WARDEN_OF", "Bureau of Tides", "2001-01-01", "2008-01-01"),
    ("Otto Brandt", "WARDEN_OF", "Bureau of Tides", "2008-01-01", ""),
    ("Lena Quist", "WARDEN_OF", "Bureau of Charts", "2005-01-01", ""),
    ("Ida Marsh", "WARDEN_OF", "Bureau of the Coast", "2009-01-01", "2015-01-01"),
    ("Lena Quist", "CLERK_AT", "Bureau of Tides", "2000-01-01", "2004-01-01"),
    ("Piet Vos", "CLERK_AT", "Bureau of Charts", "2003-01-01", ""),
    ("Ida Marsh", "MEMBER_OF", "Salt Guild", "1999-01-01", ""),
    ("Otto Brandt", "MEMBER_OF", "Rope Guild", "2002-01-01", ""),
    ("Cleo Hart", "ADVISES", "Lena Quist", "2006-01-01", ""),
    ("Bureau of Tides", "SEATED_IN", "Aldhaven", "2000-01-01", "2031-01-01"),
    ("Bureau of Tides", "SEATED_IN", "Merrow", "2031-01-01", ""),
    ("Bureau of Charts", "SEATED_IN", "Merrow", "2000-01-01", ""),
    ("Kittiwake", "REFITTED_AT", "Norlund Yard", "2010-03-01", "2010-09-01"),
    ("Fulmar", "REFITTED_AT", "Norlund Yard", "2012-03-01", "2012-09-01"),
    ("Petrel", "REFITTED_AT", "Vesper Yard", "2012-03-01", "2012-09-01"),
    ("Kittiwake", "WON", "Merrow Regatta 2011", "2011-06-01", ""),
    ("Fulmar", "WON", "Merrow Regatta 2012", "2012-06-01", ""),
    ("Kittiwake", "WON", "Merrow Regatta 2013", "2013-06-01", ""),
    ("Kittiwake", "WON", "Merrow Regatta 2014", "2014-06-01", ""),
    ("Fulmar", "WON", "Merrow Regatta 2015", "2015-06-01", ""),
)


@pytest.fixture(scope="module")
def coast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    editions = tuple(target for _, relation, target, *_ in ROWS if relation == "WON")
    graph = opened(tmp_path_factory.mktemp("coast"), {**TYPES, "Regatta": editions}, ROWS)
    yield graph
    graph.services.close()


TIDES = "WARDEN_OF Bureau of Tides"
ANSWERED = [
    # an office is called after its field
    ("Who is warden of tides?", [f"Otto Brandt {TIDES}"]),
    ("Who was the warden of the coast in 2012?", ["Ida Marsh WARDEN_OF Bureau of the Coast"]),
    ("Was Ida Marsh ever tides warden?", [f"Ida Marsh {TIDES}"]),
    # what stands before a name says what its bearer is
    ("Who advises the warden Lena Quist?", ["Cleo Hart ADVISES Lena Quist"]),
    # lists that name nobody
    ("Who are the wardens?", [f"Otto Brandt {TIDES}", "Lena Quist WARDEN_OF Bureau of Charts"]),
    ("How many wardens are there?", [f"Otto Brandt {TIDES}", "Lena Quist WARDEN_OF Bureau of Charts"]),
    # two conditions, one of them an office
    (
        "Which current wardens used to be clerks?",
        ["Lena Quist CLERK_AT Bureau of Tides", "Lena Quist WARDEN_OF Bureau of Charts"],
    ),
    (
        "Who is in neither the Salt Guild nor the Rope Guild but is a warden now?",
        ["Lena Quist WARDEN_OF Bureau of Charts"],
    ),
    # those of a kind of whom something is not so
    ("Which ships have never been refitted at Norlund Yard?", ["Petrel REFITTED_AT Vesper Yard"]),
    (
        "How many ships have never been refitted at Norlund Yard?",
        ["Petrel REFITTED_AT Vesper Yard"],
    ),
    # editions of a series
    ("Who won the 2012 edition of the Merrow Regatta?", ["Fulmar WON Merrow Regatta 2012"]),
    ("Which ship won the Merrow Regatta in 2013?", ["Kittiwake WON Merrow Regatta 2013"]),
    # the second part asks of the answer to the first
    (
        "Which bureau is seated in Merrow, and who is its warden?",
        ["Bureau of Charts SEATED_IN Merrow", "Lena Quist WARDEN_OF Bureau of Charts"],
    ),
    ("Who was warden of tides in 2005, and when did she leave?", [f"Ida Marsh {TIDES}"]),
    ("Who was warden of tides in 2005, and when did that woman leave?", [f"Ida Marsh {TIDES}"]),
    # three questions in a row
    (
        "Who advises Lena Quist, where is the Bureau of Charts seated, and who is its clerk?",
        [
            "Bureau of Charts SEATED_IN Merrow",
            "Cleo Hart ADVISES Lena Quist",
            "Piet Vos CLERK_AT Bureau of Charts",
        ],
    ),
    # statements with a question behind them
    ("Otto Brandt never was a member of the Salt Guild, was he?", ["Otto Brandt MEMBER_OF Rope Guild"]),
    # who came after somebody in an office, and who has left it
    ("Who followed Ida Marsh as warden of tides?", [f"Otto Brandt {TIDES}"]),
    ("Who is no longer warden of tides?", [f"Ida Marsh {TIDES}"]),
]


@pytest.mark.parametrize(("question", "cited"), ANSWERED)
def test_lists_offices_and_series_are_asked_for(coast: Graph, question: str, cited: list[str]) -> None:
    assert sorted(coast.cited(question)) == sorted(cited)


@pytest.mark.parametrize(
    "question",
    [
        "Who changed guilds?",
        "Who is warden of lighthouses?",
        "Which bureaus have no warden but a treasurer?",
        "Who is in neither the Salt Guild nor the Rope Guild?",
        "Which wardens were knighted?",
    ],
)
def test_what_a_list_does_not_explain_is_declined(coast: Graph, question: str) -> None:
    assert coast.cited(question) == []


def test_one_of_a_kind_without_any_fact_is_among_those_of_whom_something_is_denied(coast: Graph) -> None:
    asked = "ships have never been refitted at Norlund Yard?"
    assert coast.ask(f"How many {asked}").text.startswith("2: ")
    lead = coast.ask(f"Which {asked}").text.splitlines()[0]
    assert lead.startswith("Gannet and Petrel; the graph has no fact about Gannet.")


def test_those_who_used_to_have_an_office_are_counted(coast: Graph) -> None:
    question = "How many people used to be wardens?"
    assert coast.ask(question).text.startswith("1.")
    assert sorted(coast.cited(question)) == [
        "Ida Marsh WARDEN_OF Bureau of Tides",
        "Ida Marsh WARDEN_OF Bureau of the Coast",
    ]


def test_a_list_has_no_part_that_says_in_which_order(coast: Graph) -> None:
    for question in ("How many wardens are there?", "Who used to be warden?"):
        assert {part.kind for part in coast.ask(question).understood} == {"relation"}
