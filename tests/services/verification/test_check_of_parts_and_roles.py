"""Counts of a part, multiples of a row, who does it in a passage, and what is switched on or off."""

import pytest

from tests.services.verification.turns import chunks, facts, mark, result

TICKETS = [
    {"source": f"Ticket {n}", "relation": "HAS_STATE", "target": state, "valid_at": "2024-01-01", "invalid_at": None}
    for n, state in enumerate(("Open", "Open", "Closed", "Closed", "Closed", "Parked", "Merged"), 1)
]
RIVERS = [
    {"river": "Arda", "bridges": 9, "length_km": 120},
    {"river": "Belt", "bridges": 3, "length_km": 480},
    {"river": "Cann", "bridges": 6, "length_km": 60},
]
TABLES = [result(1, 7, TICKETS), result(2, 3, RIVERS)]
PEOPLE = facts("""
Ivo of Hale | RULED | Morland | 1301-03-01 | 1322-06-01
Sara Lind | HEADS | Port Office | 2010-01-01 | 2014-05-01
Tom Ash | HEADS | Port Office | 2014-05-01
Sara Lind | CONDUCTS | Bergen Choir | 2015-01-01
Order 7 | HAS_STATUS | Shipped | 2020-01-01 | 2023-02-01
Nora Falk | MAINTAINS | Delta | 2019-01-01
Erik Holm | MAINTAINS | Delta | 2020-01-01
Anna Reyes | AUDITS | Delta
Anna Reyes | BORN_IN | Lima
""")
MANUAL = chunks(
    """Logging is useful and turned on by default. Requests over 2 MB must be cut into pieces by the client. A server
    that gets more than ten requests a second may delay them. Reading was not interrupted while the disks were
    changed. Karin Moe, a student of his, finished the book of Otto Hale in 1950. Mount Ret is the highest peak of the
    island. The archive burned in 1911, but most of the maps had been brought to safety."""
)


@pytest.mark.parametrize(
    "text",
    [
        "Three of the seven tickets are closed [1].",
        "Arda has three times as many bridges as Belt [2].",
        "Belt is the longest of the three, 480 km [2].",
        "Arda has the most bridges [2].",
        "Belt has half as many bridges as Cann [2].",
    ],
)
def test_what_the_rows_give_is_supported(text: str) -> None:
    assert mark(text, TABLES) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Four of the seven tickets are closed [1].",
        "Arda has twice as many bridges as Belt [2].",
        "Belt has three times as many bridges as Arda [2].",
        "Arda is the longest of the three, 120 km [2].",
        "Belt has the most bridges, 3 [2].",
    ],
)
def test_a_part_or_multiple_that_the_rows_do_not_give_is_contradicted(text: str) -> None:
    assert mark(text, TABLES) == "contradicted"


@pytest.mark.parametrize(
    "text",
    [
        "Ivo of Hale came to power in Morland in 1301 [1].",
        "Ash relieved Lind as head of the Port Office in 2014 [2][3].",
        "Order 7 spent three years in the state Shipped [5].",
        "In 2021 Order 7 was in the Shipped state [5].",
        "Delta has two maintainers at present, Falk and Holm [6][7].",
        "Anna Reyes's birthplace is Lima [9].",
        "Anna Reyes audits Delta; no date is recorded for that [8].",
    ],
)
def test_a_fact_in_other_words_is_supported(text: str) -> None:
    assert mark(text, PEOPLE) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Ivo of Hale came to power in Morland in 1322 [1].",
        "Lind relieved Ash as head of the Port Office in 2014 [2][3].",
        "Sara Lind was born in Bergen [4].",
        "Sara Lind's birthplace is Bergen [4].",
        "Sara Lind died in Bergen [4].",
        "Nora Falk maintains Delta; no date is recorded for that [6].",
    ],
)
def test_what_a_fact_does_not_say_of_lives_dates_and_order_is_contradicted(text: str) -> None:
    assert mark(text, PEOPLE) == "contradicted"


@pytest.mark.parametrize(
    "text",
    [
        "Logging is on by default [1].",
        "The client must cut requests over 2 MB into pieces [1].",
        "Karin Moe was a student of Otto Hale [1].",
        "No peak of the island is higher than Mount Ret [1].",
        "Most of the maps survived [1].",
    ],
)
def test_a_passage_with_its_roles_and_switches_is_supported(text: str) -> None:
    assert mark(text, MANUAL) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Logging is off by default [1].",
        "The server must cut requests over 2 MB into pieces [1].",
        "Otto Hale was a student of Karin Moe [1].",
        "Reading stopped while the disks were changed [1].",
        "Most of the maps were lost [1].",
    ],
)
def test_another_role_or_switch_in_a_passage_is_contradicted(text: str) -> None:
    assert mark(text, MANUAL) == "contradicted"
