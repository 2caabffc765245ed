"""Which date of a text belongs to which fact."""

from datetime import UTC, datetime

import pytest

from services.core.draft_records import SourceText, Watch
from services.extraction.rules.clause_dates import Times, dated
from services.extraction.rules.date_expressions import date_expressions
from services.extraction.rules.dates_between_names import head_of, near
from services.extraction.rules.dates_from_elsewhere import TextDates
from services.extraction.rules.findings import NO_TIMES, Finding
from services.extraction.rules.mentions import Referent
from services.extraction.rules.parser import parse
from services.extraction.rules.read_texts import read_texts
from services.extraction.schemas import DEFAULT_SCHEMA
from tests.services.extraction.read import facts, shown

TODAY = datetime(2026, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Heron is a 1943 film directed by Ada Brandt.", "Ada Brandt DIRECTED Heron 1943-01-01.."),
        ("Heron (1943) is a film directed by Ada Brandt.", "Ada Brandt DIRECTED Heron 1943-01-01.."),
        ("Heron was directed by Ada Brandt. Heron premiered in 1943.", "Ada Brandt DIRECTED Heron 1943-01-01.."),
        ("Ida Moen died in Ulm. She died on 3 May 1990.", "Ida Moen DIED_IN Ulm 1990-05-03.."),
        ("Ida Moen's husband is Peter Berg. They married in May 2011.", "Peter Berg MARRIED_TO Ida Moen 2011-05-01.."),
        ("Ida Moen is the mayor of Ulm. She takes office in May 2021.", "Ida Moen HAS_ROLE mayor 2021-05-01.."),
        ("The painter Ida Moen (1920–1999) lived in Ulm.", "Ida Moen HAS_ROLE painter"),
        ("In May 2021 Kiln hired its first lawyer, Ida Moen.", "Ida Moen HAS_ROLE lawyer 2021-05-01.."),
        ("Ida Moen has led Kiln since the merger in May 2021.", "Ida Moen LEADS Kiln 2021-05-01.."),
        ("Since the merger in 2022 Ida Moen lives in Ulm.", "Ida Moen LIVES_IN Ulm 2022-01-01.."),
        ("Kiln was founded in 2013, when Ida Moen joined it.", "Ida Moen WORKS_FOR Kiln 2013-01-01.."),
        ("The 2021 Lindqvist Medal went to Ada Brandt.", "Ada Brandt WON 2021 Lindqvist Medal 2021-01-01.."),
        ("Ada Brandt (4 May 1921 – 1999) was born in Ulm.", "Ada Brandt BORN_IN Ulm 1921-05-04.."),
        ("The user owns a flat in Ulm, bought in 2019.", "user OWNS flat 2019-01-01.."),
        (
            "Ada Brandt worked for Acme Foods and left in June 2024.",
            "Ada Brandt WORKS_FOR Acme Foods ..2024-06-01",
        ),
        (
            "Effective today, Heron Optics is no longer a division of Halvex.",
            "Heron Optics PART_OF Halvex ..2026-03-10",
        ),
        (
            "Ada Brandt was born in Ulm. She married Tom Berg in 2002, but they separated six years later.",
            "Ada Brandt MARRIED_TO Tom Berg 2002-01-01..2008-01-01",
        ),
    ],
)
def test_a_fact_has_the_date_that_the_text_tells_of_it(text, expected):
    assert expected in facts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tom Berg is the son of Ada Brandt, who died in 2019.",
        "In 2019 Ada Brandt moved to Ulm with her brother Tom Berg.",
        "Ada Brandt was in Ulm in 2019 with her husband, Tom Berg.",
    ],
)
def test_what_a_noun_tells_is_not_dated_by_another_verb(text):
    family = [one for one in facts(text) if any(word in one for word in ("CHILD_OF", "SIBLING_OF", "MARRIED_TO"))]
    assert family
    assert not any(".." in one for one in family)


@pytest.mark.parametrize(
    ("text", "source", "target", "relation", "start", "end"),
    [
        ("Ada joined Acme in 2015.", "Ada", "Acme", "WORKS_FOR", 2015, None),
        ("Ada left Acme in 2019.", "Ada", "Acme", "WORKS_FOR", None, 2019),
        ("Ada worked for Acme from 2015 to 2019.", "Ada", "Acme", "WORKS_FOR", 2015, 2019),
        ("Ada lived in Ulm until 2019.", "Ada", "Ulm", "LIVES_IN", None, 2019),
        ("Ada has lived in Ulm since 2015.", "Ada", "Ulm", "LIVES_IN", 2015, None),
        ("In 2015 Ada left Ulm and joined Acme.", "Ada", "Acme", "WORKS_FOR", 2015, None),
        ("Ada moved from Ulm to Bonn in 2015.", "Ada", "Ulm", "LIVES_IN", None, 2015),
        ("Tom succeeded Ada as chair of Acme in 2015.", "Ada", "chair", "HAS_ROLE", None, 2015),
        ("Ada, mayor of Ulm since 2015, resigned.", "Ada", "mayor", "HAS_ROLE", 2015, None),
        ("Ada wrote Heron in 2015.", "Ada", "Heron", "AUTHORED", 2015, None),
        ("Ada, the author of Heron, died in 2015.", "Ada", "Heron", "AUTHORED", None, None),
        ("Ada and her son Tom moved to Ulm in 2015.", "Tom", "Ada", "CHILD_OF", None, None),
        ("Ada works for Acme.", "Ada", "Acme", "WORKS_FOR", None, None),
        ("Ada Brandt, head of sales at Acme until 2015, spoke.", "Ada Brandt", "Acme", "WORKS_FOR", None, 2015),
        ("We met Ada, head of sales at the Acme Group (2015–2019).", "Ada", "head", "HAS_ROLE", 2015, 2019),
        ("Tom sold the boat to Ada in 2015.", "Ada", "boat", "OWNS", 2015, None),
        ("Tom sold the boat to Ada in 2015.", "Tom", "boat", "OWNS", None, 2015),
        ("Tom got rid of the boat in 2015.", "Tom", "boat", "OWNS", None, 2015),
        ("Ada left Acme for Bolt in 2015.", "Ada", "Bolt", "WORKS_FOR", 2015, None),
        ("Ada joined us from Acme in 2015.", "Ada", "Acme", "WORKS_FOR", None, 2015),
        ("Tom was succeeded as king in 2015 by Ada.", "Tom", "king", "HAS_ROLE", None, 2015),
        ("The mayor, Ada Brandt, was elected president in 2015.", "Ada Brandt", "mayor", "HAS_ROLE", None, None),
    ],
)
def test_two_places_of_a_sentence_have_the_date_of_their_clause(text, source, target, relation, start, end):
    (doc,) = parse([text])
    sentence = next(doc.sents)
    places = [(text.index(name), text.index(name) + len(name)) for name in (source, target)]
    heads = [head_of(sentence, place) for place in places]
    times = near(dated(sentence, date_expressions(text, TODAY)), *heads, relation)
    years = tuple(day.year if day else None for day in (times.valid_at, times.invalid_at))
    assert years == (start, end)


@pytest.mark.parametrize(
    ("text", "target", "relation", "expected"),
    [
        ("In June, Ada starts and is our gardener.", "gardener", "HAS_ROLE", "2026-06-01"),
        ("Ada will join in June, at Acme.", "Acme", "WORKS_FOR", "2026-06-01"),
        ("In June, Ada started and is our gardener.", "gardener", "HAS_ROLE", "2025-06-01"),
        ("Ada has a boat since June.", "boat", "OWNS", "2025-06-01"),
        ("The mayor, Ada, spoke in June.", "mayor", "HAS_ROLE", None),
    ],
)
def test_what_the_network_takes_for_a_start_is_read_in_its_clause(text, target, relation, expected):
    (doc,) = parse([text])
    sentence = next(doc.sents)
    places = [(text.index(name), text.index(name) + len(name)) for name in ("Ada", target)]
    held = Times(datetime(2025, 6, 1, tzinfo=UTC))
    heads = [head_of(sentence, place) for place in places]
    start = near(dated(sentence, date_expressions(text, TODAY)), *heads, relation, held).valid_at
    assert (start.date().isoformat() if start else None) == expected


def test_places_without_words_have_no_date():
    text = "Ada joined Acme in 2015."
    (doc,) = parse([text])
    sentence = next(doc.sents)
    heads = [head_of(sentence, place) for place in ((90, 92), (95, 99))]
    times = near(dated(sentence, date_expressions(text, TODAY)), *heads, "WORKS_FOR")
    assert times.valid_at is None
    assert times.invalid_at is None


def test_a_date_told_elsewhere_waits_for_the_fact_that_the_network_finds(monkeypatch):
    text = "Ada Brandt and Tom Berg come from Ulm. They married in 2002."
    monkeypatch.setattr("services.extraction.rules.sentence_facts.read", lambda reading: None)
    ((_, reading),) = read_texts([SourceText("1", text, "", TODAY)], DEFAULT_SCHEMA, Watch())
    assert reading.finished() == []
    reading.add(Referent("Ada Brandt", "Person", at=0), "MARRIED_TO", Referent("Tom Berg", "Person", at=15), NO_TIMES)
    ((found, _),) = reading.finished()
    assert found.times.valid_at == datetime(2002, 1, 1, tzinfo=UTC)


def test_a_bracket_that_is_never_closed_is_no_life():
    dates = TextDates("Ada Brandt (" + "1921 " * 50_000, TODAY)
    born = Finding(Referent("Ada Brandt"), "BORN_IN", Referent("Ulm"))
    assert dates.filled([born]) == [born]


def test_years_in_brackets_behind_who_has_an_office_are_its_time():
    assert "Ida Moen HAS_ROLE Mayor 2014-01-01..2019-01-01" in shown("Mayor Ida Moen (2014–2019) lives in Ulm.")
