"""What a package offers to others, imported when somebody first asks for it."""

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def offers(package: str, init: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of `package`, whose `__init__.py` is at `init`.

    It offers what that file imports under `if TYPE_CHECKING:`, so that mypy sees each name. Importing the package
    imports none of it, so that one of its modules can be imported without the others.
    """

    @cache
    def load(name: str) -> Any:
        for node in ast.walk(ast.parse(Path(init).read_text())):
            if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
                if node.module == package:
                    return import_module(f"{package}.{name}")
                return getattr(import_module(str(node.module)), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
