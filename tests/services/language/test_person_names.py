"""Whether two writings of a name can be one person's."""

import pytest

from services.language.person_names import Difference, difference, names_in, readings


def far(asked: str, held: str) -> Difference | None:
    name = readings(asked)[0][0]
    return min((one for own in names_in(held) if (one := difference(name, own)) is not None), default=None)


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ada Lovelace", "Ada Lovelace – Curriculum Vitae"),
        ("Ada Lovelace", "Lovelace, Ada"),
        ("Lovelace, Ada", "CV: Ada Lovelace, PhD"),
        ("Ada Lovelace", "Dr. Ada Lovelace"),
        ("Larry Page", "Larry Page"),
        ("O’Brien", "O'Brien"),
        ("García Márquez, Gabriel", "Gabriel García Márquez"),
    ],
)
def test_writings_of_one_name_do_not_differ(asked, held):
    assert far(asked, held) == 0


@pytest.mark.parametrize(
    ("asked", "held", "how"),
    [
        ("Joerg Mueller", "Jörg Müller", Difference.ACCENT),
        ("A. Lovelace", "Ada Lovelace", Difference.INITIAL),
        ("Ada Lovelace", "Ada King Lovelace", Difference.MORE_WORDS),
        ("Ada King Lovelace", "Ada Lovelace", Difference.FEWER_WORDS),
        ("Mary Smith", "Mary Smith-Jones", Difference.MARRIED),
        ("Ada Byron", "Ada Lovelace (née Byron)", Difference.MARRIED),
        ("Bob Smith", "Robert (Bob) Smith", Difference.MARRIED),
        ("Gabriel García", "Gabriel García Márquez", Difference.WITHIN),
        ("Dr. Smith", "John Smith", Difference.WITHOUT_TITLE | Difference.MORE_WORDS),
        ("Smith", "John Smith", Difference.MORE_WORDS),
    ],
)
def test_writings_differ_by_what_one_leaves_out(asked, held, how):
    assert far(asked, held) == how


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("Ada Lovelace", "Ada Smith"),
        ("Ada Lovelace", "Bob Lovelace"),
        ("Ada Lovelace", "Ada Smith and Bob Lovelace"),
        ("Ada Lovelace", "Lovelace"),
        ("John Robert Smith", "John Thomas Smith"),
        ("J. R. Smith", "J. T. Smith"),
        ("Bob Smith Jr.", "Bob Smith Sr."),
        ("Mrs. Smith", "Mr. John Smith"),
        ("Al Gore", "Tipper Gore"),
        ("PEP 4", "PEP 484"),
    ],
)
def test_names_of_two_people_are_told_apart(asked, held):
    assert far(asked, held) is None
