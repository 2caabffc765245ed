"""What does a call over MCP cost, and do answers at a pin hold, against Graphiti's own MCP server on the same graph?

    cli.py bench mcp [--calls 400] [--questions 200] [--graphiti FOLDER]

The demo goes into a Neo4j of the benchmark's own (Java 17), which the real app serves. Each call is made over HTTP, on
a kept connection in the revision 2026-07-28, and in this process on a copy of the mirror, in turn. Then both servers
are asked the same questions, each at an instant of its own: ours on a connection that is pinned to it on both clocks,
Graphiti's `search_memory_facts`, which takes no instant, as it is and with the bound on starts that it has. FOLDER is
`mcp_server` of a checkout of getzep/graphiti; its server runs unchanged. Embeddings are ours for both; there is no
model. Counted are facts that were not true, or not yet known, at the pin. Two tables in Markdown are printed.
"""

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import batched
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.search import EDGES_AT_ONCE
from services.agent.app import App
from services.bootstrap import build_services
from services.core import time_rule
from services.core.announcement import running_app
from services.core.config import Settings
from services.core.models import Fact, Instants
from services.graph import cypher
from services.jobs.demo import LOCAL_MODEL, WORKSPACE
from services.mcp.access import Access
from services.mcp.calls import call
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.hits import label
from services.retrieval.items import text_key
from tests.browser.server import free_port, run_command, running
from tools.neo4j_server import Neo4jServer, missing

PASSWORD = "open sesame"
MOST_FACTS = 20
"""As many as `search_knowledge_graph` gives at the most."""
FIRST, LAST = datetime(2002, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
REVISION = "2026-07-28"


def main() -> None:
    options = argparse.ArgumentParser(prog="bench mcp", description="cost of calls over MCP, and answers at a pin")
    options.add_argument("--calls", type=int, default=400, help="how often each call is made")
    options.add_argument("--questions", type=int, default=200, help="how many questions both servers are asked")
    options.add_argument("--graphiti", type=Path, metavar="FOLDER", help="mcp_server of a checkout of getzep/graphiti")
    chosen = options.parse_args()
    if need := missing():
        sys.exit(f"Install {need} first.")
    with filled_neo4j() as (home, settings), running(home, free_port(), settings) as url, copied(home, settings) as app:
        facts = app.bridge.run(every_fact(app))
        served = running_app(home)
        assert served is not None
        with HttpTools(url) as http:
            print(*measure_calls(http, served.pid, app, facts, chosen.calls), sep="\n", flush=True)
            asked = questions(facts, chosen.questions)
            answers = {"Asof": [http.facts(question) for question in asked]}
        if chosen.graphiti:
            set_vectors(app, facts)
            with embeddings() as address:
                answers |= anyio.run(graphitis, chosen.graphiti, settings, address, asked)
        print(*judged(asked, answers, facts), sep="\n")


@contextmanager
def filled_neo4j() -> Iterator[tuple[Path, dict[str, str]]]:
    """A data folder and the settings of a Neo4j with the demo in it."""
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        server = Neo4jServer(Path(folder) / "neo4j", password=PASSWORD)
        server.start()
        try:
            home = Path(folder) / "home"
            home.mkdir()
            settings = {"ASOF_GRAPH_URL": server.address, "ASOF_GRAPH_USER": "neo4j", "ASOF_GRAPH_PASSWORD": PASSWORD}
            run_command(home, ["demo"], settings)
            yield home, settings
        finally:
            server.stop()


@contextmanager
def copied(home: Path, settings: Mapping[str, str]) -> Iterator[App]:
    """Services of this process on a copy of a data folder, as the app has it."""
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        own = shutil.copytree(
            home, Path(folder) / "home", ignore=shutil.ignore_patterns("*.log", "app.json*", "*.lock")
        )
        url, user, password = settings.values()
        services = build_services(Settings(home=own, graph_url=url, graph_user=user, graph_password=password))
        try:
            yield services
        finally:
            services.close()


async def every_fact(app: App) -> list[Fact]:
    """The demo's facts, always in the same order."""
    facts = [fact async for batch in app.graph.scan_facts(WORKSPACE) for fact in batch]
    return sorted(facts, key=lambda fact: (fact.source, fact.relation, fact.target, str(fact.valid_at)))


# -- what a call costs


class HttpTools:
    """The tools of the app, on one kept connection."""

    def __init__(self, url: str) -> None:
        self._address, self._client = f"{url}/mcp?workspace={WORKSPACE}", httpx.Client(timeout=60)
        client = {"name": "bench", "version": "1"}
        self._meta = {
            PROTOCOL_VERSION_META_KEY: REVISION,
            CLIENT_INFO_META_KEY: client,
            CLIENT_CAPABILITIES_META_KEY: {},
        }

    def __enter__(self) -> "HttpTools":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def ask(self, method: str, pin: str = "", **parameters: Any) -> dict[str, Any]:
        """The result of a method; whatever failed ends the benchmark."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**parameters, "_meta": self._meta}}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": REVISION}
        headers |= {"Mcp-Method": method} | ({"Mcp-Name": parameters["name"]} if "name" in parameters else {})
        answer = self._client.post(self._address + pin, json=body, headers=headers).json()
        assert not answer.get("result", {"isError": True}).get("isError"), answer
        return dict(answer["result"])

    def facts(self, question: "Question") -> "FoundFacts":
        """What `search_knowledge_graph` finds on a connection that is pinned to the question's instant."""
        at = quote(question.at.isoformat())
        pin = f"&as_of={at}&known_at={at}"
        began = time.perf_counter()
        arguments = {"query": question.text}
        found = self.ask("tools/call", pin, name="search_knowledge_graph", arguments=arguments)
        return FoundFacts([fact["uuid"] for fact in found["structuredContent"]["facts"]], since(began))


def since(began: float) -> float:
    """Milliseconds."""
    return (time.perf_counter() - began) * 1000


def measure_calls(http: HttpTools, server: int, app: App, facts: Sequence[Fact], count: int) -> Iterator[str]:
    """Each call over HTTP and in this process, one after the other, so that both meet the same other work. Processor
    time is the server's and this process's, which other work does not change."""
    chance = random.Random(2026)
    names = [fact.source for fact in chance.choices(facts, k=count)]
    dates = [(FIRST + (LAST - FIRST) * chance.random()).date().isoformat() for _ in names]
    calls = {
        "facts_at": [{"entity": name, "as_of": date} for name, date in zip(names, dates, strict=True)],
        "search_entities": [{"query": name} for name in names],
    }
    yield "| call | how often | HTTP: median | p95 | in process: median | p95 | p95 apart | processor time | goal |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---|"
    access = Access(workspaces=(WORKSPACE,))
    for name, each in calls.items():
        over, within = CallTimes(partial(processor_time, server)), CallTimes(time.process_time)
        for given in [each[0], *each]:
            over.time(partial(http.ask, "tools/call", name=name, arguments=given))
            within.time(partial(call, app, access, name, given))
        apart = p95(over.milliseconds) - p95(within.milliseconds)
        yield f"| `{name}` | {count} | {over} | {within} | {apart:.1f} ms | {over.cost} against {within.cost} | 15 ms |"
    listed = CallTimes(partial(processor_time, server))
    for _ in range(count + 1):
        listed.time(partial(http.ask, "tools/list"))
    yield f"| listing tools | {count} | {listed} | | | | {listed.cost} | 10 ms |"


class CallTimes:
    """The times of calls; what the first one makes once is left out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._all = clock, list[tuple[float, float]]()

    def time(self, work: Callable[[], Any]) -> None:
        """Do something, and keep how long it took."""
        processor, began = self._clock(), time.perf_counter()
        work()
        self._all.append((since(began), 1000 * (self._clock() - processor)))

    @property
    def milliseconds(self) -> list[float]:
        """How long each took."""
        return [taken for taken, _ in self._all[1:]]

    @property
    def cost(self) -> str:
        """Processor time of one, on average."""
        return f"{statistics.mean(cost for _, cost in self._all[1:]):.1f} ms"

    def __str__(self) -> str:
        return figures(self.milliseconds)


def processor_time(process: int) -> float:
    """Seconds that a process has worked, in steps of hundredths: the kernel counts no finer."""
    spent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def p95(milliseconds: Sequence[float]) -> float:
    return sorted(milliseconds)[min(len(milliseconds) - 1, int(0.95 * len(milliseconds)))]


def figures(milliseconds: Sequence[float]) -> str:
    return f"{statistics.median(milliseconds):.1f} ms | {p95(milliseconds):.1f} ms"


# -- what is true at a pin


@dataclass(frozen=True)
class Question:
    """A question, and the instant at which it is asked, on both clocks."""

    text: str
    at: datetime


@dataclass(frozen=True)
class FoundFacts:
    """The facts that a server gave, and after how many milliseconds."""

    uuids: list[str]
    milliseconds: float = field(default=0.0)


def questions(facts: Sequence[Fact], count: int) -> list[Question]:
    """Each after a fact, up to four years after that began."""
    chance = random.Random(18)
    dated = [fact for fact in facts if fact.valid_at]
    return [
        Question(
            f"{fact.source} {fact.relation.replace('_', ' ').lower()}",
            min(LAST, (fact.valid_at or FIRST) + timedelta(days=chance.randrange(1, 1_500))),
        )
        for fact in chance.sample(dated, count)
    ]


def judged(
    asked: Sequence[Question], answers: Mapping[str, Sequence[FoundFacts]], facts: Sequence[Fact]
) -> Iterator[str]:
    """What was wrong with what each server gave, by the rule of time and the records of the graph."""
    known = {fact.uuid: fact for fact in facts}
    yield "| server | questions | facts | not true at the pin | of these | questions with one | median | p95 |"
    yield "|---|---:|---:|---:|---|---:|---:|---:|"
    for server, given in answers.items():
        wrong, spoilt, total = Counter[str](), 0, 0
        for question, answer in zip(asked, given, strict=True):
            at = Instants(question.at, question.at)
            bad = [known[uuid] for uuid in answer.uuids if not time_rule.true_at(known[uuid], at)]
            wrong.update(label(fact, at) for fact in bad)
            spoilt, total = spoilt + bool(bad), total + len(answer.uuids)
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in wrong.most_common())
        share = f"{wrong.total():,} ({wrong.total() / max(1, total):.0%})"
        times = figures([answer.milliseconds for answer in given])
        yield f"| {server} | {len(asked)} | {total:,} | {share} | {kinds} | {spoilt} | {times} |"


# -- Graphiti's server


async def graphitis(
    folder: Path, settings: Mapping[str, str], address: str, asked: Sequence[Question]
) -> dict[str, list[FoundFacts]]:
    """What Graphiti's server gives as a client asks it, and with the bound on starts that it offers."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        json.dump(configuration(settings, address), config)  # JSON is YAML too
        config.flush()
        program = Path(__file__).parent / "peers/graphiti_mcp.py"
        command = StdioServerParameters(
            command=sys.executable,
            args=[str(program), str(folder.resolve()), config.name],
            env={**os.environ, "GRAPHITI_TELEMETRY_ENABLED": "false"},
        )
        with (folder / "server.log").open("w") as log:
            async with Client(stdio_client(command, errlog=log), mode="legacy") as client:
                await searched(client, asked[0])
                return {
                    "Graphiti's": [await searched(client, one) for one in asked],
                    "Graphiti's, `valid_at_before` the pin": [
                        await searched(client, one, valid_at_before=one.at.isoformat()) for one in asked
                    ],
                }


async def searched(client: Client, question: Question, **bounds: str) -> FoundFacts:
    given = {"query": question.text, "group_ids": [WORKSPACE], "max_facts": MOST_FACTS, **bounds}
    began = time.perf_counter()
    found = await client.call_tool("search_memory_facts", given)
    answer = found.structured_content or {}
    answer = answer.get("result", answer)
    assert "facts" in answer, found
    return FoundFacts([fact["uuid"] for fact in answer["facts"]], since(began))


def configuration(settings: Mapping[str, str], address: str) -> dict[str, Any]:
    """The configuration of Graphiti's server: our embeddings, and a model at the same address, which is never asked."""
    uri, user, password = settings.values()
    providers = {"openai": {"api_key": "none", "api_url": address}}
    return {
        "server": {"transport": "stdio", "host": "", "port": 0},
        "llm": {"provider": "openai", "model": "none", "providers": providers},
        "embedder": {
            "provider": "openai",
            "model": LOCAL_MODEL.name,
            "dimensions": LOCAL_MODEL.dimension,
            "providers": providers,
        },
        "database": {
            "provider": "neo4j",
            "providers": {"neo4j": {"uri": uri, "username": user, "password": password, "database": "neo4j"}},
        },
        "graphiti": {"group_id": WORKSPACE, "entity_types": []},
    }


def set_vectors(app: App, facts: Sequence[Fact]) -> None:
    """Put each fact's vector on its edge, where Graphiti looks for it."""
    database = app.graph._db  # type: ignore[attr-defined]
    vectors, _ = app.mirrors.of(WORKSPACE).vectors.of([text_key(fact.text) for fact in facts], LOCAL_MODEL)
    statement = f"MATCH {cypher.fact(database, 'uuid: row[0]')} SET e.fact_embedding = {database.vector('row[1]')}"
    for some in batched(zip(facts, vectors, strict=True), EDGES_AT_ONCE):
        rows = database.packed([[fact.uuid, vector.tolist()] for fact, vector in some])
        app.bridge.run(database.write(WORKSPACE, f"UNWIND $rows AS row {statement}", rows=rows), None)


@contextmanager
def embeddings() -> Iterator[str]:
    """The address of our embedder, as OpenAI's is asked."""
    embedder = LocalEmbedder()

    async def embed(request: Request) -> JSONResponse:
        asked = await request.json()
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        vectors = [embedder.embed_question(text).tolist() for text in texts]
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        return JSONResponse({"object": "list", "data": data, "model": asked["model"], "usage": usage})

    web = Starlette(routes=[Route("/v1/embeddings", embed, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(web, log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    main()
