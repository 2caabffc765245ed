"""List every string that people read in the interface: pages, terminal, errors and answers.

    python tools/strings.py [--sample N --seed S]

Each line is `file:line<TAB>string`; the parts of a string that are filled in are shown as `{…}`. Docstrings,
annotations, assertions, patterns, queries, styles, scripts, log lines and keys are left out.
"""

import argparse
import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PLACES = ("app.py", "cli.py", "pages", "components", "services")
_SILENT_CALLS = frozenset(
    {
        "compile",
        "search",
        "sub",
        "match",
        "fullmatch",
        "findall",
        "finditer",
        "split",
        "execute",
        "query",
        "sql",
        "text",
    }
    | {"word_set", "getLogger", "import_module", "getattr", "setattr", "strftime"}
    | {f"{level}_log" for level in ("debug", "info", "warning", "error", "exception")}
)
"""Functions whose texts no user reads: patterns, queries, names, lists of words, and the log."""

_CODE = re.compile(
    r"</?[a-z]+[ >]|[{};]\s*$|\bMATCH\s*\(|\b(?:SELECT|RETURN|FROM|JOIN|WHERE|ORDER BY|CASE|CAST|UPDATE)\b|"
    r"\bCREATE (?:TABLE|INDEX)|\\[bwsd]|\(\?|^\s*[.#@][\w-]+\s*\{|=>|\bfunction\b|==",
)
_WORD = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True)
class InterfaceString:
    """A string of the source and where it is."""

    file: str
    line: int
    text: str


def interface_strings() -> Iterator[InterfaceString]:
    """Yield every string that people read, by file and line."""
    for place in _PLACES:
        path = ROOT / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield from _of_file(file)


def _of_file(file: Path) -> Iterator[InterfaceString]:
    tree = ast.parse(file.read_text())
    silent = {id(inner) for node in _silent(tree) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        text = _text(node)
        if text is not None and _is_prose(text):
            yield InterfaceString(str(file.relative_to(ROOT)), node.lineno, text)  # type: ignore[attr-defined]


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a module that nobody reads on screen: docstrings, types, patterns, queries, log lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (
                each for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
            )
        if isinstance(node, ast.Call) and _name(node.func) in _SILENT_CALLS:
            yield node
        if isinstance(node, ast.JoinedStr):
            yield from node.values
        yield from _annotations(node)
        if isinstance(node, ast.Assert) and node.msg:
            yield node.msg
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        if isinstance(node, ast.Subscript):
            yield node.slice


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    if isinstance(node, ast.arg) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return f"{function.attr}_log" if _name(function.value) in ("_LOG", "log", "logger") else function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{…}" for part in node.values)  # type: ignore[misc]
    return None


def _is_prose(text: str) -> bool:
    """True for two words or more, or one with a capital, that are not code."""
    words = _WORD.findall(text)
    if not words or _CODE.search(text):
        return False
    return (" " in text.strip() and len(words) > 1) or bool(re.fullmatch(r"[A-Z][a-z]+…?", text))


def main() -> None:
    """Print the strings, or a sample of them."""
    options = argparse.ArgumentParser(description="list the strings that people read")
    options.add_argument("--sample", type=int, help="draw so many at random")
    options.add_argument("--seed", type=int, default=0)
    arguments = options.parse_args()
    strings = list(interface_strings())
    if arguments.sample:
        strings = random.Random(arguments.seed).sample(strings, arguments.sample)
    for each in strings:
        print(f"{each.file}:{each.line}\t{' '.join(each.text.split())}")


if __name__ == "__main__":
    main()
