"""Packages offer names that are imported when they are asked for."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
OFFERING = [
    ".".join(init.relative_to(ROOT).parent.parts)
    for init in sorted((ROOT / "services").rglob("__init__.py"))
    if "core.lazy" in init.read_text()
]


@pytest.mark.parametrize("package", OFFERING)
def test_a_package_gives_each_name_that_it_offers(package: str) -> None:
    offered = import_module(package)
    assert [name for name in offered.__all__ if not hasattr(offered, name)] == []


@pytest.mark.parametrize("package", OFFERING)
def test_a_name_from_a_module_is_not_the_name_of_another_module(package: str) -> None:
    init = ROOT / package.replace(".", "/") / "__init__.py"
    modules = {path.stem for path in init.parent.iterdir()}
    imports = [node for node in ast.walk(ast.parse(init.read_text())) if isinstance(node, ast.ImportFrom)]
    offered = {alias.name for node in imports if node.module != package for alias in node.names}
    assert offered & modules == set()


def test_a_name_that_is_not_offered_is_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute"):
        _ = import_module("services.writing").nothing_of_that_name


@pytest.mark.slow
def test_importing_the_packages_imports_no_module_of_theirs() -> None:
    code = f"import sys, {', '.join(OFFERING)}; print(*(m for m in sys.modules if m.startswith('services.')))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert set(ran.stdout.split()) == {*OFFERING, "services.core", "services.core.lazy"}
