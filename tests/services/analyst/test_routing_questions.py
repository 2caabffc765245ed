"""Sixty written questions, and the tool that each of them wants."""

import json
from pathlib import Path

import pytest

from services.analyst.routing import tool_for
from services.tools import feeding
from services.tools.registry import TOOLS

_FILE = Path(__file__).parent / "data" / "routing.jsonl"
QUESTIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


_LOOKING_UP = {name for name, tool in TOOLS.items() if tool.run.__module__ != feeding.__name__}


def test_there_are_sixty_questions_and_each_tool_has_several() -> None:
    assert len({one["question"] for one in QUESTIONS}) == 60
    wanted = [one["tool"] for one in QUESTIONS]
    assert {tool: wanted.count(tool) for tool in _LOOKING_UP if wanted.count(tool) < 3} == {}
    assert set(wanted) == _LOOKING_UP


@pytest.mark.parametrize("one", QUESTIONS, ids=lambda one: one["question"])
def test_a_question_goes_to_the_tool_that_it_wants(one: dict[str, str]) -> None:
    assert tool_for(one["question"]) == one["tool"]
