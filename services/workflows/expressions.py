"""Conditions, inputs and paths of workflows: expressions over the state of a run, never read by Python's `eval`."""

import ast
import operator
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from simpleeval import DEFAULT_OPERATORS, InvalidExpression, SimpleEval

from services.core.errors import BadInput

FUNCTIONS = {"len": len, "str": str, "int": int, "float": float, "min": min, "max": max}
"""What an expression may call."""

_LONGEST = 4000
_DEEPEST = 40
_PATH = "Write a path such as `drafts[reporter_id]`."
_LONGEST_TEXT = 1_000_000
_LITERALS = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
_ALLOWED = (
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.Name,
    ast.Constant,
    ast.UnaryOp,
    ast.BinOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.Subscript,
    ast.Slice,
    ast.Attribute,
    ast.List,
    ast.Tuple,
    ast.Dict,
)
_REFUSED_OPERATORS = (ast.Pow, ast.LShift, ast.RShift, ast.Mod, ast.BitXor, ast.BitOr, ast.BitAnd, ast.Invert)
"""What makes numbers or texts of any size, or is of no use here."""


class ExpressionError(BadInput):
    """An expression that cannot be read, or has no value in this state."""


def parse(text: str) -> ast.expr:
    """Return an expression as a tree. Raises `ExpressionError` for what is none, or uses what is not allowed."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        raise ExpressionError(parsed)
    return parsed


@lru_cache(2048)
def _parsed(text: str) -> ast.expr | str:
    """The tree, or what is wrong with the text."""
    if not text.strip():
        return "The expression is empty."
    if len(text) > _LONGEST:
        return f"The expression is too long: the limit is {_LONGEST:,} characters."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's remarks on what is odd but allowed, such as `"a" is b`
            tree = ast.parse(text.strip(), mode="eval").body
        return _refusal(tree, text) or tree
    except SyntaxError as error:
        return f"“{_short(text)}” is not a valid expression: {error.msg} at character {error.offset or 1}."
    except (ValueError, RecursionError, MemoryError):
        return f"“{_short(text)}” is not a valid expression."


def _refusal(tree: ast.AST, text: str, depth: int = 0) -> str:
    """What an expression uses that is not allowed; empty where there is nothing."""
    if depth > _DEEPEST:
        return f"“{_short(text)}” is nested too deeply."
    for node in ast.iter_child_nodes(tree) if depth else [tree]:
        if not isinstance(node, _ALLOWED) or isinstance(node, _REFUSED_OPERATORS):
            return f"“{_short(text)}” must not use {type(node).__name__}."
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
            return f"“{_short(text)}” can call only {', '.join(FUNCTIONS)}."
        if isinstance(node, ast.Call) and node.keywords:
            return f"“{_short(text)}” must not use keyword arguments."
        if refusal := _refusal(node, text, depth + 1):
            return refusal
    return ""


def names_in(text: str) -> frozenset[str]:
    """Return the names of the state that an expression reads. Raises `ExpressionError`."""
    found = (node.id for node in ast.walk(parse(text)) if isinstance(node, ast.Name))
    return frozenset(name for name in found if name not in FUNCTIONS and name not in _LITERALS)


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression where `names` are what it may read.

    Raises `ExpressionError` for a name or a key that is missing, and whatever else keeps it from having a value.
    """
    tree = parse(text)
    reader = _Reader({**_LITERALS, **names})
    try:
        return reader.eval(text, previously_parsed=ast.Expr(tree))
    except ExpressionError:
        raise
    except InvalidExpression as error:
        raise ExpressionError(f"“{_short(text)}”: {getattr(error, 'message', error)}") from error
    except KeyError as error:
        raise ExpressionError(f"“{_short(text)}”: {error} is missing.") from error
    except IndexError as error:
        raise ExpressionError(f"“{_short(text)}”: the list has no such item.") from error
    except (TypeError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"“{_short(text)}”: {error}.") from error


def holds(text: str, names: Mapping[str, Any]) -> bool:
    """True where a condition holds. Raises `ExpressionError` as `evaluate` does."""
    return bool(evaluate(text, names))


class _Reader(SimpleEval):  # type: ignore[misc]  # the library has no types
    """Reads keys of objects by `.key` and `["key"]` alone: no attribute of a Python object is ever looked at."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        operators = {kind: what for kind, what in DEFAULT_OPERATORS.items() if not issubclass(kind, _REFUSED_OPERATORS)}
        operators |= {ast.Add: _added, ast.Mult: _multiplied}
        super().__init__(operators=operators, functions=dict(FUNCTIONS), names=dict(names))
        self.nodes |= {
            ast.List: lambda node: [self._eval(item) for item in node.elts],
            ast.Tuple: lambda node: [self._eval(item) for item in node.elts],
            ast.Dict: self._eval_dict,
        }

    def _eval_attribute(self, node: ast.Attribute) -> Any:
        of = self._eval(node.value)
        if not isinstance(of, Mapping):
            raise ExpressionError(f"“{_short(self.expr)}”: Asof can read “{node.attr}” only from an object.")
        return of[node.attr]

    def _eval_dict(self, node: ast.Dict) -> Any:
        if None in node.keys:
            raise ExpressionError(f"“{_short(self.expr)}” must not unpack an object.")
        return {self._eval(k): self._eval(v) for k, v in zip(node.keys, node.values, strict=True)}


def _added(first: Any, second: Any) -> Any:
    if hasattr(first, "__len__") and hasattr(second, "__len__") and len(first) + len(second) > _LONGEST_TEXT:
        raise ValueError("the result would be too long")
    return operator.add(first, second)


def _multiplied(first: Any, second: Any) -> Any:
    if not (isinstance(first, int | float) and isinstance(second, int | float)):
        raise TypeError("you can multiply only numbers")
    if abs(first) > _LONGEST_TEXT**3 or abs(second) > _LONGEST_TEXT**3:
        raise ValueError("the number would be too large")
    return first * second


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"


# -- paths


@dataclass(frozen=True, slots=True)
class StatePath:
    """Where in the state a node writes: `drafts[reporter_id]`, or `verdicts[reporter_id][]`, which appends."""

    name: str
    keys: tuple[ast.expr, ...]
    appends: bool
    text: str

    def resolve(self, names: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the keys from the top of the state. Raises `ExpressionError` where one of them has no value."""
        found = [self.name]
        for key in self.keys:
            value = evaluate(ast.unparse(key), names)
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise ExpressionError(f"“{self.text}”: a key must be text or a whole number.")
            found.append(str(value))
        return tuple(found)


def parse_path(text: str) -> StatePath:
    """Return a path of the state. Raises `ExpressionError` for what is none."""
    bare, appends = text.strip(), False
    if bare.endswith("[]"):
        bare, appends = bare[:-2], True
    tree = parse(bare)
    keys: list[ast.expr] = []
    while isinstance(tree, ast.Attribute | ast.Subscript):
        if isinstance(tree, ast.Attribute):
            keys.append(ast.Constant(tree.attr))
        else:
            if isinstance(tree.slice, ast.Slice | ast.UnaryOp):
                raise ExpressionError(f"“{_short(text)}” is not a path that a node can write.", _PATH)
            keys.append(tree.slice)
        tree = tree.value
    if not isinstance(tree, ast.Name) or tree.id in _LITERALS:
        raise ExpressionError(f"“{_short(text)}” is not a path that a node can write.", _PATH)
    return StatePath(tree.id, tuple(reversed(keys)), appends, text)
