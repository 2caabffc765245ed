"""The commands of the terminal as plain functions: typed arguments in, a document for JSON out.

`COMMANDS` is the one table of them. The CLI calls them in its own process, or asks the running app for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from services.commands.ask import AskArguments, AskBatchArguments, ask, ask_batch
from services.commands.base import Arguments, Run
from services.commands.demo import DemoArguments, demo
from services.commands.diff import DiffArguments, diff
from services.commands.facts import FactsArguments, FactsBatchArguments, facts, facts_batch
from services.commands.history import HistoryArguments, history
from services.commands.import_facts import ImportArguments, import_
from services.commands.ingest import IngestArguments, ingest
from services.commands.search import (
    IndexArguments,
    SearchArguments,
    SearchBatchArguments,
    index,
    search,
    search_batch,
)
from services.commands.users import UserArguments, user
from services.core.errors import BadInput
from services.core.json_documents import Document
from services.queries.facts_at import (
    reason,
)

if TYPE_CHECKING:
    from services.agent.app import App


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its arguments' type and its function."""

    arguments: type[Arguments]
    function: Callable[["App", Any, Run], Document]

    def read(self, given: Mapping[str, Any] | bytes) -> Arguments:
        """Arguments from values, or from a request's JSON.

        Raises `BadInput` that names the first that is missing or of the wrong kind.
        """
        try:
            if isinstance(given, bytes):
                return self.arguments.model_validate_json(given)
            return self.arguments.model_validate(dict(given))
        except ValidationError as error:
            raise BadInput(reason(error)) from error


COMMANDS: Mapping[str, Command] = {
    "facts": Command(FactsArguments, facts),
    "facts-batch": Command(FactsBatchArguments, facts_batch),
    "history": Command(HistoryArguments, history),
    "diff": Command(DiffArguments, diff),
    "import": Command(ImportArguments, import_),
    "demo": Command(DemoArguments, demo),
    "ingest": Command(IngestArguments, ingest),
    "search": Command(SearchArguments, search),
    "search-batch": Command(SearchBatchArguments, search_batch),
    "index": Command(IndexArguments, index),
    "ask": Command(AskArguments, ask),
    "ask-batch": Command(AskBatchArguments, ask_batch),
    "user": Command(UserArguments, user),
}


def run_command(services: "App", name: str, given: Mapping[str, Any] | bytes, run: Run) -> Document:
    """Run a command of the table. Raises `BadInput` for arguments that do not fit, and what the command raises."""
    command = COMMANDS[name]
    return command.function(services, command.read(given), run)
