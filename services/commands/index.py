"""`index`: see to what finds things."""

from typing import TYPE_CHECKING, Annotated

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.command import Command, Terminal
from services.core.json_documents import Json
from services.core.wording import counted

if TYPE_CHECKING:
    from services.context import Services


class IndexArguments(Arguments):
    """`anew` forgets the vectors first, whichever model made them."""

    anew: Annotated[bool, option(help="forget the vectors first: after a change of model")] = False


def index(services: "Services", arguments: IndexArguments, run: Run) -> Json:
    """Give everything a vector, link what means the same, and group the sections of documents by what they are on."""
    from services.retrieval.items import KINDS
    from services.writing.linking import link_chunks, rebuild_section_types

    workspace = arguments.existing_workspace(services)
    workspace.sync()
    if arguments.anew:
        services.indexes.embed_anew(workspace.name, run.progress, run.cancel)
    ready = services.indexes.prepare(workspace.name, run.progress, run.cancel)
    counts = {kind: int(ready.alive[kind].sum()) for kind in KINDS}
    links, types = link_chunks(workspace), rebuild_section_types(workspace)
    return {"model": services.indexes.embedder.name, "items": counts, "links": links, "section_types": len(types)}


def start(terminal: Terminal) -> int:
    """Make a workspace's index whole."""
    return terminal.show(terminal.ask("index"), indexed_text)


def indexed_text(document: Json) -> str:
    """Return what can be found."""
    items = document["items"]
    facts, passages = counted(items["fact"], "fact"), counted(items["chunk"], "passage")
    found = f"{facts}, {passages} and {counted(items['entity'], 'entity', 'entities')}"
    made = f"{counted(document['links'], 'link')}, {counted(document['section_types'], 'section type')}"
    return f"{found}, embedded with {document['model']}; {made}"


COMMAND = Command(
    "index",
    "index new text for search by meaning, and group similar sections",
    start,
    {"index": Request(IndexArguments, index)},
)
