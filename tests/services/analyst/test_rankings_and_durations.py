"""Whatever is ranked or measured: figures with their scales and units, terms that overlap, dates that are imprecise."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.analyst.analyst import Analyst
from services.analyst.composed_answers import Composer
from services.analyst.compositions import compositions
from services.analyst.compound_questions import LONGEST
from services.analyst.durations import Range, extreme_of, held_for, longest
from services.analyst.figures import figure_of, is_of_figures
from services.analyst.graph_lexicon import build
from services.analyst.parsed_question import parse_question
from services.analyst.query_plan import QueryPlan
from services.analyst.vocabulary import Synonyms
from services.core import clock
from services.core.answer_records import Asked
from services.core.models import Entity, Fact
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.analyst.conftest import Graph, Row, facts_of
from tests.services.retrieval.conftest import W, open_services, write

MUSEUMS: list[Row] = [
    ("Amber Hall", "visited by", "950,000 guests", "2019-01-01", ""),
    ("Basalt House", "visited by", "1.2 million guests", "2019-01-01", ""),
    ("Copper Loft", "visited by", "87 guests", "2019-01-01", ""),
    ("Amber Hall", "measures", "900 m2", "2019-01-01", ""),
    ("Basalt House", "measures", "4 hectares", "2019-01-01", ""),
    ("Ida Lund", "curates", "Amber Hall", "2001-01-01", "2006-01-01"),
    ("Ida Lund", "curates", "Amber Hall", "2003-01-01", "2007-01-01"),
    ("Noor Vance", "curates", "Amber Hall", "2010-01-01", "2017-01-01"),
    ("Ida Lund", "curates", "Copper Loft", "2008-01-01", ""),
    ("Noor Vance", "curates", "Copper Loft", "", ""),
    ("Noor Vance", "curates", "Basalt House", "2018-01-01", ""),
    ("Olga Reyes", "curates", "Basalt House", "2018-01-01", ""),
]
KINDS = {"hall": "Museum", "house": "Museum", "loft": "Museum"}


def opened(folder: Path, facts: list[Fact], names: dict[str, str] | None = None) -> Graph:
    services = open_services(folder, MemoryGraphStore())
    ends = {uuid: name for f in facts for uuid, name in ((f.source_uuid, f.source), (f.target_uuid, f.target))}
    write(services, *(Entity(uuid, name, _types(name)) for uuid, name in (ends | (names or {})).items()), *facts)
    return Graph(services, facts)


def _types(name: str) -> tuple[str, ...]:
    kind = KINDS.get(name.split()[-1].lower(), "")
    return (kind,) if kind else () if name[0].isdigit() else ("Person",)


@pytest.fixture(scope="module")
def museums(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("museums"), facts_of(MUSEUMS))
    yield graph
    graph.services.close()


def dated(start: str, end: str, precision: str = "day", source: str = "A", target: str = "B") -> Fact:
    """A fact whose dates are given as finely as `precision`."""
    one = facts_of([(source, "holds", target, start, end)])[0]
    return replace(one, valid_at_precision=precision, invalid_at_precision=precision)


@pytest.mark.parametrize(
    ("name", "value", "unit"),
    [
        ("950,000 guests", 950_000, "guest"),
        ("1.2 million guests", 1_200_000, "guest"),
        ("$4bn", 4_000_000_000, "$"),
        ("87", 87, ""),
    ],
)
def test_a_figure_is_read_with_its_scale_and_its_unit(name: str, value: float, unit: str) -> None:
    figure = figure_of(name)
    assert figure is not None
    assert (figure.value, figure.unit) == (value, unit)


def test_an_empty_name_is_no_figure() -> None:
    assert not is_of_figures([""])
    assert not is_of_figures(["12 ships", " "])


def test_the_greatest_figure_is_that_of_the_greatest_value(museums: Graph) -> None:
    answer = museums.ask("Which museum is visited by the most guests?")
    assert "Basalt House" in answer.text
    assert "Amber Hall" not in answer.text


def test_figures_of_different_units_are_not_ranked(museums: Graph) -> None:
    answer = museums.ask("Which museum measures the most?")
    assert answer.declined
    assert "different units" in answer.text


def test_terms_that_overlap_count_once() -> None:
    until = datetime(2020, 1, 1, tzinfo=UTC)
    twice = [dated("2001-01-01", "2006-01-01"), dated("2003-01-01", "2007-01-01")]
    once = [dated("2001-01-01", "2007-01-01")]
    assert held_for(twice, until) == held_for(once, until)


def test_overlapping_terms_do_not_make_the_longest(museums: Graph) -> None:
    assert "Noor Vance" in museums.ask("Who curated Amber Hall for the longest?").text.split(".")[0]


def test_years_leave_open_which_of_two_was_longer() -> None:
    until = datetime(2020, 1, 1, tzinfo=UTC)
    one = dated("2001-01-01", "2004-01-01", "year", source="A")
    two = dated("2004-06-01", "2007-09-01", "day", source="C")
    assert longest([one, two], "source", until, shortest=False) == []
    assert longest([one, dated("2005-01-01", "2015-01-01", "year", source="C")], "source", until, shortest=True) == [
        one
    ]


def test_a_start_within_a_year_is_neither_before_nor_after_a_day_of_it() -> None:
    assert extreme_of({"a": Range(0, 10), "b": Range(5, 5)}, greatest=False) == []
    assert extreme_of({"a": Range(0, 4), "b": Range(5, 5)}, greatest=False) == ["a"]
    assert extreme_of({"a": Range(5, 5), "b": Range(5, 5)}, greatest=True) == ["a", "b"]


def test_a_ranking_says_how_many_of_what_it_counts_have_no_date(museums: Graph) -> None:
    answer = museums.ask("Who curates the most museums?")
    assert "Noor Vance curates 2 museums, 1 of them undated." in answer.text


def test_two_of_one_name_are_ranked_apart(tmp_path: Path) -> None:
    facts = facts_of(
        [
            ("Kim Hart", "curates", "Amber Hall", "2001-01-01", ""),
            ("Kim Hart", "curates", "Copper Loft", "2001-01-01", ""),
            ("Lena Moss", "curates", "Dune House", "2001-01-01", ""),
            ("Lena Moss", "curates", "Elm House", "2001-01-01", ""),
        ]
    )
    facts[1] = replace(facts[1], source_uuid="another Kim Hart")
    graph = opened(tmp_path, facts)
    text = graph.ask("Who curates the most museums?").text
    graph.services.close()
    assert "Lena Moss curates 2 museums" in text
    assert "Kim Hart" not in text


def many(number: int) -> list[Row]:
    return [
        (f"Curator {chr(65 + n // 26)}{chr(97 + n % 26)}", "curates", f"Room {n}-{k} Hall", "2001-01-01", "")
        for n in range(number)
        for k in range(3)
    ]


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("crowded"), facts_of(many(90)))
    yield graph
    graph.services.close()


def calls_for(graph: Graph, question: str) -> tuple[str, int]:
    """The answer, and how many calls it took."""
    made: list[str] = []
    toolbox = Toolbox(
        Context(graph.services.workspace(W), None, None), TOOLS.values(), lambda call: made.append(call.id)
    )
    return Analyst().answer(Asked(question), toolbox).text, len(set(made))


def test_more_than_some_number_asks_a_few_names_and_no_more(crowded: Graph) -> None:
    text, calls = calls_for(crowded, "Who curates more than two museums?")
    assert calls <= 61
    assert text.startswith(("There is no single answer", "The question compares more than 60"))


def test_a_relation_that_was_cut_is_not_ranked(museums: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.tools.fact_tools.MOST_LISTED", 2)
    answer = museums.ask("Which museum is visited by the most guests?")
    assert answer.declined
    assert "too many to compare" in answer.text


def test_a_long_question_is_declined_plainly_with_few_calls(museums: Graph) -> None:
    text, calls = calls_for(museums, "Who curates the museum that Ida Lund curated and " * 222 + "Amber Hall?")
    assert text == f"The question is longer than {LONGEST} words."
    assert calls == 0


def test_the_ways_to_take_a_question_apart_are_bounded(museums: Graph) -> None:
    lexicon = build(museums.services.workspace(W).mirror, Synonyms())
    question = "Who curates the museum of the curator of the museum " * 40
    asked: list[QueryPlan] = []
    composer = Composer(lexicon, clock.now(), lambda plan: asked.append(plan) or pytest.fail("looked up"))
    assert list(compositions(parse_question(question, lexicon, clock.now()))) == []
    assert composer.compose(question) is None
    assert asked == []
