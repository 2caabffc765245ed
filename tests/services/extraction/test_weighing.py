"""What rules and network found, weighed together."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from services.core.draft_records import EntityKind, RelationKind, Schema, SourceText, Watch
from services.extraction import weighing
from services.extraction.learned.reader import LearnedFact, NameSpan
from services.extraction.rules.read_texts import read_texts
from services.extraction.schemas import DEFAULT_SCHEMA
from services.extraction.weighing import Claim, chosen, claims, is_variant, share_right
from tests.services.extraction.read import drafts

_NAMES = st.lists(st.sampled_from(["ann", "joann", "lee", "acme", "inc.", "…"]), min_size=1, max_size=3).map(" ".join)


def _reading(text: str, schema: Schema = DEFAULT_SCHEMA):
    ((_, reading),) = read_texts([SourceText("1", text)], schema, Watch())
    return reading


def test_what_both_find_is_surer_than_what_one_finds():
    both, ruled, told = (
        share_right(Claim(*known)) for known in ((0.9, 0.9, 0.9, 0.0), (0.9, 0.0, 0.0, 0.0), (0.0, 0.9, 0.9, 0.0))
    )
    assert both > max(ruled, told)


def test_the_surer_a_rule_or_the_network_is_the_surer_the_draft():
    assert share_right(Claim(0.9, 0.5, 0.5, 0.0)) > share_right(Claim(0.6, 0.5, 0.5, 0.0))
    assert share_right(Claim(0.0, 0.9, 0.9, 0.0)) > share_right(Claim(0.0, 0.6, 0.6, 0.0))
    assert share_right(Claim(0.0, 0.6, 0.9, 0.0)) > share_right(Claim(0.0, 0.6, 0.6, 0.0))


def test_of_two_extents_of_a_name_the_likelier_is_kept():
    short, long, other = (("ann", "HAS_ROLE", name) for name in ("director", "director of finance", "welder"))
    assert set(chosen({short: 0.4, long: 0.6, other: 0.1})) == {long, other}
    assert set(chosen({short: 0.6, long: 0.4})) == {short}


def test_names_contain_each_other_by_whole_words():
    ann, joann, long = (((name, "WORKS_FOR", "acme")) for name in ("ann", "joann", "dr. ann lee"))
    assert not is_variant(ann, joann)
    assert is_variant(ann, long)
    assert is_variant(long, ann)
    assert not is_variant(ann, ann)
    assert not is_variant(ann, ("", "WORKS_FOR", "acme"))
    assert not is_variant(ann, ("ann", "LEADS", "acme"))
    assert is_variant(ann, ("ann", "WORKS_FOR", "acme's shop"))


@given(st.lists(st.tuples(_NAMES, st.sampled_from(["OWNS", "LEADS"]), _NAMES), unique=True, max_size=12))
def test_the_variants_that_are_looked_up_are_those_that_comparing_each_would_find(facts):
    told = [
        LearnedFact(NameSpan(a, (0, 0), (0, 0)), relation, NameSpan(b, (0, 0), (0, 0)), n / 20, n / 20)
        for n, (a, relation, b) in enumerate(facts, start=1)
    ]
    logits = {one.identity: one.again for one in told}
    for key, claim in claims([], told).items():
        assert claim.other_extent == max((logits[other] for other in logits if is_variant(key, other)), default=0.0)
    kept = chosen(logits)
    for key in logits:
        rivals = [other for other in kept if is_variant(key, other) and kept[other] > logits[key]]
        assert (key in kept) == (not rivals)


def test_a_claim_knows_what_else_is_found_in_the_place_of_each_name():
    found = [
        LearnedFact(NameSpan(source, (0, 0), (0, 0)), relation, NameSpan(target, (0, 0), (0, 0)), again, again)
        for source, relation, target, again in (
            ("ann", "OWNS", "acme", 0.9),
            ("bob", "OWNS", "acme", 0.6),
            ("ann", "OWNS", "tern", 0.4),
            ("cy", "LEADS", "acme", 0.8),
        )
    ]
    of = claims([], found)
    assert (of["ann", "OWNS", "acme"].other_source, of["ann", "OWNS", "acme"].other_target) == (0.6, 0.4)
    assert (of["bob", "OWNS", "acme"].other_source, of["bob", "OWNS", "acme"].other_target) == (0.9, 0.0)
    assert (of["cy", "LEADS", "acme"].other_source, of["cy", "LEADS", "acme"].other_target) == (0.0, 0.0)


def test_a_fact_that_no_rule_found_is_drafted_with_its_sentence_and_its_date(monkeypatch):
    text = "It rained. Ida Moen moved to Oslo in 2019."
    monkeypatch.setattr("services.extraction.rules.sentence_facts.read", lambda reading: None)
    monkeypatch.setattr(weighing, "LEAST_SHARE", 0.0)
    found = next(one for one in drafts(text) if (one.relation, one.target) == ("LIVES_IN", "Oslo"))
    assert (found.source, found.fact) == ("Ida Moen", "Ida Moen moved to Oslo in 2019.")
    assert text[found.start : found.end] == found.fact
    assert (found.valid_at or found.unsure_valid_at) == datetime(2019, 1, 1, tzinfo=UTC)


def test_what_the_network_finds_is_only_of_relations_that_are_looked_for():
    schema = Schema((EntityKind("Place"),), (RelationKind("LIVES_IN"),))
    weighing.weighed(reading := _reading("Ida Moen lives in Oslo and works for Tern Robotics.", schema), Watch())
    assert {finding.relation for finding, _ in reading.finished()} == {"LIVES_IN"}


def test_a_document_that_has_a_name_of_its_own_is_not_about_the_user():
    (_, told) = weighing.claimed(_reading("I propose a new operator and I use Rust."), Watch())
    assert any("user" in (one.source.name, one.target.name) for one in told)
    ((_, reading),) = read_texts(
        [SourceText("1", "I propose a new operator and I use Rust.", "PEP 9999")], DEFAULT_SCHEMA, Watch()
    )
    assert not any("user" in (one.source.name, one.target.name) for one in weighing.claimed(reading, Watch())[1])


def test_a_text_with_a_long_line_of_signs_is_read():
    text = "(" * 20_000 + " Ida Moen moved to Oslo in 2019."
    found = next(one for one in drafts(text) if (one.relation, one.target) == ("LIVES_IN", "Oslo"))
    assert found.source == "Ida Moen"
    assert text[found.start : found.end].endswith("Ida Moen moved to Oslo in 2019.")
