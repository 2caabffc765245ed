"""What the Ask page adds to the view: the conversation, the answer that is looked at, and what of it is open."""

from dataclasses import dataclass
from typing import Annotated, Any

from components import state
from components.address import AddressPart, Parameter, number


@dataclass(frozen=True, slots=True)
class AskView(AddressPart):
    """A conversation, and the message that is looked at in it: a question or an answer.

    Of an answer, `cited` is the number of the source that is open, `call` the id of the open call, and `beside` another
    answer to compare it with.
    """

    chat: Annotated[str | None, Parameter("c")] = None
    message: Annotated[str | None, Parameter("m")] = None
    call: Annotated[str | None, Parameter("call")] = None
    beside: Annotated[str | None, Parameter("beside")] = None
    cited: Annotated[int | None, Parameter("cited", number(range(1, 10000)))] = None


def look_at(message: str | None, **changes: Any) -> None:
    """Look at an answer of the conversation, with nothing of another one open; for callbacks."""
    state.update(AskView, **{"message": message, "cited": None, "call": None, "beside": None} | changes)
