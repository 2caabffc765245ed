"""Tables of known kinds, and dates whose order of day and month is open."""

import json

import pytest

from services.core.errors import BadInput
from services.tables import guess_mapping, known_table, open_date, open_table, read_facts, records, row_of
from services.tables.mapping import mapping_of


def facts_of(name: str, content: str) -> list[tuple[str, str, str, str]]:
    """The facts that a file gives with its columns as they are guessed."""
    given = records(open_table(name, content.encode()))
    mapping = guess_mapping([*given[0]], given)
    table = read_facts(name, content.encode(), mapping=mapping).needs_all()
    return [
        (row.source, row.relation, row.target, row.valid_at.date().isoformat()) for row in table.rows if row.valid_at
    ]


def test_statements_of_wikidata_are_recognized_by_their_qualifiers() -> None:
    table = (
        "itemLabel,propertyLabel,valueLabel,P580 (start time),P582\nAda,employer,Labs,2015-01-02T00:00:00Z,2016-03\n"
    )
    assert facts_of("query.csv", table) == [("Ada", "employer", "Labs", "2015-01-02")]


def test_properties_of_wikidata_beside_an_item_are_relations() -> None:
    table = "item,itemLabel,P108Label,P580\nQ1,Ada,Labs,2015-01-02\n"
    assert facts_of("query.csv", table) == [("Ada", "P108", "Labs", "2015-01-02")]


def test_events_of_icews_and_gdelt_are_recognized() -> None:
    icews = "Event Date\tSource Name\tEvent Text\tTarget Name\tIntensity\n2015-01-02\tFrance\tConsult\tMali\t1\n"
    assert facts_of("events.tab", icews) == [("France", "Consult", "Mali", "2015-01-02")]
    cells = [""] * 58
    cells[0], cells[1], cells[6], cells[16], cells[26], cells[57] = "7", "20150102", "FRANCE", "MALI", "040", "http://a"
    assert facts_of("20150102.export.CSV", "\t".join(cells) + "\n") == [("FRANCE", "040", "MALI", "2015-01-02")]
    assert known_table(["SQLDATE", "Actor1Name"]) is None


def test_relationships_of_a_stix_bundle_hold_as_long_as_they_or_their_source_say() -> None:
    indicator = {"type": "indicator", "id": "indicator--1", "name": "Bad hash", "valid_from": "2015-01-02T00:00:00Z"}
    malware = {"type": "malware", "id": "malware--1", "name": "Worm"}
    relationship = {"type": "relationship", "relationship_type": "indicates"}
    relationship |= {"source_ref": "indicator--1", "target_ref": "malware--1"}
    bundle = json.dumps({"type": "bundle", "id": "bundle--1", "objects": [indicator, malware, relationship]})
    (row,) = read_facts("bundle.json", bundle.encode()).needs_all().rows
    assert (row.source, row.source_type, row.relation, row.target) == ("Bad hash", "Indicator", "INDICATES", "Worm")
    assert row.valid_at is not None
    assert row.valid_at.year == 2015


def test_entries_of_a_changelog_are_facts_of_their_version() -> None:
    text = "# Changelog\n\n## [1.2.0] - 2024-05-01\n### Added\n- A page\n  for charts\n### Fixed\n* A fault\n"
    rows = read_facts("CHANGELOG.md", text.encode()).needs_all().rows
    assert [(row.source, row.relation, row.target) for row in rows] == [
        ("Version 1.2.0", "ADDED", "A page for charts"),
        ("Version 1.2.0", "FIXED", "A fault"),
    ]
    with pytest.raises(BadInput, match="not a changelog"):
        records(open_table("notes.md", b"Hello"))


def test_other_dates_of_the_column_tell_the_order_of_day_and_month() -> None:
    given = [
        {"who": "Ada", "firm": "Labs", "since": "02.05.2016"},
        {"who": "Bob", "firm": "Labs", "since": "25.05.2016"},
    ]
    guess = guess_mapping(["who", "firm", "since"], given)
    assert guess.day_order == "day first"
    assert guess_mapping(["who", "firm", "since"], given[:1]).day_order == ""
    assert mapping_of(guess.document()) == guess
    assert open_date(row["since"] for row in given) == "02.05.2016"
    content = b"who,firm,since\nAda,Labs,02.05.2016\n"
    (row,) = read_facts("a.csv", content, mapping=guess).needs_all().rows
    assert (row.source, row.relation, row.target) == ("Ada", "FIRM", "Labs")
    assert row.valid_at is not None
    assert (row.valid_at.month, row.valid_at.day) == (5, 2)


def test_columns_that_no_synonym_names_are_guessed_by_their_values() -> None:
    given = [{"who": "Ada", "firm": "Labs", "n": "1"}, {"who": "Ada", "firm": "Engines", "n": "2"}]
    entity = guess_mapping(["who", "firm", "n"], given)
    assert (row_of(entity), entity.columns["who"], entity.relations) == ("entity", "source", {"firm": "FIRM"})
    fact = guess_mapping(["who", "firm", "n"], given, "fact")
    assert (row_of(fact), fact.columns["who"], fact.columns["firm"]) == ("fact", "source", "target")


def test_problems_name_the_columns_of_the_file() -> None:
    content = b"who,firm,since\nAda,Labs,yesterday\n"
    mapping = guess_mapping(["who", "firm", "since"], records(open_table("a.csv", content)))
    (problem,) = read_facts("a.csv", content, mapping=mapping).problems
    assert problem.column == "since"
    with pytest.raises(BadInput, match="“who” and “firm” are both mapped to source"):
        read_facts("a.csv", content, mapping=mapping_of({"columns": {"who": "source", "firm": "source"}}))
