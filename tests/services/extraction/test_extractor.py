"""The extractor: schemas, threads, cancelling, and what is missing."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from services.core.draft_records import Draft, EntityKind, RelationKind, Schema, SourceText, Watch
from services.core.errors import Cancelled, ExtractorUnavailable
from services.extraction.offline import OfflineExtractor
from services.extraction.rules import parser
from services.extraction.rules.choices import CHOICES
from services.extraction.rules.read_texts import LONGEST
from services.extraction.rules.verb_lexicon import every_entry
from services.extraction.rules.word_categories import known
from services.extraction.schema_suggestion import suggest_schema
from services.extraction.schemas import DEFAULT_SCHEMA
from tests.services.extraction.read import drafts, facts

LONG = SourceText("long", "\n\n".join(f"Note {n}: Ida Moen lives in Oslo." for n in range(200)))
OWN = Schema((EntityKind("Drug"), EntityKind("Disease")), (RelationKind("TREATS", "", ("Drug",), ("Disease",)),))


def test_only_what_the_schema_has_is_found():
    schema = Schema((EntityKind("Person"),), (RelationKind("LIVES_IN"),))
    (draft,) = drafts("Ida Moen lives in Oslo and works for Tern Robotics.", schema=schema)
    assert (draft.relation, draft.source_type, draft.target_type) == ("LIVES_IN", "Person", "")


def test_a_relation_of_ones_own_is_found_by_the_verb_in_its_name():
    (draft,) = drafts("Benalol treats Hansen syndrome.", schema=OWN)
    assert (draft.source, draft.relation, draft.target) == ("Benalol", "TREATS", "Hansen syndrome")
    assert (draft.source_type, draft.target_type) == ("Drug", "Disease")


def test_such_a_relation_follows_passives_prepositions_and_denials():
    own = Schema((), (RelationKind("TREATED_BY"), RelationKind("INTERACTS_WITH")))
    assert facts("Benalol treats Hansen syndrome.", schema=own) == {"Hansen syndrome TREATED_BY Benalol"}
    assert facts("Benalol interacts with Corvex.", schema=own) == {"Benalol INTERACTS_WITH Corvex"}
    assert facts("Benalol does not interact with Corvex.", schema=own) == set()


def test_a_schema_is_suggested_by_how_often_a_sample_tells_of_it():
    sample = ["Benalol treats Hansen syndrome. Corvex treats Morland fever.", "Ida Moen lives in Oslo."]
    found = suggest_schema(sample)
    assert [kind.name for kind in found.relations] == ["TREATS", "LIVES_IN"]
    assert {"Person", "Place"} <= {kind.name for kind in found.types}


def test_every_relation_and_word_of_the_lexicon_is_known():
    relations = {kind.name for kind in DEFAULT_SCHEMA.relations} | set(CHOICES)
    for entry in every_entry():
        assert entry.relation in relations, entry
        assert entry.other in ("", "person") or known(entry.other), entry


def test_cancelling_stops_it():
    watch = Watch()
    watch.cancel.set()
    with pytest.raises(Cancelled):
        list(OfflineExtractor().extract([SourceText("1", "Ida Moen lives in Oslo.")], DEFAULT_SCHEMA, watch))


@pytest.mark.slow
def test_it_tells_how_much_of_a_long_text_is_read():
    told: list[tuple[str, float]] = []
    watch = Watch(report=lambda text_id, share: told.append((text_id, share)))
    list(OfflineExtractor().extract([LONG, SourceText("2", "Heron is written in Rust.")], DEFAULT_SCHEMA, watch))
    shares = [share for text_id, share in told if text_id == LONG.id]
    assert shares == sorted(set(shares))
    assert (shares[0], len(shares) > 10) == (0, True)
    assert 0.9 < shares[-1] < 1
    assert told[-1][0] == "2"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.6])
def test_it_stops_within_a_long_text_once_it_is_cancelled(share):
    told = []

    def report(_text_id: str, now: float) -> None:
        told.append(now)
        if now > share:
            watch.cancel.set()

    watch = Watch(report=report)
    with pytest.raises(Cancelled):
        list(OfflineExtractor().extract([LONG], DEFAULT_SCHEMA, watch))
    assert share < told[-1] < share + 0.25
    assert len([one for one in told if one > share]) == 1


@pytest.mark.slow
def test_texts_come_back_in_order():
    towns = ["Oslo", "Rome", "Paris", "Berlin", "Vienna"] * 14
    sources = [SourceText(str(n), f"Ida Moen lives in {town}.") for n, town in enumerate(towns)]
    found = list(OfflineExtractor().extract(sources, DEFAULT_SCHEMA, Watch()))
    assert [one.drafts[0].target for one in found] == towns


def test_two_threads_read_at_once():
    sentences = ["Ida Moen lives in Oslo.", "Heron is written in Rust."] * 8
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(facts, sentences))
    assert found == [{"Ida Moen LIVES_IN Oslo"}, {"Heron WRITTEN_IN Rust"}] * 8


@pytest.mark.slow
def test_a_text_that_cannot_be_read_has_a_problem_and_the_others_go_on():
    sources = [SourceText("long", "word " * (LONGEST // 4)), SourceText("2", "Ida Moen lives in Oslo.")]
    first, second = OfflineExtractor().extract(sources, DEFAULT_SCHEMA, Watch())
    assert (bool(first.problem), first.drafts) == (True, ())
    assert (second.problem, len(second.drafts)) == ("", 1)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "…", "(((", "# ", "a" * 500, "Ida\x00Moen lives in Oslo.", "🦆 joined 🦢 in 2019."]
)
def test_odd_texts_are_read_without_a_fault(text):
    drafts(text)


def test_without_the_parser_it_says_what_to_run(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    parser.language.cache_clear()
    try:
        with pytest.raises(ExtractorUnavailable) as refused:
            drafts("Ida Moen lives in Oslo.")
    finally:
        parser.language.cache_clear()
    assert "make run" in refused.value.hint


def read_undated(text: str) -> Draft:
    (extraction,) = OfflineExtractor().extract([SourceText("1", text)], DEFAULT_SCHEMA, Watch())
    return extraction.drafts[0]


@pytest.mark.parametrize("when", ["last March", "on 14 October", "yesterday", "on Friday", "two years ago"])
def test_a_text_without_a_time_of_its_own_has_no_date_that_counts_from_one(when):
    draft = read_undated(f"Ida Moen joined Tern Robotics {when}.")
    assert (draft.relation, draft.valid_at, draft.unsure_valid_at) == ("WORKS_FOR", None, None)


def test_a_day_whose_year_the_text_only_mentions_is_offered_beside_the_fact():
    draft = read_undated("Elected in 1998, Ida Moen left Tern Robotics on 30 November.")
    assert (draft.relation, draft.invalid_at) == ("WORKS_FOR", None)
    assert draft.unsure_invalid_at == datetime(1998, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "precision"),
    [("in 2019", "year"), ("in May 2019", "month"), ("on 5 May 2019", "day"), ("in Q2 2019", "year")],
)
def test_a_date_is_as_exact_as_the_text_gave_it(when, precision):
    draft = next(one for one in drafts(f"Ida Moen joined Tern Robotics {when}.") if one.relation == "WORKS_FOR")
    assert draft.valid_at is not None
    assert draft.valid_at_precision == precision
