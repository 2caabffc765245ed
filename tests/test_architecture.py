"""The rules of the house, held by a machine."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("services", "components", "pages", "benchmarks", "demo", "tools")
SOURCES = [*sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")), ROOT / "app.py", ROOT / "cli.py"]

OWNERS = {
    "graphiti_core": "services/graph/",
    "falkordb": "services/graph/",
    "redis": "services/graph/",
    "neo4j": "services/graph/",
    "duckdb": "services/mirror/",
    "markdown_it": "services/ingestion/",
    "html_to_markdown": "services/ingestion/",
    "sqlalchemy": "services/accounts/",
    "anthropic": "services/agent/",
    "rapidfuzz": "services/agent/",
    "structlog": "services/",
    "opentelemetry": "services/",
    "alembic": "services/accounts/",
    "pwdlib": "services/accounts/",
    "onnxruntime": "services/retrieval/",
    "tokenizers": "services/retrieval/",
    "Stemmer": "services/retrieval/",
    "scipy": "services/retrieval/",
    "sklearn": "services/retrieval/",
    "pyvis": "components/graph_view/",
    "rustworkx": "components/graph_view/",
}
"""Each foreign library has one importing package, so that its types and its faults stop there."""


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_services_can_be_imported_without_streamlit() -> None:
    code = "import sys, services.bootstrap, services.commands; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_each_foreign_library_is_imported_by_its_owner_only(path: Path) -> None:
    if _name(path).startswith("benchmarks/"):
        return
    strangers = {
        imported for imported in _imports(path) if not _name(path).startswith(OWNERS.get(imported.split(".")[0], ""))
    }
    assert strangers == set()


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_dependencies_point_from_pages_to_components_to_services(path: Path) -> None:
    name, imported = _name(path), set(_imports(path))
    tops = {i.split(".")[0] for i in imported}
    if name.startswith("services/"):
        assert not tops & {"components", "pages"}
        assert "streamlit" not in tops or name == "services/cached.py"
    if name.startswith("components/"):
        assert "pages" not in tops
    if name.startswith("pages/"):
        foreign = {i for i in imported if i.startswith(("services.graph", "services.mirror"))}
        assert not foreign, "a page asks services.cached and services.models, not the stores"


@pytest.mark.parametrize("path", [p for p in SOURCES if _name(p).startswith(("pages/", "components/"))], ids=_name)
def test_session_and_address_are_touched_by_one_module(path: Path) -> None:
    if _name(path) != "components/state.py":
        assert not re.search(r"st\.(session_state|query_params)", path.read_text())


@pytest.mark.parametrize("path", [p for p in SOURCES if _name(p).startswith("pages/")], ids=_name)
def test_no_page_speaks_a_query_language(path: Path) -> None:
    assert not re.search(r"\b(MATCH \(|UNWIND |SELECT .* FROM )", path.read_text())


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_function_is_longer_than_60_lines(path: Path) -> None:
    functions = [
        n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [f.name for f in functions if (f.end_lineno or 0) - f.lineno >= 60] == []


def test_every_setting_stands_in_the_readme_and_in_no_other_place() -> None:
    from services.config import Settings, variable

    variables = {variable(name) for name in Settings.model_fields}
    assert variables <= set(re.findall(r"`((?:ASOF|ANTHROPIC)_[A-Z_]+)`", (ROOT / "README.md").read_text()))
    for path in SOURCES:
        if path.parts[-2] == "services" and _name(path) != "services/config.py":
            assert "os.environ" not in path.read_text(), _name(path)


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
