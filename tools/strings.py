"""List every string that people read in the interface: pages, terminal, errors and answers.

    python tools/strings.py [--sample N --seed S]

Python and our own scripts are read. Each line is `file:line<TAB>string`; the parts of a string that are filled in are
shown as `{…}`, and texts inside them are not listed. Left out, since nobody reads it on screen:

- docstrings, annotations, assertions, patterns, queries, styles, code within texts, tags, log lines and HTTP headers;
- words that are compared: operands of comparisons, cases of `match`, sets, texts that are split into words, keys of
  mappings in services without a capital (the others, and those of components, are headings), and the words that the
  modules in `_READERS` look for (what has a capital, or ends as a sentence does, is listed);
- names: those that a module exports, labels and types that the graph stores, and pages that a link leads to.

Single words without a capital are left out, too, though some are read: most of them are names in code.
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
    | {"_stems", "word_set", "frozenset", "set", "cast", "getLogger", "import_module", "getattr", "setattr", "strftime"}
    | {"startswith", "endswith", "len", "AttributeError"}
    | {f"{level}_log" for level in ("debug", "info", "warning", "error", "exception")}
)
"""Functions whose texts no user reads: patterns, queries, names, lists of words, and the log."""

_TO_A_PAGE = frozenset({"link", "correct_link", "open_page", "go_to"})
"""Functions whose first argument is the name of a page."""

_READERS = (
    *("services/language/", "services/extraction/rules/", "services/analyst/compositions/", "services/analyst/sql_"),
    *("services/analyst/unit_names", "services/analyst/question_words", "services/tables/column_guesses"),
)
"""Modules that look for words of English, of dates and of the names of columns."""

_STORED = frozenset(
    {"Entity", "Episodic", "Document", "Section", "Chunk", "Community", "Saga"}
    | {"Person", "Organization", "Place", "Role", "Topic", "Product", "Project", "Version", "Status", "Work"}
    | {"Partnership", "Constraint", "Concept", "Event", "Contact"}
    | {"Accept", "Allow", "Authorization", "Bearer", "Host"}
)
"""Labels and types that the graph stores, and headers of HTTP, where services name them."""

_CODE = re.compile(
    "|".join(
        (
            r"(?:[{;]|(?<![\w…])\})\s*$|\\[bwsd]|\(\?|^\s*[.#@][\w-]+\s*\{|=>|\bfunction\s*\w*\(|==",
            r"\b(?:MATCH\s*\(|CREATE (?:TABLE|INDEX))|\b(?:SELECT|RETURN|FROM|JOIN|WHERE|ORDER BY|CASE|CAST|UPDATE)\b",
            r"\b(?:AND|AS|UNION|NULLS?|INTERVAL|INSERT|DELETE|MERGE|UNWIND|CREATE|CALL|OVER|BEGIN|CONTAINS|STARTS)\b",
            r"\b[a-z][a-z_]*[a-zA-Z]*\(",  # a call
            r"\b[a-z]\.\w*(?:id|title)\b|\b[a-z_]+\.[a-z_]+ = |\w: row\[|\{…\}:[A-Z]|\bn:[A-Z]|^\w+: key$",  # Cypher
            r"\b[a-z_]+:(?:[nsbx]\b|\[|\{)",  # shapes of results
            r"\b(?:GROUP BY|THEN|MATCH \{)|\b[a-z]\.name\b|\{[a-z_]+: \$|^event: ",  # queries, and events of a stream
            r"'(?:self|none|unsafe-inline)'|\bmax-age=|\w=\"",  # headers and attributes
            r"\b[a-z]+_[a-z_]+ ?= ?|\w = \{|^\{…\}_\w+$",  # assignments
            r"^a-[\w-]+(?: a-[\w-]+)*$",  # classes of styles
            r"\b[a-z_]+, [a-z]+_[a-z_]+$|^[a-z]+, [a-z]+_|^[a-z]+_[a-z]+, [a-z]+$|^\[[a-z, _]+\]$|^thread, position",
            r"^\n[\w\s]+$",  # lists of words
        )
    )
)
_TAG = re.compile(r"(?:</?[a-z]\w*(?:[\s{][^<>]*)?/?>|<[a-z]\w*\s[^<>]*$|^[^<>]*=[^<>]*>)([.,:;)])?")
"""A tag, which parts words, with the punctuation that follows it, which does not stand apart."""
_ICON = re.compile(r'<i class="icon"[^<>]*>\w+</i>')
_BLANK = re.compile(r"\{[a-z_]*(?::[a-z0-9,.]+)?\}")
"""A part of a string that is filled in later, by `format`."""
_FOREIGN = "codemirror.js"
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_SCRIPT_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_FILLED_IN = re.compile(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_STYLE = re.compile(r"px\b|reduced-motion|\[(?:data|class)|\$\{|\.st-|^[a-z_]+(?:\s[a-z_]+){12,}")
_KEYS = frozenset({"Escape", "Enter", "Tab", "Home", "End"})
_WORD = re.compile(r"[A-Za-z]{2,}")
_FOR_PEOPLE = re.compile(r"[A-Z“].*|.*[.:!…]", re.DOTALL)


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
    for script in sorted(ROOT.glob("components/*/assets/*.js")):
        if script.name != _FOREIGN:
            yield from _of_script(script)


def _of_script(script: Path) -> Iterator[InterfaceString]:
    code = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), script.read_text())
    for found in _SCRIPT_TEXT.finditer(code):
        text = _without_tags(_FILLED_IN.sub("{…}", found[1] or found[2] or ""))
        if _is_prose(text) and text not in _KEYS and not _STYLE.search(text):
            yield InterfaceString(str(script.relative_to(ROOT)), code.count("\n", 0, found.start()) + 1, text)


def _without_tags(text: str) -> str:
    return _TAG.sub(lambda tag: tag[1] or " ", _ICON.sub(" ", text))


def _of_file(file: Path) -> Iterator[InterfaceString]:
    tree, name = ast.parse(file.read_text()), str(file.relative_to(ROOT))
    silent = {id(inner) for node in _silent(tree, is_service=name.startswith("services/")) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        text = _without_tags(_text(node) or "")
        if _is_prose(text) and not _is_data(text, name):
            yield InterfaceString(name, node.lineno, text)  # type: ignore[attr-defined]


def _is_data(text: str, file: str) -> bool:
    """True for a name that the graph stores, and for a word that a reader of English looks for."""
    if not file.startswith("services/"):
        return False
    return text in _STORED or (file.startswith(_READERS) and not _FOR_PEOPLE.fullmatch(text))


def _silent(tree: ast.AST, *, is_service: bool) -> Iterator[ast.AST]:
    """Yield the parts of a module that nobody reads on screen."""
    for node in ast.walk(tree):
        yield from _silent_calls(node)
        yield from _annotations(node)
        yield from _compared(node)
        if isinstance(node, ast.JoinedStr):
            yield from node.values
        if isinstance(node, ast.Assert) and node.msg:
            yield node.msg
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        if isinstance(node, ast.Subscript):
            yield node.slice
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
            yield node
        if is_service and isinstance(node, ast.Dict):
            yield from (key for key in node.keys if key and not (_text(key) or "")[:1].isupper())


def _silent_calls(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.Call):
        return
    if _name(node.func) in _SILENT_CALLS:
        yield node
    if _name(node.func) in _TO_A_PAGE:
        yield from node.args[:1]


def _compared(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the texts that a value is compared with."""
    if isinstance(node, ast.Compare):
        yield from (one for one in (node.left, *node.comparators) if isinstance(one, ast.Constant | ast.Tuple))
    if isinstance(node, ast.MatchValue) or (
        isinstance(node, ast.Set) and all(isinstance(e, ast.Constant) for e in node.elts)
    ):
        yield node


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    if isinstance(node, ast.arg) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        is_log = _name(function.value) in ("_log", "_LOG", "log", "logger", "getLogger")
        return f"{function.attr}_log" if is_log else function.attr
    if isinstance(function, ast.Call):
        return _name(function.func)
    return function.id if isinstance(function, ast.Name) else ""


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _BLANK.sub("{…}", node.value)
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
