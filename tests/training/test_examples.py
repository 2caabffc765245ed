"""The labelled texts that the reader learned from, and how the network is shown them."""

import json
from itertools import islice
from pathlib import Path

import pytest

from training.examples import RELATIONS, TEXTS_FILE, example, rows

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "ingest"


@pytest.mark.slow
def test_each_text_names_its_set_and_only_relations_of_the_schema():
    kept = list(rows())
    assert len({row["id"] for row in kept}) == len(kept)
    assert all(row["set"] for row in kept)
    assert {label["relation"] for row in kept for label in row["facts"]} <= set(RELATIONS)


def test_the_file_of_texts_has_no_time_in_it():
    assert TEXTS_FILE.read_bytes()[4:8] == bytes(4)


@pytest.mark.parametrize(
    "name",
    ["changes-held", "dates-held", "held", "held-again", "nothing-held", "peps", "peps-again", "strangers"],
)
def test_no_text_that_figures_are_measured_on_is_learned_from(name):
    measured = {json.loads(line)["text"] for line in (BENCHMARKS / f"{name}.jsonl").read_text().splitlines()}
    assert measured.isdisjoint(row["text"] for row in rows())


def test_a_fact_is_dated_by_the_dates_that_its_label_has():
    label = {"source": "Ada Frost", "relation": "LEADS", "target": "Kiln", "valid_at": "2011", "invalid_at": "2015"}
    text = "Ada Frost became head of Kiln in 2011. She left Kiln in 2015, and Bo Lind joined it in 2016."
    row = {"id": "one", "title": "", "reference_time": None, "text": text, "facts": [label]}
    assert [fact.edges for fact in example(row).dated] == [((True, False), (False, True), (False, False))]


def test_an_entity_stands_where_the_text_has_its_name():
    row = next(row for row in islice(rows(), 200) if row["facts"] and example(row))
    shown = example(row)
    label = row["facts"][0]
    first, last = next(span for span, number in shown.spans.items() if number == 2)
    start, end = shown.passage.places[first][0], shown.passage.places[last][1]
    assert shown.passage.shown[start:end].lower() == label["target"].lower()
