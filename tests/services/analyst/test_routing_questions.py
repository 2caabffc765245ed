"""Sixty written questions, and the tool that the analyst looks each up with; it declines what it has no tool for."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.analyst.analyst import Analyst
from services.core.answer_records import Asked
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.services.analyst.conftest import Graph, Row, opened
from tests.services.retrieval.conftest import W

_FILE = Path(__file__).parent / "data" / "routing.jsonl"
QUESTIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]

TYPES = {
    "PEP": ("PEP 1", "PEP 8", "PEP 20", "PEP 289", "PEP 308", "PEP 484", "PEP 572", "PEP 3107"),
    "Status": ("Draft", "Accepted", "Final", "Active"),
    "Person": ("Guido van Rossum", "Barry Warsaw", "Ada Lindqvist", "Tomas Berg", "Doctor Osei", "Nora Vik"),
    "Company": ("Norvik Shipping", "Labs"),
    "Vessel": ("Aurora", "Freya"),
    "Fleet": ("Baltic fleet",),
    "Bridge": ("Meridian bridge",),
    "City": ("Lund",),
    "Clinic": ("the clinic",),
    "Authority": ("port authority",),
    "Version": ("Python 3.5",),
    "Service": ("auth service", "payment gateway"),
}
ROWS: tuple[Row, ...] = (
    ("PEP 1", "AUTHORED_BY", "Barry Warsaw", "2000-06-13", ""),
    ("PEP 8", "AUTHORED_BY", "Barry Warsaw", "2001-07-05", ""),
    ("PEP 8", "HAS_STATUS", "Active", "2001-07-05", ""),
    ("PEP 20", "AUTHORED_BY", "Barry Warsaw", "2004-08-19", ""),
    ("PEP 289", "HAS_STATUS", "Accepted", "2002-01-30", ""),
    ("PEP 308", "HAS_STATUS", "Draft", "2003-02-07", "2005-09-01"),
    ("PEP 308", "HAS_STATUS", "Final", "2005-09-01", ""),
    ("PEP 484", "AUTHORED_BY", "Guido van Rossum", "2014-09-29", ""),
    ("PEP 484", "HAS_DELEGATE", "Barry Warsaw", "2014-10-01", ""),
    ("PEP 484", "HAS_STATUS", "Draft", "2014-09-29", "2015-05-22"),
    ("PEP 484", "HAS_STATUS", "Accepted", "2015-05-22", "2022-03-04"),
    ("PEP 484", "HAS_STATUS", "Final", "2022-03-04", ""),
    ("PEP 484", "TARGETS_VERSION", "Python 3.5", "2014-09-29", ""),
    ("PEP 572", "HAS_STATUS", "Draft", "2018-02-28", "2019-02-26"),
    ("PEP 572", "HAS_STATUS", "Final", "2019-02-26", ""),
    ("PEP 3107", "HAS_STATUS", "Draft", "2006-12-02", "2007-05-01"),
    ("PEP 3107", "HAS_STATUS", "Final", "2007-05-01", ""),
    ("Tomas Berg", "CHIEF_EXECUTIVE_OF", "Norvik Shipping", "2012-01-01", "2018-01-01"),
    ("Nora Vik", "CHIEF_EXECUTIVE_OF", "Norvik Shipping", "2018-01-01", ""),
    ("Ada Lindqvist", "WORKS_FOR", "Norvik Shipping", "2010-01-01", "2016-01-01"),
    ("Ada Lindqvist", "WORKS_FOR", "Labs", "2016-01-01", ""),
    ("Aurora", "BELONGS_TO", "Baltic fleet", "2005-01-01", ""),
    ("Freya", "BELONGS_TO", "Baltic fleet", "2009-01-01", ""),
    ("Tomas Berg", "RUNS", "the clinic", "2001-01-01", "2011-01-01"),
    ("Doctor Osei", "RUNS", "the clinic", "2011-01-01", ""),
    ("Tomas Berg", "MAYOR_OF", "Lund", "1998-01-01", "2004-01-01"),
    ("Meridian bridge", "BUILT_BY", "Norvik Shipping", "1999-01-01", ""),
    ("Doctor Osei", "ADVISES", "port authority", "2015-01-01", ""),
    ("payment gateway", "DEPENDS_ON", "auth service", "2019-01-01", ""),
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = opened(tmp_path_factory.mktemp("routing"), TYPES, ROWS)
    yield graph
    graph.services.close()


def test_there_are_sixty_questions_and_each_tool_of_the_analyst_has_several() -> None:
    assert len({one["question"] for one in QUESTIONS}) == 60
    wanted = Counter(one["tool"] for one in QUESTIONS)
    assert set(wanted) == {"facts_at", "get_entity_history", "compare_times", "find_path", "search_knowledge", ""}
    assert min(wanted.values()) >= 2


@pytest.mark.parametrize("one", QUESTIONS, ids=lambda one: one["question"])
def test_the_analyst_looks_a_question_up_with_the_tool_that_it_wants(world: Graph, one: dict[str, str]) -> None:
    toolbox = Toolbox(Context(world.services.workspace(W), None, None), TOOLS.values())
    answer = Analyst().answer(Asked(one["question"], None, None), toolbox)
    assert next((call.tool for call in toolbox.calls), "") == one["tool"]
    assert answer.declined or one["tool"]
