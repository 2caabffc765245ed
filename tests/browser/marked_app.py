"""The app with a workspace in which every text that Asof keeps is a payload, and the addresses that show them."""

import json
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from urllib.parse import urlencode

from services.accounts.account_records import Message
from services.accounts.store import Accounts
from services.core import clock
from services.core.answer_records import ToolCall
from services.core.config import Settings
from services.core.job_records import NewItem
from tests.browser.server import free_port, run_command, running
from tests.files.markup import PAYLOADS
from tests.services.memory.seeds import SEEDS

WORKSPACE = "marked"
# Parameters of addresses. What is asked for by those of the second row hides what the first would show.
_KNOWN = "e", "q", "r", "s", "f", "type", "source", "sql", "workflow", "records", "of"
_UNKNOWN = "c", "m", "call", "run", "before", "step", "open", "section", "review", "database", "memory", "h", "values"


@dataclass(frozen=True)
class MarkedApp:
    """A running app, with the ids of a conversation, and of a run of a workflow, that are full of payloads."""

    url: str
    conversation: str
    run: str

    def addresses(self, page: str, text: str) -> Iterator[str]:
        """Every address at which a page shows a payload."""
        for parameters in (_KNOWN, _UNKNOWN):
            yield self._at(page, **dict.fromkeys(parameters, text))
        match page:
            case "Ask":
                yield self._at(page, c=self.conversation)
            case "SQL":
                column = text.replace('"', '""')
                yield self._at(page, sql=f'SELECT fact AS "{column}" FROM facts ORDER BY fact LIMIT 20')
            case "Workflows":
                yield self._at(page, run=self.run)
                yield self._at(page, workflow=text, edit="1")
            case "Memory":
                yield self._at(page, memory="query_partnerships", args=json.dumps({"partner_id": text}))

    def _at(self, page: str, **parameters: str) -> str:
        return f"{self.url}/{page}?{urlencode({'w': WORKSPACE, **parameters})}"


@contextmanager
def marked_app() -> Iterator[MarkedApp]:
    """The app, until the block ends."""
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    try:
        with running(home, free_port(), {}) as url:
            for command in _commands(home):  # the running app does the work, so no command has to load it
                run_command(home, [*command, "--workspace", WORKSPACE], {})
            settings = Settings(home=home)
            with closing(Accounts(settings.accounts_url, settings.graph_key)) as accounts:
                (run,) = accounts.workflow_runs.of(WORKSPACE)
                conversation = _fill(accounts)
            yield MarkedApp(url, conversation, run.id)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def rows_of(number: int, text: str) -> Iterator[dict[str, str]]:
    """A fact whose names and texts are the payload, and one whose relation and types are, where that may be."""
    year = f"{1990 + number % 30}-01-01"
    texts = {"fact": text, "episode": text, "note": text, "valid_at": year}
    yield {**texts, "source": text, "relation": "KNOWS", "target": PAYLOADS[number - 1]}
    yield {**texts, "source": text, "relation": text, "target": "Hub", "source_type": text, "invalid_at": "2022-01-01"}


def _commands(home: Path) -> Iterator[list[str]]:
    """Fill graph and memory, and run a workflow."""
    facts, documents, memory = home / "facts.json", home / "documents.jsonl", home / "memory.jsonl"
    facts.write_text(json.dumps([row for number, text in enumerate(PAYLOADS) for row in rows_of(number, text)]))
    documents.write_text(
        "".join(json.dumps(_document(n, texts)) + "\n" for n, texts in enumerate(batched(PAYLOADS, 10)))
    )
    memory.write_text("".join(json.dumps(_record(n, text)) + "\n" for n, text in enumerate(PAYLOADS)))
    yield ["import", str(facts), "--rejects", str(home / "bad.json")]
    yield ["ingest", "--documents", str(documents)]
    yield ["memory", "import", str(memory)]
    yield ["workflow", "run", "default", "--goal", f"Who does {PAYLOADS[0]} know? {PAYLOADS[9]}"]


def _document(number: int, texts: tuple[str, ...]) -> dict[str, str]:
    """A document of sections whose headings and paragraphs are payloads."""
    sections = "\n\n".join(f"# {text}\n\n{text}\n\nA paragraph about the Hub." for text in texts)
    format = ("markdown", "text", "html", "rst")[number % 4]
    return {"id": texts[0], "title": texts[1], "text": sections, "format": format}


def _record(number: int, text: str) -> dict[str, object]:
    """A record of an agent's memory, of each type in turn, whose texts are the payload."""
    kept = {"type", "timestamp", "updated_at", "deadline", "severity", "complexity", "status"}
    seed = SEEDS[number % len(SEEDS)]
    texts = {name: _marked(value, text) for name, value in seed.items() if name not in kept}
    return {**seed, **texts, "id": f"record {number} {text}"}


def _marked(value: object, text: str) -> object:
    if isinstance(value, list):
        return [text]
    return text if isinstance(value, str) else value


def _fill(accounts: Accounts) -> str:
    """Keep payloads with the accounts, a few of each kind; returns the id of a conversation of them."""
    user = accounts.users.local()
    accounts.rename(WORKSPACE, PAYLOADS[0])
    workflow = json.loads(Path("services/workflows/default_workflow.json").read_text())
    for text in PAYLOADS[::10]:
        accounts.saved_queries.save(WORKSPACE, text, f"SELECT '{text}", question=text, description=text)
        named = [{**node, "label": text} for node in workflow["nodes"]]
        accounts.workflow_definitions.save(WORKSPACE, {**workflow, "name": text, "description": text, "nodes": named})
        accounts.tokens.add(user, text, workspaces=[WORKSPACE])
        accounts.proposed_calls.add(WORKSPACE, user.id, text, "ingest_text", {"text": text, "title": text})
        job = accounts.jobs.add(WORKSPACE, "documents", text, [NewItem(text, text, {})])
        accounts.jobs.set_state(job, "cancelled", was=["running"])
    return [_conversation(accounts, user.id, text) for text in PAYLOADS[::10]][-1]


def _conversation(accounts: Accounts, user_id: str, text: str) -> str:
    """A question and an answer that failed half-way, with its call; returns the id."""
    chat, now = accounts.conversations.create(user_id, WORKSPACE, text), clock.now()
    question = Message(str(uuid.uuid4()), chat.id, "user", text, now)
    answer = Message(
        str(uuid.uuid4()), chat.id, "assistant", text, now, question.id, "failed", problem=text, hint=text, note=text
    )
    for message in (question, answer):
        accounts.conversations.add(message)
    call = ToolCall(str(uuid.uuid4()), "search", {"query": text}, now, output=[text], summary=text, error=text)
    accounts.conversations.put_calls(answer.id, [call])
    accounts.conversations.thumb(answer.id, -1, text)
    accounts.cases.add(answer.id)
    return chat.id
