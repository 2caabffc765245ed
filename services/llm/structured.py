"""One document of a given shape from a model: what reading facts from a text asks for, many times for each text."""

import json
import threading
from collections.abc import Mapping
from itertools import count
from typing import Any

from pydantic import BaseModel, ValidationError

from services.core.config import Settings
from services.core.cost import Usage
from services.llm.endpoint import Endpoint
from services.llm.faults import ModelFault, cut_off
from services.llm.listener import NullListener
from services.llm.patience import Patience
from services.llm.reply import Reply

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 16.0
"""Seconds before a request is sent again, doubled each time, where the endpoint does not say."""
_TOO_LONG = 120.0
"""So many seconds are not waited for, even where the endpoint asks for them."""
_TRIES = 3
"""How often a request is sent whose answers have not the form that was asked for."""
_LONGEST_NOTE = 400


class StructuredClient:
    """Asks a model at an open endpoint for documents, from any thread.

    `usage` is the sum over all requests, those included whose answers could not be used.
    """

    def __init__(self, endpoint: Endpoint, settings: Settings, model: str, patience: Patience) -> None:
        self._endpoint, self._settings, self._model, self._patience = endpoint, settings, model, patience
        self._counting = threading.Lock()
        self.usage = Usage()

    def ask(self, system: str, prompt: str, shape: type[BaseModel], most_tokens: int | None = None) -> dict[str, Any]:
        """A document of that shape, of at most so many tokens.

        A request is sent again where that may help. Raises `ModelFault` where it did not, and `Cancelled`.
        """
        note = ""
        for tried in count(1):
            try:
                return self._once(system, prompt + note, shape, most_tokens)
            except ModelFault as problem:
                if tried >= problem.tries:
                    raise
                note = f"\n\n{problem.note}" if isinstance(problem, _Unfit) else ""
                self._wait(problem, tried)
        raise AssertionError("unreachable")

    def _once(self, system: str, prompt: str, shape: type[BaseModel], most_tokens: int | None) -> dict[str, Any]:
        reply = Reply(NullListener())
        sent = self._request(system, prompt, shape, most_tokens)
        try:
            for event in self._endpoint.events(sent, self._patience):
                reply.take(event)
        finally:
            with self._counting:
                self.usage += reply.usage
        if not reply.whole:
            raise cut_off()
        match reply.stop_reason:
            case "max_tokens":
                raise UnusableAnswer(
                    f"The model's answer reached the limit of {sent['max_tokens']:,} tokens.",
                    "Split the text, or raise ASOF_MAX_TOKENS.",
                )
            case "refusal":
                raise UnusableAnswer(
                    "The model declined to read this text.", "Choose another model, or use rule-based extraction."
                )
            case "model_context_window_exceeded":
                raise UnusableAnswer(
                    "The text is longer than the model can read.", "Split the text, or choose another model."
                )
        return _document(reply, shape)

    def _request(self, system: str, prompt: str, shape: type[BaseModel], most_tokens: int | None) -> dict[str, Any]:
        """The arguments of `messages.stream`: the document is the input of a tool that has to be called.

        Servers that know the plain protocol only cannot be told so, and are asked for it in words.
        """
        schema, limit = shape.model_json_schema(), self._settings.max_tokens
        tool = {"name": shape.__name__, "description": "Submit your answer.", "input_schema": schema}
        choice: dict[str, Any] = {"tool_choice": {"type": "tool", "name": shape.__name__}}
        if self._settings.plain_model:
            choice = {}
            prompt += (
                f"\n\nCall the tool {shape.__name__} with your answer, or write its input as JSON and nothing else."
            )
        return {
            "model": self._model,
            "max_tokens": min(most_tokens or limit, limit),
            "system": system,
            "messages": [{"role": "user", "content": prompt}],
            "tools": [tool],
            **choice,
        }

    def _wait(self, problem: ModelFault, tried: int) -> None:
        """Let the time pass that the endpoint wants. Raises `problem` where that is too long."""
        seconds = problem.retry_after
        if seconds is None:
            seconds = min(_FIRST_WAIT * 2 ** (tried - 1), _LONGEST_WAIT)
        if seconds > _TOO_LONG:
            raise problem
        self._patience.pause(seconds)


class UnusableAnswer(ModelFault):
    """A whole answer that holds no document, or none of the form that was asked for."""


class _Unfit(UnusableAnswer):
    """The model may do better when it is told what was wrong: `note` says so."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "The model's answer is not in the requested format.",
            "Try this text again, or choose another model.",
            _TRIES,
            retry_after=0.0,
        )
        self.note = f"(Asof could not use your last answer: {why[:_LONGEST_NOTE]})"


def _document(reply: Reply, shape: type[BaseModel]) -> dict[str, Any]:
    """The document of a reply. Raises `_Unfit` where there is none of that shape."""
    given = next((use["input"] for use in reply.uses if use["name"] == shape.__name__), None)
    if given is None:
        given = _json_in(reply.text)
    try:
        return shape.model_validate(given).model_dump()
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5])
        raise _Unfit(wrong) from None


def _json_in(text: str) -> Mapping[str, Any]:
    """The JSON object that words hold, from its first brace to its last. Raises `_Unfit` where there is none."""
    try:
        given = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        raise _Unfit("the answer contains no JSON object.") from None
    return given if isinstance(given, dict) else {}
