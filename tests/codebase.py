"""Our own files as the rules of tests/test_architecture.py ask about them: text, imports, names, lengths."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import rustworkx

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("services", "components", "pages")
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Source:
    """One Python file: its name from the root, its text and its tree."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree, those within functions included."""
        return list(ast.walk(self.tree))

    @cached_property
    def module(self) -> str:
        """The dotted name under which the file is imported."""
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def imported(self) -> frozenset[str]:
        """The dotted names that the file imports anywhere, within functions and for types too."""
        names = set[str]()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
        return frozenset(names)

    @cached_property
    def foreign(self) -> frozenset[str]:
        """The top-level packages that the file imports."""
        return frozenset(name.split(".")[0] for name in self.imported)

    def strings(self) -> Iterator[str]:
        """Yield each string constant."""
        yield from (n.value for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))

    def functions(self) -> Iterator[tuple[str, int]]:
        """Yield the name and the number of lines of each function."""
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or 0) - node.lineno + 1

    def public_classes(self) -> Iterator[str]:
        """Yield the name of each class that does not begin with an underscore."""
        yield from (n.name for n in self.nodes if isinstance(n, ast.ClassDef) and not n.name.startswith("_"))

    def identifiers(self) -> Iterator[str]:
        """Yield each name that the file gives or uses: functions, classes, arguments, variables, attributes, itself."""
        yield Path(self.name).stem
        for node in self.nodes:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    yield name
                case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                    yield name
                case ast.keyword(arg=str(name)):
                    yield name
                case ast.alias(name=name, asname=other):
                    yield from (part for part in (name.rpartition(".")[2], other) if part)


def read(*folders: str) -> list[Source]:
    """Read every Python file under the folders, and files that are named themselves."""
    paths = [p for name in folders for p in (sorted((ROOT / name).rglob("*.py")) if "." not in name else [ROOT / name])]
    return [_read(path) for path in paths]


@cache
def _read(path: Path) -> Source:
    """Read a file; the rules that ask about it share its tree."""
    return Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def words(identifier: str) -> set[str]:
    """Return the lower-case words of an identifier, split at underscores and capitals."""
    return {word.lower() for word in WORDS.findall(identifier)}


def imports(sources: list[Source]) -> set[tuple[str, str]]:
    """Return who imports whom among the sources, as pairs of modules."""
    modules = {source.module for source in sources}
    ties = {(s.module, module) for s in sources for name in s.imported if (module := _owner(name, modules))}
    return {(one, other) for one, other in ties if one != other}


def _owner(name: str, modules: set[str]) -> str | None:
    """Return the module that an imported name is, or stands in."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def circles(ties: set[tuple[str, str]]) -> list[list[str]]:
    """Return the groups that import each other in a circle, largest first."""
    graph: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph()
    index = {name: graph.add_node(name) for name in sorted({end for tie in ties for end in tie})}
    graph.add_edges_from_no_data([(index[a], index[b]) for a, b in ties])
    found = rustworkx.strongly_connected_components(graph)
    return sorted((sorted(graph[i] for i in group) for group in found if len(group) > 1), key=len, reverse=True)


def package(module: str) -> str:
    """Return the package that owns a module: `services.graph.store` belongs to `services.graph`, a page to `pages`."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "services" else parts[0]
