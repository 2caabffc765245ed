"""The rules of the house, held by a machine."""

import re
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path

import pytest
from vulture import Vulture

from services.documents.file_types import FILE_TYPES
from tests.codebase import PRODUCT, ROOT, Source, circles, imports, package, read, words

LADDER = """
    bootstrap
    cached
    api
    commands
    mcp
    workflows
    agent
    analyst
    tools
    jobs
    proposals
    writing
    extraction
    sql web tables documents queries verification memory
    context
    retrieval mirror
    accounts graph llm
    language
    core
"""
"""The packages of services from top to bottom: each imports those below it, and in one row the left the right."""

RANKS = {f"services.{name}": rank for rank, name in enumerate(LADDER.split())}

WIRED = ("app.py", "cli.py", "components/shell.py", "tools/", "benchmarks/", "demo/", "services/bootstrap.py")
"""Who may import `services.bootstrap`, beside tests: the entries, which build what the rest is handed."""

OWNERS: dict[str, str | tuple[str, ...]] = {
    "graphiti_core": "services/graph/",
    "falkordb": "services/graph/",
    "redis": "services/graph/",
    "neo4j": "services/graph/",
    "pytz": "services/graph/",
    "threadpoolctl": "services/extraction/",
    "duckdb": ("services/mirror/", "services/sql/"),
    "sqlglot": "services/sql/",
    "markdown_it": "services/documents/",
    "html_to_markdown": "services/documents/",
    "sqlalchemy": "services/accounts/",
    "anthropic": "services/llm/",
    "rapidfuzz": "services/analyst/",
    "structlog": "services/",
    "opentelemetry": "services/",
    "alembic": "services/accounts/",
    "pwdlib": "services/accounts/",
    "joserfc": "services/accounts/",
    "mcp": "services/mcp/",
    "mcp_types": "services/mcp/",
    "onnxruntime": "services/retrieval/",
    "tokenizers": "services/retrieval/",
    "Stemmer": "services/language/",
    "scipy": "services/retrieval/",
    "sklearn": "services/retrieval/",
    "spacy": "services/extraction/",
    "kreuzberg": "services/documents/",
    "pypdf": "services/documents/",
    "trafilatura": "services/documents/",
    "protego": "services/web/",
    "langgraph": "services/workflows/",
    "langsmith": "services/workflows/",
    "simpleeval": "services/workflows/",
    "httpcore": "services/web/",
    "pyvis": "components/graph_view/",
    "rustworkx": "components/graph_view/",
}
"""Each foreign library has one importing package, so that its types and its faults stop there; the graph's rows and the
tables beside them are both DuckDB's."""

FIGURES_OF_SPEECH = {"told", "said", "deed", "deeds", "hands", "ear", "desk", "odds"}
"""Words that are no part of a name: they are the metaphors of one author, and nobody searches for them."""

READ_BY_LIBRARIES = {
    "services/documents/landlock.py",
    "services/documents/pdf_library.py",
    "services/graph/graphiti_extraction.py",
    "services/graph/graphiti_extraction_parts.py",
    "services/workflows/langgraph_library.py",
}
"""Files that set or hide variables which a foreign library reads; Asof's own are settings."""

CALLED_BY_OTHERS = [
    "process_bind_param",  # SQLAlchemy's TypeDecorator
    "process_result_value",
    "retrieve_episodes",  # graphiti-core calls what follows on our subclasses of its own
    "_extract_and_resolve_edges",
    "_process_episode_data",
    "generate_response",
    "_generate_response",
    "node_similarity_search",
    "node_get_by_names",
    "clone",
    "_eval_attribute",  # simpleeval's reader of expressions
]


@pytest.fixture(scope="module")
def product() -> list[Source]:
    """Every file that runs in production, read once for all rules."""
    return read(*PRODUCT, "app.py", "cli.py")


@pytest.fixture(scope="module")
def sources(product: list[Source]) -> list[Source]:
    """Every file of ours that is not a test."""
    return [*product, *read("benchmarks", "demo", "tools", "training")]


def _under(sources: list[Source], *folders: str) -> list[Source]:
    return [source for source in sources if source.name.startswith(folders)]


def test_a_package_imports_only_packages_below_it(product: list[Source]) -> None:
    ties = {(a, b) for a, b in imports(product) if package(a) != package(b)}
    assert {package(module) for tie in ties for module in tie if module.startswith("services.")} <= set(RANKS)
    upward = {f"{a} -> {b}" for a, b in ties if RANKS.get(package(a), -1) > RANKS.get(package(b), len(RANKS))}
    assert upward == set()


def test_no_modules_import_each_other_in_a_circle(product: list[Source]) -> None:
    ties = imports(product)
    assert circles(ties) == []
    assert circles({(package(a), package(b)) for a, b in ties if package(a) != package(b)}) == []


def test_services_import_no_component_and_no_page(product: list[Source]) -> None:
    assert {s.name for s in _under(product, "services/") if s.foreign & {"components", "pages"}} == set()


def test_components_import_no_page(product: list[Source]) -> None:
    assert {s.name for s in _under(product, "components/") if "pages" in s.foreign} == set()


def test_only_the_entries_import_the_wiring(sources: list[Source]) -> None:
    assert {a for a, b in imports(sources) if b == "services.bootstrap"} <= {s.module for s in _under(sources, *WIRED)}


def test_components_import_what_packages_offer(product: list[Source]) -> None:
    open_to_all = ("services.cached.", "services.core.", "services.context.", "services.bootstrap.")
    deep = {
        (source.name, name)
        for source in _under(product, "components/", "pages/")
        for name in source.imported
        if name.startswith("services.")
        and not f"{name}.".startswith(open_to_all)
        and name.rpartition(".")[2] not in getattr(import_module(name.rpartition(".")[0]), "__all__", ())
    }
    assert deep == set()


def test_at_most_three_modules_of_services_stand_alone() -> None:
    assert len([p for p in (ROOT / "services").glob("*.py") if p.stem != "__init__"]) <= 3


def test_services_can_be_imported_without_streamlit() -> None:
    code = "import sys, services.bootstrap, services.commands; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_each_foreign_library_is_imported_by_its_owner_only(sources: list[Source]) -> None:
    elsewhere = {
        (source.name, library)
        for source in sources
        for library in source.foreign & set(OWNERS)
        if not source.name.startswith(("benchmarks/", "training/")) and not source.name.startswith(OWNERS[library])
    }
    assert elsewhere == set()


def test_one_service_knows_streamlit(product: list[Source]) -> None:
    assert {s.name for s in _under(product, "services/") if "streamlit" in s.foreign} <= {"services/cached.py"}


def test_session_and_address_are_touched_by_one_module(product: list[Source]) -> None:
    pages = _under(product, "pages/", "components/")
    assert {s.name for s in pages if re.search(r"st\.(session_state|query_params)", s.text)} <= {"components/state.py"}


def test_no_page_speaks_a_query_language(product: list[Source]) -> None:
    query = re.compile(r"\b(MATCH \(|UNWIND |SELECT .* FROM )")
    assert {s.name for s in _under(product, "pages/") if query.search(s.text)} == set()


def test_modules_named_in_strings_exist(sources: list[Source]) -> None:
    every = [*sources, *read("tests")]
    modules = {source.module for source in every}
    script = re.compile(r"(?m)^\s*from ((?:services|components|tests)[\w.]*) import (\w+)")
    missing = {
        (source.name, module)
        for source in every
        for text in source.strings()
        for module, name in script.findall(text)
        if module not in modules and f"{module}.{name}" not in modules
    }
    assert missing == set()


def test_every_function_has_a_caller_that_is_no_test() -> None:
    finder = Vulture(ignore_names=CALLED_BY_OTHERS)
    finder.scavenge(
        [str(ROOT / name) for name in (*PRODUCT, "app.py", "cli.py", "tools", "benchmarks", "demo", "training")]
    )
    named = {type.reader.rpartition(":")[2] for type in FILE_TYPES}
    kinds = {"function", "method", "class", "property"}
    unused = {(str(one.filename), one.name) for one in finder.get_unused_code(min_confidence=60) if one.typ in kinds}
    assert {(file, name) for file, name in unused if name not in named} == set()


def test_names_hold_no_figure_of_speech(sources: list[Source]) -> None:
    named = {(s.name, name) for s in sources for name in s.identifiers() if words(name) & FIGURES_OF_SPEECH}
    assert named == set()


def test_no_two_public_classes_share_a_name(sources: list[Source]) -> None:
    places = defaultdict(set)
    for source in sources:
        for name in source.public_classes():
            places[name].add(source.name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_a_file_stem_stands_at_most_twice_in_services(product: list[Source]) -> None:
    stems = Counter(Path(source.name).stem for source in _under(product, "services/"))
    assert {stem for stem, count in stems.items() if count > 2 and stem != "__init__"} == set()


def test_no_file_is_longer_than_400_lines(sources: list[Source]) -> None:
    assert {s.name for s in sources if len(s.text.splitlines()) > 400} == set()


def test_functions_are_short(product: list[Source]) -> None:
    lengths = sorted((lines, name, s.name) for s in product for name, lines in s.functions())
    assert lengths[-1][0] <= 60, lengths[-1]
    assert statistics.median(lines for lines, *_ in lengths) <= 7
    assert lengths[len(lengths) * 9 // 10][0] <= 18


def test_the_formatter_lays_out_the_code(sources: list[Source]) -> None:
    assert sum(s.text.count("# fmt: skip") for s in sources) <= 50


def test_every_setting_is_in_the_guide_and_is_read_in_no_other_place(product: list[Source]) -> None:
    from services.core.config import Settings, variable

    variables = {variable(name) for name in Settings.model_fields}
    guide = (ROOT / "docs/guide/settings.md").read_text()
    assert variables <= set(re.findall(r"`((?:ASOF|ANTHROPIC)_[A-Z_]+)`", guide))
    assert {s.name for s in _under(product, "services/") if "os.environ" in s.text} <= READ_BY_LIBRARIES


def test_no_torch_is_among_the_requirements() -> None:
    assert not re.search(r"(?m)^(torch|nvidia)", (ROOT / "requirements.txt").read_text())


def test_every_requirement_is_pinned() -> None:
    pins = re.findall(r"(?m)^[^ #].*", (ROOT / "requirements.txt").read_text())
    assert pins
    assert [line for line in pins if "==" not in line] == []


def test_names_of_tests_have_at_most_80_characters() -> None:
    names = {name for source in read("tests") for name, _ in source.functions() if name.startswith("test_")}
    assert {name for name in names if len(name) > 80} == set()


def test_tests_of_what_users_see_name_no_class_of_the_stylesheet() -> None:
    texts = [source.text for folder in ("pages", "components", "browser") for source in read(f"tests/{folder}")]
    classes = set(re.findall(r"\.(a-[a-z-]+)", (ROOT / "components/asof.css").read_text()))
    assert {word for text in texts for word in re.findall(r"\ba-[a-z-]+", text)} & classes == set()
    assert not any('class="' in text for text in texts)


def test_tests_of_services_mirror_its_packages() -> None:
    packages, mirrored = (_packages(ROOT / folder) for folder in ("services", "tests/services"))
    assert mirrored - packages == set(), "these folders of tests belong to no package"
    assert {package for package in packages if "/" not in package} - mirrored == set(), "these packages have no tests"


def _packages(folder: Path) -> set[str]:
    return {path.parent.relative_to(folder).as_posix() for path in folder.rglob("*/__init__.py")}
