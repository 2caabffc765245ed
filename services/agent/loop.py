"""The loop over a model: it is asked, the tools it wants are run, and it is asked again, until it has answered."""

import json
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import replace
from itertools import count
from typing import Any

from services.agent.request import LAST, delimited, question, request, traced
from services.core import clock
from services.core.answer_records import Asked, FailureKind, ToolCall
from services.core.config import Settings
from services.core.cost import Prices, Usage
from services.core.errors import AsofError, Cancelled
from services.core.log import logger
from services.core.wording import counted
from services.llm.endpoint import Endpoint
from services.llm.faults import ModelFault, cut_off
from services.llm.listener import Listener, Prompt, Spoken, SpokenState
from services.llm.patience import BLINK, Patience
from services.llm.reply import Block, Reply, closed, refused
from services.tools import telemetry
from services.tools.toolbox import Toolbox

_SILENCE = 90.0
"""Seconds without a byte after which an endpoint is taken for dead; a local model can need long for its first."""
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 16.0
"""Seconds before a request is sent again, doubled each time, where the endpoint does not say."""
_CUT = ("max_tokens", "refusal", "model_context_window_exceeded")
"""Why a model stops before it is done: a tool that it asks for by then may be half a call."""
_MOST_TOOLS = 8
"""So many tools run at the same time."""
_log = logger(__name__)


class ModelAgent:
    """Answers one question by a model and the tools of a toolbox. `silence` are the seconds it waits for a byte.

    Raises `BadInput` when the settings' prices cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        toolbox: Toolbox,
        prompt: Prompt,
        *,
        model: str,
        effort: str,
        listener: Listener,
        cancel: threading.Event,
        silence: float = _SILENCE,
    ) -> None:
        self._settings, self._toolbox, self._prompt = settings, toolbox, prompt
        self._model, self._effort, self._listener, self._silence = model, effort, listener, silence
        self._prices = Prices(settings.prices)
        self._patience = Patience(cancel, settings.max_seconds, time.monotonic())
        self._history: Sequence[Block] = ()
        self._blocks: list[Block] = []
        self._usage = Usage()
        self._requests = 0
        self._text = self._stop_reason = ""

    def answer(self, asked: Asked, history: Sequence[Block]) -> Spoken:
        """Return what came of the question, whatever went wrong. `history` are the blocks of the turns before."""
        self._history, self._blocks = history, [question(asked)]
        with telemetry.span("AGENT", "answer", {"input.value": asked.question, "llm.model_name": self._model}) as span:
            spoken = self._spoken()
            span.set_attribute("output.value", spoken.text)
            if spoken.state == "failed":
                telemetry.failed(span, spoken.problem)
        _log.info(
            "answer",
            model=self._model,
            state=spoken.state,
            problem=spoken.problem,
            cost=spoken.cost,
            input_tokens=spoken.input_tokens,
            output_tokens=spoken.output_tokens,
        )
        return spoken

    def _spoken(self) -> Spoken:
        try:
            self._check_price()
            with Endpoint(self._settings, self._silence) as endpoint:
                self._talk(endpoint)
        except Cancelled as stopped:
            return self._ended_as("stopped", stopped)
        except AsofError as problem:
            is_of_endpoint = isinstance(problem, ModelFault) and problem.is_of_endpoint
            return self._ended_as("failed", problem, "endpoint" if is_of_endpoint else "agent")
        except Exception:  # noqa: BLE001 - whatever it is, what was said before it must not be lost
            _log.exception("answer failed", model=self._model)
            return self._ended_as(
                "failed", AsofError("The answer failed.", "See Asof's log for details."), "unexpected"
            )
        return self._ended_as("done", None)

    def _talk(self, endpoint: Endpoint) -> None:
        """Ask until there is an answer. Raises what keeps it from being whole."""
        while True:
            last = self._is_last()
            reply, call = self._ask(endpoint, last)
            if reply.stop_reason == "pause_turn" and not last:
                continue
            if not reply.uses or reply.stop_reason in _CUT:
                return self._check_end(reply)
            if last:
                raise self._no_answer()
            self._blocks.append({"role": "user", "content": _use(self._toolbox, reply.uses, call.id, self._patience)})
            self._patience.check()
            self._check_cost()

    @property
    def _taken(self) -> Usage:
        """The tokens of all requests so far, with those of tools that asked the model themselves."""
        return self._usage + self._toolbox.usage

    def _is_last(self) -> bool:
        """True when the next request has to be the last; the model is told so, if it was at work."""
        last = self._requests + 1 >= self._settings.max_steps or self._taken.total >= self._settings.max_answer_tokens
        if last and len(self._blocks) > 1 and self._blocks[-1]["role"] == "user":
            self._blocks[-1] = {
                "role": "user",
                "content": [*self._blocks[-1]["content"], {"type": "text", "text": LAST}],
            }
        return last

    def _ask(self, endpoint: Endpoint, last: bool) -> tuple[Reply, ToolCall]:
        """A whole reply, if need be after several requests. What was said before a fault is kept, then it is raised."""
        tools = self._toolbox.tools.values()
        sent = request(
            self._settings,
            self._prompt,
            tools,
            [*self._history, *self._blocks],
            model=self._model,
            effort=self._effort,
            last=last,
        )
        for tried in count(1):
            reply, call, problem = self._try(endpoint, sent)
            if problem is None:
                break
            if reply.begun or not isinstance(problem, ModelFault) or tried >= problem.tries:
                self._keep(reply)
                raise problem
            self._wait(problem, tried)
        self._requests += 1
        self._keep(reply)
        return reply, call

    def _try(self, endpoint: Endpoint, sent: dict[str, Any]) -> tuple[Reply, ToolCall, AsofError | None]:
        """One request, as one line of the trace."""
        begun = ToolCall(str(uuid.uuid4()), self._model, traced(sent, self._prompt.version), clock.now(), kind="model")
        self._toolbox.record(begun)
        started = time.perf_counter()
        problem: AsofError | None = None
        reply = Reply(self._listener, gap="\n\n" if self._text else "")
        with telemetry.span("LLM", self._model, _asked(self._model, sent)) as span:
            try:
                for event in endpoint.events(sent, self._patience):
                    reply.take(event)
                if not reply.whole:
                    problem = cut_off()
            except AsofError as error:
                problem = error
            span.set_attributes(_replied(reply))
            if problem is not None:
                telemetry.failed(span, problem.message)
        self._usage += reply.usage
        call = self._ended(begun, reply, problem, (time.perf_counter() - started) * 1000)
        return reply, call, problem

    def _ended(self, begun: ToolCall, reply: Reply, problem: AsofError | None, ms: float) -> ToolCall:
        call = replace(
            begun,
            output={"stop_reason": reply.stop_reason, "content": reply.content},
            summary=", ".join(block["name"] for block in reply.uses) or reply.stop_reason,
            error=None if problem is None else problem.message,
            ms=ms,
            input_tokens=reply.usage.read,
            output_tokens=reply.usage.output,
            cost=self._prices.cost(self._model, reply.usage),
        )
        self._toolbox.record(call)
        _log.info(
            "request",
            model=self._model,
            ms=round(ms, 1),
            stop_reason=reply.stop_reason,
            error=call.error,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            cost=call.cost,
        )
        return call

    def _keep(self, reply: Reply) -> None:
        """Put a reply behind the messages; one that goes on where the model paused continues the same message."""
        paused = self._blocks[-1]["role"] == "assistant"
        self._stop_reason = reply.stop_reason
        if reply.text:
            self._text = f"{self._text}\n\n{reply.text}" if paused and self._text else reply.text
        if reply.content:
            before = self._blocks.pop()["content"] if paused else []
            self._blocks.append({"role": "assistant", "content": [*before, *reply.content]})

    def _wait(self, problem: ModelFault, tried: int) -> None:
        """Let the time pass that the endpoint wants, and say so each second. Raises `problem` where it is too long."""
        seconds = problem.retry_after
        if seconds is None:
            seconds = min(_FIRST_WAIT * 2 ** (tried - 1), _LONGEST_WAIT)
        if seconds >= self._patience.left:
            raise ModelFault(
                problem.message,
                f"The model asks Asof to wait {seconds:.0f} seconds, but this answer has only "
                f"{max(0, self._patience.left):.0f} seconds left. Ask again later.",
                problem.tries,
            )
        end = time.monotonic() + seconds
        try:
            while (left := end - time.monotonic()) > 0:
                self._listener.waiting(problem.message, left)
                self._patience.pause(min(1.0, left))
        finally:
            self._listener.waiting("", 0.0)

    def _check_end(self, reply: Reply) -> None:
        """Raise what is missing in an answer that the model has ended."""
        match reply.stop_reason:
            case "max_tokens":
                raise ModelFault(
                    f"The answer reached the limit of {self._settings.max_tokens:,} tokens.",
                    "Ask a narrower question, or raise ASOF_MAX_TOKENS.",
                )
            case "refusal":
                raise ModelFault("The model declined to answer.", "Rephrase the question, or choose another model.")
            case "model_context_window_exceeded":
                raise ModelFault("The conversation is too long for the model.", "Start a new conversation.")
            case "pause_turn":
                raise self._no_answer()
        if not reply.text:
            raise ModelFault("The model returned nothing.", "Ask again, or choose another model.")

    def _no_answer(self) -> ModelFault:
        return ModelFault(
            f"The model did not answer within {counted(self._requests, 'request')}.",
            "Ask a narrower question, or raise ASOF_MAX_STEPS or ASOF_MAX_ANSWER_TOKENS.",
        )

    def _check_price(self) -> None:
        """Raise `ModelFault` where a limit of cost is set that nothing could hold, for want of a price."""
        limited = self._settings.max_answer_cost or self._settings.max_daily_cost
        if limited and self._model not in self._prices:
            raise ModelFault(
                f"“{self._model}” has no price to check against the cost limit.",
                "Set the model's price in ASOF_PRICES.",
            )

    def _check_cost(self) -> None:
        """Raise `ModelFault` when the answer has cost as much as it may, and is not there yet."""
        most, spent = self._settings.max_answer_cost, self._prices.cost(self._model, self._taken) or 0.0
        if most and spent >= most:
            raise ModelFault(
                f"The unfinished answer has already cost ${spent:.4f}; the limit is ${most:g}.",
                "Ask a narrower question, or raise ASOF_MAX_ANSWER_COST.",
            )

    def _ended_as(self, state: SpokenState, problem: AsofError | None, failure: FailureKind = "") -> Spoken:
        return Spoken(
            text=self._text,
            blocks=tuple(self._sendable(problem)),
            stop_reason=self._stop_reason,
            state=state,
            prompt_version=self._prompt.version,
            input_tokens=self._taken.read,
            output_tokens=self._taken.output,
            cost=self._prices.cost(self._model, self._taken),
            problem="" if problem is None else problem.message,
            hint="" if problem is None else problem.hint,
            failure=failure,
        )

    def _sendable(self, problem: AsofError | None) -> list[Block]:
        """What the next request has to hold of this turn.

        Nothing of one that was refused, since the model would refuse what follows too; of one that became too long,
        the question and the text alone.
        """
        if self._stop_reason == "refusal":
            return []
        note = "(No answer.)" if problem is None else f"(The answer ends here. {problem.message})"
        if self._stop_reason == "model_context_window_exceeded":
            content = [{"type": "text", "text": self._text or note}]
            return [self._blocks[0], {"role": "assistant", "content": content}]
        return closed(self._blocks, note)


def _asked(model: str, sent: Mapping[str, Any]) -> dict[str, str]:
    """What a span says of a request: the last message, since those before it are in the spans before."""
    last = json.dumps(sent["messages"][-1])
    return {"llm.model_name": model, "input.value": last, "input.mime_type": "application/json"}


def _replied(reply: Reply) -> dict[str, str | int]:
    """What a span says of a reply."""
    return {
        "output.value": json.dumps(reply.content),
        "output.mime_type": "application/json",
        "llm.token_count.prompt": reply.usage.read,
        "llm.token_count.completion": reply.usage.output,
        "llm.token_count.total": reply.usage.total,
    }


# -- tools


def _use(toolbox: Toolbox, uses: Sequence[Block], parent_id: str, patience: Patience) -> list[Block]:
    """The results, in the order in which they were asked for; a failure is a result too.

    Waits hardly longer than `patience`: what is not ready by then has a result that says so.
    """
    pool = ThreadPoolExecutor(min(_MOST_TOOLS, len(uses)), thread_name_prefix="asof-tool")
    running = [pool.submit(copy_context().run, _used, toolbox, block, parent_id) for block in uses]
    pending: set[Future[Block]] = set(running)
    while pending and not patience.over:
        pending = wait(pending, timeout=BLINK).not_done
    pending = wait(pending, timeout=BLINK).not_done
    pool.shutdown(wait=False, cancel_futures=True)
    return [
        refused(block, "The tool stopped before it finished.") if future in pending else future.result()
        for block, future in zip(uses, running, strict=True)
    ]


def _used(toolbox: Toolbox, block: Block, parent_id: str) -> Block:
    name, given = block["name"], block["input"]
    spoken = {"tool.name": name, "input.value": json.dumps(given), "input.mime_type": "application/json"}
    with telemetry.span("TOOL", name, spoken) as span:
        try:
            text = toolbox.for_model(toolbox.call(name, given, parent_id=parent_id))
        except AsofError as error:
            telemetry.failed(span, str(error))
            return refused(block, delimited(name, str(error)))
        except Exception as error:  # noqa: BLE001 - the model is told, and goes on
            _log.exception("A tool failed.", tool=name)
            telemetry.failed(span, type(error).__name__)
            return refused(block, delimited(name, "The tool failed. Try another one, or say that you found no answer."))
        span.set_attribute("output.value", text)
    return {"type": "tool_result", "tool_use_id": block["id"], "content": delimited(name, text)}
