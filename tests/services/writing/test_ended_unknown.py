"""Facts of which a row says that they have ended, but not when; and dates that rows give more exactly."""

from services.core import time_rule
from services.core.models import STATEMENTS, Instants
from tests.services.writing.imports import NOW, Graph, row, year


def holds(graph: Graph, as_of: int, known_at: int) -> bool:
    return time_rule.true_at(graph.fact, Instants(year(as_of), year(known_at)))


def test_a_new_fact_that_has_ended_is_recorded_with_its_end_unknown():
    graph = Graph()
    assert graph.take(row(2010, ended_unknown=True)) == ["new"]
    fact = graph.fact
    assert (fact.created_at, fact.expired_at, fact.invalid_at) == (year(2010), year(2010), None)
    assert fact.ended_unknown
    assert STATEMENTS not in fact.attributes
    assert not holds(graph, 2011, 2012)
    assert holds(graph, 2009, 2012)


def test_a_fact_without_a_start_that_has_ended_is_not_listed_as_undated():
    graph = Graph()
    graph.take(row(None, start=None, ended_unknown=True))
    assert not time_rule.undated(graph.fact, Instants(NOW, NOW))


def test_an_open_fact_is_open_to_who_asks_before_its_end_was_learned():
    graph = Graph()
    graph.take(row(2008))
    assert graph.take(row(2010, ended_unknown=True)) == ["change"]
    assert (graph.fact.created_at, graph.fact.expired_at) == (year(2008), year(2010))
    assert holds(graph, 2012, 2009)
    assert not holds(graph, 2012, 2010)


def test_a_row_without_a_record_time_ends_the_fact_now():
    graph = Graph()
    graph.take(row(2008))
    graph.take(row(None, ended_unknown=True))
    assert graph.fact.expired_at == NOW


def test_that_a_fact_has_ended_is_no_news_where_its_end_is_known():
    graph = Graph()
    graph.take(row(2008, 2009))
    assert graph.take(row(2010, ended_unknown=True)) == ["unchanged"]
    assert not graph.fact.ended_unknown


def test_an_end_that_becomes_known_corrects_the_record():
    graph = Graph()
    graph.take(row(2008, ended_unknown=True))
    assert graph.take(row(2010, 2007, invalid_at_precision="year")) == ["correction"]
    assert graph.ends(2009) == [year(2008)]
    assert graph.ends(2010) == [year(2007)]
    assert [fact.ended_unknown for fact in graph.facts] == [True, False]


def test_a_correction_of_something_else_leaves_the_end_unknown():
    graph = Graph()
    graph.take(row(2008, ended_unknown=True, attributes={"role": "cook"}))
    graph.take(row(2010, attributes={"role": "chef"}))
    newer = next(fact for fact in graph.facts if fact.withdrawn_at is None)
    assert newer.ended_unknown
    assert graph.ends(2010) == [year(2008)]


def test_a_row_may_say_that_a_fact_had_ended_by_a_date():
    graph = Graph()
    graph.take(row(2010, 2008, ended_unknown=True))
    assert (graph.fact.invalid_at, graph.fact.expired_at, graph.fact.ended_unknown) == (year(2008), None, True)


def test_a_record_with_times_of_its_own_keeps_them():
    graph = Graph()
    graph.take(row(2008, expired_at=year(2010), ended_unknown=True))
    assert (graph.fact.created_at, graph.fact.expired_at, graph.fact.ended_unknown) == (year(2008), year(2010), True)


def test_the_finest_that_was_said_of_a_start_is_kept_in_any_order():
    graph = Graph()
    graph.take(row(2008, valid_at_precision="year"))
    assert graph.take(row(2009, valid_at_precision="month")) == ["source"]
    assert graph.take(row(2007)) == ["correction"] or graph.fact.valid_at_precision == "month"
    assert {fact.valid_at_precision for fact in graph.facts} == {"month"}


def test_a_file_that_is_read_again_gives_its_dates_the_precision_that_they_lacked():
    graph = Graph()
    graph.take(row(2008, 2009))
    precise = row(2008, 2009, valid_at_precision="year", invalid_at_precision="year")
    assert graph.take(precise) == ["source"]
    assert (graph.fact.valid_at_precision, graph.fact.invalid_at_precision) == ("year", "year")
    assert graph.take(precise) == graph.take(row(2008, 2009)) == ["unchanged"]
