"""What a tool is: a typed function whose docstring a model reads, and what it returns."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from services.context import OpenWorkspace
from services.core import clock
from services.core.cost import Usage
from services.core.errors import BadInput
from services.core.models import Chunk, Document, Fact, Instants
from services.core.toolsets import Toolset
from services.mirror.mirror import Mirror
from services.queries.facts_at import reason


@dataclass(frozen=True, slots=True)
class Context:
    """What every tool works on: a workspace, at the two clocks. An instant that nobody gave is None.

    `client` is who asks from outside the chat. A tool that writes does it for the user `user_id`; what it begins has
    the id `call_id` (a uuid), so that the same call begins it once. `model` is the one that a tool may ask; where it is
    empty a tool does without.
    """

    workspace: OpenWorkspace
    as_of: datetime | None = None
    known_at: datetime | None = None
    user_id: str | None = None
    call_id: str | None = None
    client: str | None = None
    model: str = ""

    @property
    def at(self) -> Instants:
        """The two clocks; now, where nobody gave an instant."""
        now = clock.now()
        return Instants(self.as_of or now, self.known_at or now)

    @property
    def mirror(self) -> Mirror:
        """The workspace's read model."""
        return self.workspace.mirror


@dataclass(frozen=True, slots=True)
class ResultItem:
    """One thing that a tool found: what a model reads of it, and the record behind it.

    `nodes` are the names of the entities in it; a model gets twenty at most.
    """

    text: str
    fact: Fact | None = None
    chunk: Chunk | None = None
    document: Document | None = None
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found. `document` is all of it for JSON: for traces, MCP, REST and the analyst without a model.

    A model reads `heading`, then items as far as they fit, then `truncation` with `{total}` filled in where some do
    not; without any items it reads `message`. `rows` are what a citation of the whole result stands for. `total` is
    how many there are, shown or not; where a search stops at a limit nobody knows that, and `is_whole` is False.
    `usage` are the tokens that the tool itself took of the context's model, `cost` what they cost in US dollars.
    """

    document: Any
    items: tuple[ResultItem, ...] = ()
    total: int = 0
    heading: str = ""
    message: str = ""
    truncation: str = "{total} in all. Narrow the call."
    summary: str = ""
    rows: tuple[Mapping[str, Any], ...] = ()
    is_whole: bool = True
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None


@dataclass(frozen=True)
class Tool:
    """A tool of the registry. `run` takes a context and the inputs by name; its docstring is the description.

    `exact` makes of inputs those that an analyst has to see before a tool that `writes` is run: it raises `BadInput`
    where they cannot be used.
    """

    toolset: Toolset
    run: Callable[..., ToolResult]
    writes: bool = False
    exact: Callable[[Context, Mapping[str, Any]], Mapping[str, Any]] | None = None
    ignores_strangers: bool = False

    @property
    def name(self) -> str:
        """The name that models and clients call it by."""
        return self.run.__name__

    @property
    def description(self) -> str:
        """What a model reads of it."""
        return inspect.getdoc(self.run) or ""

    @cached_property
    def inputs(self) -> type[BaseModel]:
        """The inputs as a model that checks them; strangers are refused, or left out where the tool ignores them."""
        parameters = list(inspect.signature(self.run, eval_str=True).parameters.values())[1:]
        fields: dict[str, Any] = {
            p.name: (p.annotation, ... if p.default is inspect.Parameter.empty else p.default) for p in parameters
        }
        return create_model(
            self.name,
            __config__=ConfigDict(extra="ignore" if self.ignores_strangers else "forbid", frozen=True),
            **fields,
        )

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the inputs, without the two clocks, which the caller binds."""
        schema = self.inputs.model_json_schema()
        schema.pop("title", None)
        for part in schema.get("properties", {}).values():
            part.pop("title", None)
        return schema

    def __call__(self, context: Context, given: Mapping[str, Any]) -> ToolResult:
        """Run the tool. Raises `BadInput` that names the field for an input that cannot be used, and what it raises."""
        checked = self.exactly(context, given)
        return self.run(context, **{name: checked[name] for name in self.inputs.model_fields})

    def exactly(self, context: Context, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The inputs that the tool would run with, for JSON. Raises `BadInput` that names the field, as a call does."""
        try:
            checked = self.inputs.model_validate(dict(given))
        except ValidationError as error:
            hint = f"The inputs of {self.name} are: {', '.join(self.inputs.model_fields)}."
            raise BadInput(reason(error), hint) from error
        inputs = {name: getattr(checked, name) for name in self.inputs.model_fields}
        return inputs if self.exact is None else self.exact(context, inputs)
