"""The facts that the network finds."""

import numpy as np
import pytest

from services.core.draft_records import SourceText, Watch
from services.extraction.learned.network import network, second_look
from services.extraction.learned.passages import passages
from services.extraction.learned.reader import identity_of, read
from services.extraction.schemas import DEFAULT_SCHEMA

TEXT = "Ida Moen lives in Oslo and works for Tern Robotics as a welder. Heron is written in Rust."


def _found(title: str, text: str) -> dict[tuple[str, str, str], float]:
    return {
        (one.source.name, one.relation, one.target.name): one.probability
        for one in read(SourceText("1", text, title), Watch())
    }


def test_plain_sentences_are_read():
    found = _found("", TEXT)
    assert found["Ida Moen", "LIVES_IN", "Oslo"] > 0.5
    assert found["Ida Moen", "WORKS_FOR", "Tern Robotics"] > 0.5
    assert found["Heron", "WRITTEN_IN", "Rust"] > 0.5


def test_who_notes_is_the_user():
    assert _found("", "I live in Oslo.")["user", "LIVES_IN", "Oslo"] > 0.3


def test_a_mention_knows_its_place_in_the_text():
    for one in read(SourceText("1", TEXT), Watch()):
        for mention in (one.source, one.target):
            assert mention.name == "user" or TEXT[slice(*mention.place)] == mention.name


def test_a_name_that_is_asked_for_is_looked_at(monkeypatch):
    monkeypatch.setattr("services.extraction.learned.reader.LEAST", 0.0)
    odd = "is head of the"
    text = "Tom Birch is head of the Harbour Works."
    assert not any(odd in (one.source.name, one.target.name) for one in read(SourceText("1", text), Watch()))
    assert any(odd in (one.source.name, one.target.name) for one in read(SourceText("1", text), Watch(), [odd]))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Bryn Press", "Bryn Press was founded by Rhys Evans."),
        ("", "He works for Vestra Energy. Ida lives in Oslo."),
        ("", "# Bryn Press\n\nBryn Press was founded by Rhys Evans.\n\nRhys Evans lives in Cardiff."),
    ],
)
def test_no_name_goes_on_after_a_title_a_sentence_or_a_paragraph(monkeypatch, title, text):
    monkeypatch.setattr("services.extraction.learned.reader._LEAST_SPAN", -1e3)
    names = {
        mention.name for one in read(SourceText("1", text, title), Watch()) for mention in (one.source, one.target)
    }
    assert names
    assert not any(part in name for name in names for part in (" : ", "Bryn Press Bryn", "Energy. Ida", "Evans. Rhys"))


def test_a_name_that_a_line_breaks_is_told_on_one_line():
    assert ("Ida Moen", "WORKS_FOR", "Tern Robotics") in _found("", "Ida Moen works for Tern\nRobotics.")


def test_every_fact_is_told_once_the_likeliest_first():
    found = read(SourceText("1", " ".join([TEXT] * 20)), Watch())
    assert len({one.identity for one in found}) == len(found)
    assert [one.probability for one in found] == sorted((one.probability for one in found), reverse=True)


def test_names_are_the_same_without_case_article_and_quotation_marks():
    assert identity_of("The Harbour", "OWNS", "“Heron”.") == identity_of("the harbour", "OWNS", "heron")
    assert identity_of("Ann", "MARRIED_TO", "Bob") == identity_of("Bob", "MARRIED_TO", "Ann")
    assert identity_of("Ann", "CHILD_OF", "Bob") != identity_of("Bob", "CHILD_OF", "Ann")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ida Moen joined Tern Robotics in 2019.", (2019, None)),
        ("Ida Moen works for Tern Robotics. Heron was released in 2019.", (None, None)),
    ],
)
def test_a_date_is_of_the_fact_that_it_is_told_with(text, expected):
    found = {one.relation: one for one in read(SourceText("1", text), Watch())}["WORKS_FOR"]
    assert tuple(day and day.year for day in found.times) == expected


def test_what_is_said_of_one_entity_is_told_from_what_is_said_of_its_neighbours():
    text = "Bo Lund works for Acme in Bergen and Ida Moen for Tern Robotics in Oslo."
    again = {
        (one.source.name, one.relation, one.target.name): one.again for one in read(SourceText("1", text), Watch())
    }
    own, other = again["Ida Moen", "WORKS_FOR", "Tern Robotics"], again.get(("Ida Moen", "WORKS_FOR", "Acme"), 0.0)
    assert own > 0.5 > other


def test_an_entity_of_which_hardly_anything_is_seen_is_not_asked_again(monkeypatch):
    monkeypatch.setattr("services.extraction.learned.reader._WORTH_A_LOOK", 1.1)
    monkeypatch.setattr("services.extraction.learned.network.Network.relations_of", None)
    told = read(SourceText("1", TEXT), Watch())
    assert told
    assert all(one.again == one.probability for one in told)


def test_it_knows_the_relations_of_the_default_schema():
    expected = tuple(relation.name for relation in DEFAULT_SCHEMA.relations)
    assert network().relations == second_look().relations == expected


def test_spans_beyond_the_end_are_no_names():
    (passage,) = passages("", "Ida Moen lives in Oslo.")
    scores = network().spans(network().encoded(network().begun(passage.states, passage.shapes), passage.shapes))
    assert scores.shape[0] == len(passage.places)
    assert np.isinf(scores[-1, 1:]).all()
    assert np.isfinite(scores[:, 0]).all()


@pytest.mark.parametrize(
    "text", ["", "\n\n", "…", "(((", "a" * 5000, "Ida\x00Moen lives in Oslo.", "🦆 joined 🦢 in 2019."]
)
def test_odd_texts_are_read_without_a_fault(text):
    read(SourceText("1", text), Watch())
