"""The tools of one turn: every call is recorded, and what they return gets numbers to be cited by."""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.core import clock
from services.core.answer_records import CitationKind, Evidence, ToolCall
from services.core.cost import Usage
from services.core.errors import AsofError, BadInput
from services.core.log import logger
from services.tools.tool import Context, ResultItem, Tool, ToolResult

MOST_CHARACTERS = 3000
MOST_NODES = 20
"""What a model in the chat gets of one result, in whole items."""

_TAIL = len("(This result as a whole: [1234], total 1234567.)")
_NUMBER = len(" [1234]\n")

NOT_DONE = "This call needs the user's approval; nothing has happened yet."
CallListener = Callable[[ToolCall], None]
Consent = Callable[[str, Mapping[str, Any]], str]
"""Keeps a call of a tool that writes, by name and exact inputs, until its user has decided; returns its id."""
_log = logger(__name__)


def ignore_call(_: ToolCall) -> None:
    """Ignore a call, for whoever need not see calls as they happen."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call that was made: what it found, and its line of the trace."""

    call: ToolCall
    result: ToolResult


class Toolbox:
    """Tools bound to a workspace and two clocks. Any thread may call them; `listener` is given each call twice:
    when it begins, and when it is over. With a `consent` no tool that writes is run: its call is put there."""

    def __init__(
        self,
        context: Context,
        tools: Iterable[Tool],
        listener: CallListener = ignore_call,
        consent: Consent | None = None,
    ) -> None:
        self.context = context
        self.tools = {tool.name: tool for tool in tools}
        self._listener, self._consent = listener, consent
        self._lock = threading.Lock()
        self._calls: dict[str, ToolCall] = {}
        self._evidence: dict[tuple[CitationKind, str, str], Evidence] = {}
        self._numbered = 0
        self._usage = Usage()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every call so far, in the order in which they began."""
        with self._lock:
            return tuple(self._calls.values())

    @property
    def usage(self) -> Usage:
        """The tokens that the tools themselves took of the context's model so far."""
        with self._lock:
            return self._usage

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything that was returned so far: what has a number, then the rest under the numbers that follow."""
        with self._lock:
            numbered = sorted((one for one in self._evidence.values() if one.n), key=lambda one: one.n)
            rest = (one for one in self._evidence.values() if not one.n)
            return (*numbered, *(replace(one, n=n) for n, one in enumerate(rest, len(numbered) + 1)))

    def record(self, call: ToolCall) -> None:
        """Put a call into the trace, or its end in the place of its beginning."""
        with self._lock:
            self._calls[call.id] = call
        self._listener(call)

    def call(
        self, name: str, given: Mapping[str, Any], *, parent_id: str | None = None, context: Context | None = None
    ) -> Called:
        """Run a tool, at other instants than the turn's where `context` says so.

        Raises what the tool raises, and `BadInput` for a tool that there is not; the trace then has the error.
        """
        begun = ToolCall(str(uuid.uuid4()), name, dict(given), clock.now(), parent_id=parent_id)
        self.record(begun)
        started = time.perf_counter()
        try:
            if name not in self.tools:
                raise BadInput(f"There is no tool “{name}”.", f"Available: {', '.join(self.tools)}.")
            result = self._run(self.tools[name], context or self.context, given)
        except Exception as error:
            reason = str(error) if isinstance(error, AsofError) else f"{type(error).__name__}: the tool failed."
            self._ended(replace(begun, error=reason), started)
            raise
        done = self._ended(self._paid(begun, result), started)
        self._number(done, result, context or self.context)
        return Called(done, result)

    def _run(self, tool: Tool, context: Context, given: Mapping[str, Any]) -> ToolResult:
        if not tool.writes or self._consent is None:
            return tool(context, given)
        exact = dict(tool.exactly(context, given))
        document = {"state": "waiting", "pendingId": self._consent(tool.name, exact), "input": exact}
        return ToolResult(document, message=NOT_DONE, summary="waits for approval")

    def number(self, kind: CitationKind, id: str, part: str = "") -> int:
        """The number of a fact, of a chunk, or of a call's result as a whole: given at the first time of asking.

        So numbers count up in the order in which they are read, and what a model was not shown has none. A further
        `part` of a record that is cited by itself has a number of its own.
        """
        with self._lock:
            one = self._evidence.get((kind, id, part)) or replace(self._evidence[kind, id, ""], n=0)
            if not one.n:
                self._numbered += 1
                one = self._evidence[kind, id, part] = replace(one, n=self._numbered)
            return one.n

    def for_model(self, called: Called) -> str:
        """What a model reads of a result: whole items with their numbers, as many as fit."""
        result = called.result
        lines, nodes = ([result.heading] if result.heading else []), set[str]()
        cut = f"... truncated. {result.truncation.format(total=result.total)}"
        left = MOST_CHARACTERS - _TAIL - len(cut) - 2 - sum(len(line) + 1 for line in lines)
        shown = 0
        for item in result.items:
            if len(item.text) + _NUMBER > left or len(nodes | set(item.nodes)) > MOST_NODES:
                continue
            nodes |= set(item.nodes)
            lines.append(item.text + self._cited(item))
            left -= len(lines[-1]) + 1
            shown += 1
        if not result.items:
            lines.append((result.message or "No results.")[:left])
        elif shown < max(result.total, len(result.items)):
            lines.append(cut)
        whole = self.number("result", called.call.id)
        counted = f"total {result.total}" if result.is_whole or not result.items else f"the {result.total} best"
        return "\n".join([*lines, f"(This result as a whole: [{whole}], {counted}.)"])

    def _cited(self, item: ResultItem) -> str:
        if item.fact is not None:
            return f" [{self.number('fact', item.fact.uuid)}]"
        return "" if item.chunk is None else f" [{self.number('chunk', item.chunk.id)}]"

    def _paid(self, begun: ToolCall, result: ToolResult) -> ToolCall:
        """Return a call with what it found, and what it took of a model; that counts for the turn."""
        done, usage = replace(begun, output=result.document, summary=result.summary), result.usage
        if not usage.total:
            return done
        with self._lock:
            self._usage += usage
        return replace(done, input_tokens=usage.read, output_tokens=usage.output, cost=result.cost)

    def _ended(self, call: ToolCall, started: float) -> ToolCall:
        done = replace(call, ms=(time.perf_counter() - started) * 1000)
        self.record(done)
        _log.info("tool", tool=done.tool, ms=round(done.ms, 1), found=done.summary, error=done.error)
        return done

    def _number(self, call: ToolCall, result: ToolResult, context: Context) -> None:
        at = (context.at,)
        with self._lock:
            for item in result.items:
                if (fact := item.fact) is not None:
                    self._add(Evidence(0, "fact", fact.uuid, at, fact.text or item.text, fact=fact))
                if (chunk := item.chunk) is not None:
                    self._add(Evidence(0, "chunk", chunk.id, at, chunk.text, chunk=chunk, document=item.document))
            self._add(
                Evidence(
                    0,
                    "result",
                    call.id,
                    at,
                    call.summary,
                    rows=result.rows,
                    total=result.total,
                    is_whole=result.is_whole,
                    asked=call.input,
                )
            )

    def _add(self, found: Evidence) -> None:
        key = (found.kind, found.id, "")
        known = self._evidence.get(key, found)
        self._evidence[key] = replace(known, at=tuple(dict.fromkeys((*known.at, *found.at))))
