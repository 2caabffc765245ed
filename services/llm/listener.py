"""What the loop over a model is given to say, who hears it, and what it leaves behind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from services.core.answer_records import FailureKind

SpokenState = Literal["done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system prompt, and the version that traces name it by."""

    text: str
    version: str


class Listener(Protocol):
    """Who hears an answer while it is made. Every call comes from the thread that makes the answer."""

    def text(self, delta: str) -> None:
        """More of the answer's text."""

    def thinking(self, delta: str) -> None:
        """More of what the model thinks."""

    def waiting(self, reason: str, seconds: float) -> None:
        """The endpoint makes us wait so many seconds more, said once a second; a reason of "" says that it is over."""


class NullListener(Listener):
    """Hears nothing, for whoever wants the answer alone."""

    def text(self, delta: str) -> None:
        """Ignore it."""

    def thinking(self, delta: str) -> None:
        """Ignore it."""

    def waiting(self, reason: str, seconds: float) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What came of a question to a model. It is whole where `state` is "done"; else `problem` and `hint` say why not.

    `text` is what was said last, without what went before a call of a tool. `blocks` are the turn's raw messages,
    ready for JSON: those of earlier turns, then these, can be sent again as they stand. They are empty where nothing
    of the turn may be sent again. Tokens include those that the cache was read or written with; `cost` is in US
    dollars, None where the model has no price.
    """

    text: str
    blocks: tuple[Mapping[str, Any], ...]
    stop_reason: str
    state: SpokenState
    prompt_version: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    problem: str = ""
    hint: str = ""
    failure: FailureKind = ""
