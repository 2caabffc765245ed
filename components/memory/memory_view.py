"""What the Memory page adds to the view: the query with its inputs, or the words that are searched for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from components.address import AddressPart, Parameter, Spelling
from services.core.json_documents import json_text, read_json


def _read(text: str) -> tuple[tuple[str, Any], ...]:
    document = read_json("The link", text)
    if not isinstance(document, dict):
        raise ValueError("not an object")
    return inputs_of(document)


def inputs_of(given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return inputs as the view keeps them."""
    pairs = ((name, tuple(value) if isinstance(value, list) else value) for name, value in given.items())
    return tuple(sorted(pairs))


_INPUTS = Spelling(_read, lambda pairs: json_text(dict(pairs)))


@dataclass(frozen=True, slots=True)
class MemoryView(AddressPart):
    """`query` is the name of the one that was asked, with its `inputs`; `words` are those that records are found by."""

    query: Annotated[str | None, Parameter("memory")] = None
    inputs: Annotated[tuple[tuple[str, Any], ...], Parameter("args", _INPUTS)] = ()
    words: Annotated[str, Parameter("records")] = ""

    @property
    def given(self) -> dict[str, Any]:
        """The inputs by name."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.inputs}
