"""Questions of what was done how often, first, longest or no more, over an untyped graph of bands and labels."""

from collections.abc import Iterator, Sequence

import pytest

from tests.services.analyst.conftest import Graph, Row, untyped

ROWS: Sequence[Row] = (
    ("Copper Owls", "singer", "Nadia Berg", "1990-01-01", "1996-01-01"),
    ("Copper Owls", "singer", "Tom Reeve", "1996-01-01", "1999-01-01"),
    ("Copper Owls", "singer", "Nadia Berg", "1999-01-01", "2003-01-01"),
    ("Slow Harbour", "singer", "Tom Reeve", "2000-01-01", "2015-01-01"),
    ("Slow Harbour", "singer", "May Sutter", "2015-01-01", ""),
    ("Copper Owls", "WON", "Golden Lute 1994", "1994-05-01", ""),
    ("Copper Owls", "WON", "Golden Lute 1998", "1998-05-01", ""),
    ("Slow Harbour", "WON", "Golden Lute 2001", "2001-05-01", ""),
    ("Slow Harbour", "WON", "Golden Lute 2002", "2002-05-01", ""),
    ("Slow Harbour", "WON", "Golden Lute 2003", "2003-05-01", ""),
    ("Pine Records", "PURCHASED_BY", "Delta Sound", "2004-03-01", ""),
    ("Quay Music", "PURCHASED_BY", "Delta Sound", "1999-02-02", ""),
    ("Fern Tapes", "PURCHASED_BY", "Norma Group", "2010-06-06", ""),
    ("Delta Sound", "makes", "Delta Deck", "1991-01-01", "2001-01-01"),
    ("Norma Group", "makes", "Norma Reel", "1993-01-01", ""),
    ("Delta Sound", "makes", "Echo Box", "1995-01-01", "2005-01-01"),
    ("Norma Group", "makes", "Echo Box", "2005-01-01", ""),
)


@pytest.fixture(scope="module")
def bands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("bands"), ROWS)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("How many times has Slow Harbour won the Golden Lute?", "3 ", "Copper Owls"),
        ("How many times has Slow Harbour won the Golden Lute, and in which years?", "2002-05-01", "1994"),
        ("Who was singer for the longest time?", "Tom Reeve", "Nadia Berg"),
        ("Which singer had the shortest spell?", "Tom Reeve from 1996-01-01", "May Sutter"),
        ("Who has been singer of the same band twice, after a break?", "Nadia Berg", "Tom Reeve"),
        ("List everyone who has been singer of more than one band.", "Tom Reeve", "Nadia Berg"),
        ("Which company made the most purchases?", "Delta Sound", "Norma Group"),
        ("What was the earliest purchase?", "Quay Music", "Fern Tapes"),
        ("Which products were scrapped?", "Delta Deck", "Echo Box"),
    ],
)
def test_what_was_done_is_counted_and_ranked_by_its_dates(
    bands: Graph, question: str, said: str, not_said: str
) -> None:
    answer = bands.ask(question)
    assert not answer.declined
    assert said in answer.text
    assert not_said not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who sang for Will Harbour?",
        "When did Nadio Berg sing for the Copper Owls?",
        "Which bands did Toma Reeve sing for?",
    ],
)
def test_a_name_that_differs_by_a_word_or_by_its_ending_is_another_one(bands: Graph, question: str) -> None:
    assert bands.ask(question).declined


UNIVERSITY: Sequence[Row] = (
    ("Nils Arvo", "rector of", "Merrow University", "1998-01-01", "2006-01-01"),
    ("Dana Okoye", "rector of", "Merrow University", "2006-01-01", ""),
    ("Dana Okoye", "dean_of", "Faculty of Music", "2001-01-01", "2005-12-31"),
    ("Piet Sand", "dean_of", "Faculty of Music", "2006-01-01", ""),
    ("Piet Sand", "teaches_at", "Merrow University", "1999-01-01", ""),
    ("Piet Sand", "studied at", "Merrow University", "1990-01-01", "1995-01-01"),
    ("Olga Reims", "studied at", "Merrow University", "1991-01-01", "1996-01-01"),
    ("Olga Reims", "teaches_at", "Vesper College", "2000-01-01", ""),
    ("Vesper College", "taken_over_by", "Merrow University", "2012-05-01", ""),
    ("Merrow University", "number_of_students", "9,400", "2010-01-01", ""),
    ("Merrow Journal", "published by", "Merrow University", "1990-01-01", "2008-01-01"),
    ("Merrow Journal", "published by", "Calder Press", "2008-01-01", ""),
    ("Old Library", "owned by", "Merrow University", "1980-01-01", ""),
    ("Old Library", "designed by", "Tova Brink", "1975-01-01", ""),
    ("MV Gull", "has capacity", "300 passengers", "", ""),
    ("MV Rook", "has capacity", "120 passengers", "", ""),
    ("MV Gull", "serves", "Merrow Isle", "2001-01-01", ""),
    ("MV Rook", "serves", "Merrow Isle", "2004-01-01", ""),
    ("Ada Norn", "leads", "Salt Party", "2010-01-01", ""),
    ("Ben Lowe", "leads", "Rope Party", "2011-01-01", ""),
    ("Cy Amsel", "member_of_party", "Rope Party", "1999-01-01", "2012-06-30"),
    ("Cy Amsel", "member_of_party", "Salt Party", "2012-07-01", ""),
    ("Dana Okoye", "born in", "Gera", "1960-03-03", ""),
)


@pytest.fixture(scope="module")
def university(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = untyped(tmp_path_factory.mktemp("university"), UNIVERSITY)
    yield graph
    graph.services.close()


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Who heads Merrow University?", "Dana Okoye", "Nils Arvo"),
        ("How many students does Merrow University have?", "9,400", "studied"),
        ("Which faculty did Dana Okoye run?", "Faculty of Music", "rector"),
        ("Who succeeded Dana Okoye as dean of music?", "Piet Sand", "Nils Arvo"),
        ("Who teaches at the university where he studied?", "Piet Sand", "Olga Reims"),
        ("Who teaches at the same university where she studied?", "Piet Sand", "Olga Reims"),
        ("Which journals have changed their publisher?", "Merrow Journal", "Old Library"),
        ("Who designed the library that Merrow University owns?", "Tova Brink", "Calder Press"),
        ("Where was the current rector of Merrow University born?", "Gera", "Nils Arvo"),
        ("Which colleges were taken over in 2012?", "Vesper College", "Old Library"),
        ("Who became dean first, Piet Sand or Dana Okoye?", "Dana Okoye first.", "Nils Arvo"),
        ("Did Piet Sand become dean before or after Dana Okoye?", "Dana Okoye first.", "Nils Arvo"),
        ("Which university has Nils Arvo run?", "Merrow University", "Dana Okoye"),
        ("How many passengers can MV Gull carry?", "300", "120"),
        ("Which ship can carry the fewest passengers?", "MV Rook", "MV Gull"),
        ("Which ferries serve Merrow Isle?", "MV Rook", "Merrow University"),
        ("Who leads the party that Cy Amsel joined in 2012?", "Ada Norn", "Ben Lowe"),
        ("Did Nils Arvo go back to Merrow University?", "No.", "Yes"),
        ("Do Piet Sand and Olga Reims teach at the same university?", "No.", "Yes"),
        ("Does Piet Sand teach at the same university as Olga Reims?", "No.", "Yes"),
        ("Has Merrow University always published the Merrow Journal?", "No.", "Yes"),
    ],
)
def test_offices_kinds_in_names_and_shared_places_are_read(
    university: Graph, question: str, said: str, not_said: str
) -> None:
    answer = university.ask(question)
    assert not answer.declined, answer.text
    assert said in answer.text
    assert not_said not in answer.text


@pytest.mark.parametrize(
    "question",
    ["Which university did Piet Sand found?", "Who designed the Merrow Bridge?", "Who owns the Old Castle?"],
)
def test_what_no_relation_is_called_and_a_longer_name_are_not_understood(university: Graph, question: str) -> None:
    assert university.ask(question).declined
