"""The ways that docs/architecture.md describes are those of the code."""

import ast
import re
from functools import cache
from itertools import pairwise

import pytest

from tests.codebase import ROOT

STEP = re.compile(r"^\d+\. `([\w/]+\.py):([\w.]+)`", re.MULTILINE)
MOST_STEPS, MOST_FILES = 30, 15
Step = tuple[str, str]


def ways() -> dict[str, list[list[Step]]]:
    """The chains of each way by its heading; a paragraph between steps begins a new chain."""
    _, _, section = (ROOT / "docs/architecture.md").read_text().partition("\n## Ways through the code\n")
    section = section.partition("\n## ")[0]
    headings = re.split(r"(?m)^### ", section)[1:]
    return {
        heading.partition("\n")[0]: [chain for part in heading.split("\n\n") if (chain := STEP.findall(part))]
        for heading in headings
    }


@cache
def functions(file: str) -> dict[str, set[str]]:
    """Each function of a file, methods as `Class.method` too, with the names that it mentions."""
    found: dict[str, set[str]] = {}
    tree = ast.parse((ROOT / file).read_text())
    for node in ast.walk(tree):
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                found[prefix + inner.name] = _mentioned(inner)
        if isinstance(node, ast.ClassDef):
            found[node.name] = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found


def _mentioned(function: ast.AST) -> set[str]:
    nodes = list(ast.walk(function))
    return {n.id for n in nodes if isinstance(n, ast.Name)} | {n.attr for n in nodes if isinstance(n, ast.Attribute)}


def leads_to(file: str, mentioned: set[str], wanted: str) -> bool:
    """True when one of the mentioned functions of a file is the wanted one, or calls it by others of that file."""
    here, seen = functions(file), set[str]()
    reached = {name for name in here if name.rpartition(".")[2] in mentioned}
    while reached - seen:
        seen |= reached
        names = set().union(*(here[name] for name in reached))
        reached = reached | {name for name in here if name.rpartition(".")[2] in names}
    return wanted in reached


@pytest.mark.parametrize(("heading", "chains"), ways().items(), ids=list(ways()))
def test_each_step_of_a_way_calls_the_next(heading: str, chains: list[list[Step]]) -> None:
    steps = [step for chain in chains for step in chain]
    assert 0 < len(steps) <= MOST_STEPS
    assert len({file for file, _ in steps}) <= MOST_FILES
    assert [f"{file}:{name}" for file, name in steps if name not in functions(file)] == []
    broken = [
        f"{file}:{name} -> {next_file}:{next_name}"
        for chain in chains
        for (file, name), (next_file, next_name) in pairwise(chain)
        if file == next_file or not leads_to(next_file, functions(file)[name], next_name)
    ]
    assert broken == []


def test_the_four_ways_are_described() -> None:
    assert len(ways()) == 4


def section_of(file: str, heading: str) -> str:
    """What stands below a heading, up to the next one."""
    below = (ROOT / file).read_text().partition(f"\n{heading}\n")[2]
    return re.split(r"(?m)^#+ ", below)[0]


def test_each_package_of_services_has_a_line() -> None:
    lines = re.findall(r"(?m)^\| `([\w/]+)/`", section_of("docs/architecture.md", "### services/"))
    services = ROOT / "services"
    assert sorted(lines) == sorted(str(one.parent.relative_to(services)) for one in services.glob("*/**/__init__.py"))


def test_each_component_that_pages_share_is_listed() -> None:
    listed = re.findall(r"`(\w+\.py)`", section_of("docs/architecture.md", "### components/"))
    assert sorted(listed) == sorted(one.name for one in (ROOT / "components").glob("[a-z]*.py"))


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_each_test_that_holds_a_promise_exists() -> None:
    table = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")][1:]
    held = [NAMED_TEST.findall(row.split("|")[4]) for row in table]
    assert len(held) > 10
    assert [row.split("|")[1] for row, tests in zip(table, held, strict=True) if not tests] == []
    assert [f"{file}::{name}" for tests in held for file, name in tests if name not in functions(file)] == []


NAMED_IN_ROW = re.compile(r"`(tests/[\w/]+\.py|test_\w+)`")


def test_each_fault_names_tests_that_exist() -> None:
    files = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}
    known = {*files, *(name for text in files.values() for name in re.findall(r"(?m)^def (test_\w+)", text))}
    lines = (ROOT / "docs/reliability.md").read_text().splitlines()
    held = [line.split("|")[-2] for line in lines if re.match(r"\| (?!fault \|)", line)]
    named = [NAMED_IN_ROW.findall(cell) for cell in held]
    assert len(held) > 50
    assert [cell for cell, tests in zip(held, named, strict=True) if not tests and cell != " the same "] == []
    assert [name for tests in named for name in tests if name not in known] == []
