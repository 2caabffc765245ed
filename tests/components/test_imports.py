"""Which modules of services components and pages import."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPEN = ("services.cached", "services.core.", "services.context", "services.language.")


def _imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("services"):
            yield from ((node.module, alias.name) for alias in node.names)


def test_components_import_only_what_packages_of_services_offer() -> None:
    paths = [path for folder in ("components", "pages") for path in (ROOT / folder).rglob("*.py")]
    imported = {found for path in paths for found in _imported(path)}
    assert len(imported) > 100
    closed = {(module, name) for module, name in imported if not f"{module}.{name}.".startswith(OPEN)}
    assert {found for found in closed if found[1] not in getattr(import_module(found[0]), "__all__", ())} == set()
