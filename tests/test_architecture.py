"""The rules of the house, held by a machine."""

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("services", "components", "pages", "benchmarks", "demo", "tools")
SOURCES = [*sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")), ROOT / "app.py", ROOT / "cli.py"]
TESTS = sorted((ROOT / "tests").rglob("*.py"))

OWNERS = {
    "graphiti_core": "services/graph/",
    "falkordb": "services/graph/",
    "redis": "services/graph/",
    "neo4j": "services/graph/",
    "pytz": "services/graph/",
    "threadpoolctl": "services/extraction/",
    "duckdb": "services/mirror/",
    "markdown_it": "services/documents/",
    "html_to_markdown": "services/documents/",
    "sqlalchemy": "services/accounts/",
    "anthropic": "services/llm/",
    "rapidfuzz": "services/analyst/",
    "structlog": "services/",
    "opentelemetry": "services/",
    "alembic": "services/accounts/",
    "pwdlib": "services/accounts/",
    "onnxruntime": "services/retrieval/",
    "tokenizers": "services/retrieval/",
    "Stemmer": "services/retrieval/",
    "scipy": "services/retrieval/",
    "sklearn": "services/retrieval/",
    "spacy": "services/extraction/",
    "kreuzberg": "services/documents/",
    "pypdf": "services/documents/",
    "trafilatura": "services/documents/",
    "protego": "services/web/",
    "httpcore": "services/web/",
    "pyvis": "components/graph_view/",
    "rustworkx": "components/graph_view/",
}
"""Each foreign library has one importing package, so that its types and its faults stop there."""


@dataclass(frozen=True)
class Source:
    """What the rules ask of a file: its name from the root, its text, what it imports, and its functions' lengths."""

    name: str
    text: str
    imported: frozenset[str]
    functions: tuple[tuple[str, int], ...]


def _read(path: Path) -> Source:
    text, imported, functions = path.read_text(), set[str](), list[tuple[str, int]]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append((node.name, (node.end_lineno or 0) - node.lineno + 1))
    return Source(path.relative_to(ROOT).as_posix(), text, frozenset(imported), tuple(functions))


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """Every file of ours that is not a test, read once for all rules."""
    return [_read(path) for path in SOURCES]


def _tops(source: Source) -> set[str]:
    return {imported.split(".")[0] for imported in source.imported}


def _under(sources: list[Source], *folders: str) -> list[Source]:
    return [source for source in sources if source.name.startswith(folders)]


@pytest.mark.slow
def test_services_can_be_imported_without_streamlit() -> None:
    code = "import sys, services.bootstrap, services.commands; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.slow
def test_each_foreign_library_is_imported_by_its_owner_only(sources: list[Source]) -> None:
    strangers = {
        (source.name, imported)
        for source in sources
        for imported in source.imported
        if not source.name.startswith(("benchmarks/", "tools/train_reader/", OWNERS.get(imported.split(".")[0], "")))
    }
    assert strangers == set()


def test_services_import_no_component_and_no_page(sources: list[Source]) -> None:
    upward = {s.name for s in _under(sources, "services/") if _tops(s) & {"components", "pages"}}
    assert upward == set()


def test_one_service_knows_streamlit(sources: list[Source]) -> None:
    knowing = {s.name for s in _under(sources, "services/") if "streamlit" in _tops(s)}
    assert knowing <= {"services/cached.py"}


def test_components_import_no_page(sources: list[Source]) -> None:
    assert {s.name for s in _under(sources, "components/") if "pages" in _tops(s)} == set()


def test_a_page_asks_the_services_and_not_the_stores(sources: list[Source]) -> None:
    stores = ("services.graph", "services.mirror")
    foreign = {(s.name, i) for s in _under(sources, "pages/") for i in s.imported if i.startswith(stores)}
    assert foreign == set(), "a page asks services.cached and services.models"


def test_session_and_address_are_touched_by_one_module(sources: list[Source]) -> None:
    touching = {
        s.name
        for s in _under(sources, "pages/", "components/")
        if re.search(r"st\.(session_state|query_params)", s.text)
    }
    assert touching <= {"components/state.py"}


def test_no_page_speaks_a_query_language(sources: list[Source]) -> None:
    query = re.compile(r"\b(MATCH \(|UNWIND |SELECT .* FROM )")
    assert {s.name for s in _under(sources, "pages/") if query.search(s.text)} == set()


def test_no_file_is_longer_than_400_lines(sources: list[Source]) -> None:
    assert {s.name for s in sources if len(s.text.splitlines()) > 400} == set()


def test_no_function_is_longer_than_60_lines(sources: list[Source]) -> None:
    assert {(s.name, name) for s in sources for name, lines in s.functions if lines > 60} == set()


def test_every_setting_stands_in_the_readme_and_in_no_other_place() -> None:
    from services.core.config import Settings, variable

    variables = {variable(name) for name in Settings.model_fields}
    assert variables <= set(re.findall(r"`((?:ASOF|ANTHROPIC)_[A-Z_]+)`", (ROOT / "README.md").read_text()))
    for path in SOURCES:
        if path.parts[-2] == "services" and path.name != "config.py":
            assert "os.environ" not in path.read_text(), path.name


def test_no_torch_is_among_the_requirements() -> None:
    assert not re.search(r"(?m)^(torch|nvidia)", (ROOT / "requirements.txt").read_text())


def test_every_requirement_is_pinned() -> None:
    lines = [
        line
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line and not line.startswith((" ", "#"))
    ]
    assert lines
    assert [line for line in lines if "==" not in line] == []


def test_names_of_tests_have_at_most_80_characters() -> None:
    named = {name for path in TESTS for name in re.findall(r"def (test_\w+)", path.read_text())}
    assert {name for name in named if len(name) > 80} == set()


def test_tests_of_services_mirror_its_packages() -> None:
    packages, mirrored = (_packages(ROOT / folder) for folder in ("services", "tests/services"))
    assert mirrored - packages == set(), "these folders of tests belong to no package"
    assert {package for package in packages if "/" not in package} - mirrored == set(), "these packages have no tests"


def _packages(folder: Path) -> set[str]:
    return {path.parent.relative_to(folder).as_posix() for path in folder.rglob("*/__init__.py")}
