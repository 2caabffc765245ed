"""How fast is a search over facts, documents and entities, against Graphiti's search on the same graph?

    cli.py bench search [--facts 50000] [--chunks 20000] [--searches 1000] [--keep] [--vectors FOLDER]

Generated facts and documents go into the embedded database in a folder of the benchmark's own. Their texts are of the
embedding model's own words, the frequent ones often, and name the entities. Each question is asked once, so that its
vector has to be made; half of those known at an instant are known now, since what was ingested today was not known
before. Graphiti searches facts alone, by the same vectors on its edges; ours searches everything. Vectors are kept, so
that a second run is quick. One table in Markdown is printed.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate, batched, islice
from pathlib import Path
from typing import Any

from graphiti_core import Graphiti
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.search.search_config_recipes import EDGE_HYBRID_SEARCH_RRF
from graphiti_core.search.search_filters import ComparisonOperator, DateFilter, SearchFilters

from benchmarks.asof import times
from benchmarks.peers.graphiti_driver import graphiti_driver
from benchmarks.retrieval import KeptVectors
from services.agent import App
from services.bootstrap import build_services
from services.commands.search import SearchBatchArguments
from services.core import clock, time_rule
from services.core.announcement import running_app
from services.core.client import ask
from services.core.config import EMBEDDED, Settings
from services.core.models import Document, Entity, Fact, GraphWrite, Instants
from services.documents.structure import structured
from services.documents.versions import NewDocument
from services.graph import cypher
from services.mirror.vectors import VectorModel
from services.retrieval import index_file, minilm
from services.retrieval.catalog import items_of
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.hits import label
from services.retrieval.indexes import Indexes
from services.retrieval.items import chunk_item, entity_item, text_key
from services.retrieval.query import Query
from services.writing.documents import ingest_documents
from tests.fakes.scripted_llm import NoRanking, ScriptedLLM

ROOT, WORKSPACE = Path(__file__).resolve().parent.parent, "bench_search"
START, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2026, 6, 30, tzinfo=UTC)
RECORDED_BY = datetime(2026, 9, 1, tzinfo=UTC)
K, PEER_SEARCHES, LOADS, AT_ONCE, EDGES_AT_ONCE = 8, 100, 5, 50, 500
FACTS_PER_ENTITY, CHUNKS_PER_DOCUMENT, ADDED_DOCUMENTS, WORDS = 5, 5, 20, 12_000
RELATIONS = {
    ("person", "company"): (
        ("WORKS_AT", "works at"), ("ADVISES", "advises"), ("FOUNDED", "founded"), ("LEADS", "leads")),
    ("person", "place"): (("LIVES_IN", "lives in"), ("BORN_IN", "was born in"), ("MOVED_TO", "moved to")),
    ("person", "person"): (("KNOWS", "knows"), ("MARRIED_TO", "is married to"), ("TAUGHT", "taught")),
    ("company", "place"): (("BASED_IN", "is based in"), ("OPENED_IN", "opened an office in")),
    ("company", "company"): (("SUPPLIES", "supplies"), ("OWNS", "owns"), ("SUED", "went to court with")),
    ("company", "person"): (("HIRED", "hired"), ("OWES", "owes money to")),
}  # fmt: skip
HEADINGS = ("Summary", "Education", "Experience", "Projects", "Skills", "Background", "History", "Method", "Results")
BEGUN_OPEN_LATER = (ComparisonOperator.less_than_equal, ComparisonOperator.is_null, ComparisonOperator.greater_than)


class Words:
    """Words of the embedding model's vocabulary, which has the frequent ones first: the n-th comes 1/n as often."""

    def __init__(self, chance: random.Random) -> None:
        known = minilm.tokenizer().get_vocab()
        plain = (word for word in sorted(known, key=known.__getitem__) if word.isascii() and word.isalpha())
        self._words = list(islice((word for word in plain if len(word) > 1), WORDS))
        self._sums = list(accumulate(1 / (rank + 3) for rank in range(len(self._words))))
        self._chance = chance

    def some(self, least: int, most: int) -> list[str]:
        """So many words."""
        return self._chance.choices(self._words, cum_weights=self._sums, k=self._chance.randint(least, most))

    def sentence(self, name: str = "") -> str:
        """A sentence with this name in it."""
        words = self.some(8, 18)
        if name:
            words.insert(self._chance.randrange(1, len(words)), name)
        return f"{words[0].capitalize()} {' '.join(words[1:])}."


@dataclass
class Data:
    """What is searched; the last documents are added later. `texts` are those that get vectors, each once."""

    entities: list[Entity]
    facts: list[Fact]
    documents: list[NewDocument]
    chunks: list[str]
    texts: list[str]

    @classmethod
    def of(cls, facts: int, chunks: int) -> "Data":
        """Facts and documents, the same for the same numbers."""
        chance = random.Random(2026)
        words = Words(chance)
        entities = [_entity(number, words, chance) for number in range(max(20, facts // FACTS_PER_ENTITY))]
        pick = _picking(entities, chance)
        data = cls(entities, [_fact(number, pick, words, chance) for number in range(facts)], [], [], [])
        data.texts += (fact.text for fact in data.facts)
        data.texts += (text for e in entities for text in entity_item(e.uuid, e.name, e.types, e.summary).embedded)
        for number in range(chunks // CHUNKS_PER_DOCUMENT + ADDED_DOCUMENTS):
            data._add(_document(number, pick, words, chance))
        data.texts = list(dict.fromkeys(data.texts))
        return data

    def _add(self, new: NewDocument) -> None:
        """A document, its chunks, and the texts that get vectors when it is ingested."""
        whole = structured(Document(new.id, new.title, "", "", new.path, format=new.format or "text"), new.text)
        self.documents.append(new)
        self.chunks += (chunk.text for chunk in whole.chunks)
        self.texts += (text for item in items_of(whole) for text in item.embedded)
        self.texts += (*(section.name for section in whole.sections), *(chunk.text for chunk in whole.chunks))


def _picking(entities: Sequence[Entity], chance: random.Random) -> Callable[[str], Entity]:
    """Gives entities of a type, some of them far more often than others."""
    by_type = {kind: [e for e in entities if e.types == (kind,)] for kind in ("person", "company", "place")}
    sums = {kind: list(accumulate((rank + 10) ** -0.7 for rank in range(len(own)))) for kind, own in by_type.items()}
    return lambda kind: chance.choices(by_type[kind], cum_weights=sums[kind])[0]


def _entity(number: int, words: Words, chance: random.Random) -> Entity:
    kind = ("person", "person", "person", "company", "company", "place")[number % 6]
    if kind == "person":
        name = f"{_given(chance.randrange(400))} {_given(1_000 + chance.randrange(3_000))}"
    elif kind == "company":
        name = f"{_given(5_000 + number)} {chance.choice(('Group', 'Works', 'Bank', 'Labs', 'Institute'))}"
    else:
        name = f"{_given(20_000 + number)}{chance.choice(('ton', 'burg', 'ville', 'mouth', ''))}"
    summary = words.sentence() if number % 3 == 0 else ""
    return Entity(f"entity-{number}", name, (kind,), summary, START)


def _given(number: int) -> str:
    """An invented name, always the same for a number."""
    chance = random.Random(number)
    syllables = [chance.choice("bdfghjklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randint(2, 3))]
    return ("".join(syllables) + chance.choice(("", "n", "r", "s", "l"))).capitalize()


def _fact(number: int, pick: Callable[[str], Entity], words: Words, chance: random.Random) -> Fact:
    ends = chance.choice(list(RELATIONS))
    source, target = map(pick, ends)
    relation, words_for = chance.choice(RELATIONS[ends])
    start = START + (LAST - START) * chance.random()
    end = start + timedelta(days=1 + chance.randrange(3_000)) if chance.random() < 0.5 else None
    known = min(start + timedelta(days=chance.randrange(400)), RECORDED_BY)
    learned = max(known, end) + timedelta(days=chance.randrange(200)) if end and chance.random() < 0.8 else None
    withdrawn = known + timedelta(days=1 + chance.randrange(500)) if chance.random() < 0.02 else None
    learned, withdrawn = (at and min(at, RECORDED_BY) for at in (learned, withdrawn))
    believed = start + timedelta(days=9_000) if learned and chance.random() < 0.1 else None
    text = f"{source.name} {words_for} {target.name} {' '.join(words.some(3, 9))}."
    return Fact(
        f"fact-{number}", source.uuid, target.uuid, source.name, relation, target.name, text,
        None if chance.random() < 0.03 else start, end, known, learned, withdrawn, believed,
    )  # fmt: skip


def _document(number: int, pick: Callable[[str], Entity], words: Words, chance: random.Random) -> NewDocument:
    """Every second one has headings; of the others every second has a title."""
    subject = pick(chance.choice(("person", "company"))).name
    title = f"{chance.choice(('Profile', 'Report', 'Notes'))} {number} on {subject}"
    least = 110 if number % 2 else 60  # shorter ones without headings would be put together in a chunk
    paragraphs = [_paragraph("" if place else subject, chance.randint(least, 140), pick, words, chance)
                  for place in range(CHUNKS_PER_DOCUMENT)]  # fmt: skip
    if number % 2:
        title_given = title if number % 4 == 1 else ""
        return NewDocument(f"document-{number}", "\n\n".join(paragraphs), title_given, "text", f"notes/{number}.txt")
    headings = [chance.choice(HEADINGS) if chance.random() < 0.5 else " ".join(words.some(1, 3)).capitalize()
                for _ in paragraphs]  # fmt: skip
    text = "\n\n".join(f"## {heading}\n\n{text}" for heading, text in zip(headings, paragraphs, strict=True))
    return NewDocument(f"document-{number}", text, title, "markdown", f"reports/{number}.md")


def _paragraph(subject: str, length: int, pick: Callable[[str], Entity], words: Words, chance: random.Random) -> str:
    """So many words and a few more, which name entities; the first of a document says what that is on."""
    sentences = [f"{subject} is a {' '.join(words.some(5, 9))}."] if subject else []
    while len(" ".join(sentences).split()) < length:
        name = pick(chance.choice(("person", "company", "place"))).name if chance.random() < 0.5 else ""
        sentences.append(words.sentence(name))
    return " ".join(sentences)


def main() -> None:
    options = argparse.ArgumentParser(prog="bench search", description="speed of search")
    options.add_argument("--facts", type=int, default=50_000)
    options.add_argument("--chunks", type=int, default=20_000)
    options.add_argument("--searches", type=int, default=1_000, help="how many questions of each kind are asked")
    options.add_argument("--keep", action="store_true", help="leave the data folder, asof-bench-…, where it is")
    options.add_argument("--vectors", type=Path, default=Path(".asof/bench-vectors"), help="where vectors are kept")
    chosen = options.parse_args()
    data = Data.of(chosen.facts, chosen.chunks)
    print("| measured | how often | median | p95 | most | goal |\n|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory(prefix="asof-bench-", delete=not chosen.keep) as home:
        services = build_services(Settings(home=Path(home), graph_url=EMBEDDED, _env_file=None))
        try:
            fill(services, data, KeptVectors(chosen.vectors / "search.npz"))
            for rows in (measure_index(services), measure_searches(services, data, chosen.searches),
                         measure_added(services, data.documents[-ADDED_DOCUMENTS:])):  # fmt: skip
                print(*rows, sep="\n", flush=True)
        finally:
            services.close()
        print(*measure_app(Path(home), list(islice(questions(data, seed=2), chosen.searches))), sep="\n")


def row(what: str, found: Sequence[float] | str, goal: str = "") -> str:
    """A row of the table: milliseconds, those of one time alone, or something else that is measured once."""
    once = found if isinstance(found, str) else f"{found[0]:,.0f} ms"
    if isinstance(found, str) or len(found) == 1:
        return f"| {what} | 1 | {once} | | | {goal} |"
    figures = statistics.median(found), sorted(found)[min(len(found) - 1, int(0.95 * len(found)))], max(found)
    return f"| {what} | {len(found):,} | {' | '.join(f'{figure:,.1f} ms' for figure in figures)} | {goal} |"


def time_of(work: Callable[[], Any]) -> float:  # in milliseconds
    return times(work, 1, warm=False)[0]


def fill(services: App, data: Data, kept: KeptVectors) -> None:
    """Put in all but the documents that come later, and everybody's vectors: for Graphiti they stand on the edges."""
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(tuple(data.entities), tuple(data.facts))), None)
    keys, vectors = list(map(text_key, data.texts)), kept.of([chunk_item("", text) for text in data.texts])
    model = VectorModel(LocalEmbedder.name, LocalEmbedder.dimension)
    services.mirrors.of(WORKSPACE).vectors.add(model, keys, vectors)
    database, place = services.graph._db, {key: at for at, key in enumerate(keys)}  # type: ignore[attr-defined]
    for some in batched(data.facts, EDGES_AT_ONCE):
        set_vector = f"MATCH {cypher.fact(database, 'uuid: row[0]')} SET e.fact_embedding = {database.vector('row[1]')}"
        rows = database.packed([[fact.uuid, vectors[place[text_key(fact.text)]].tolist()] for fact in some])
        services.bridge.run(database.write(WORKSPACE, f"UNWIND $rows AS row {set_vector}", rows=rows), None)
    ingest_documents(services.workspace(WORKSPACE), data.documents[:-ADDED_DOCUMENTS])


def measure_index(services: App) -> Iterator[str]:
    """Building it, keeping it, and loading it."""
    indexes, mirror = services.indexes, services.mirrors.of(WORKSPACE)
    built, saved = (time_of(partial(work, WORKSPACE)) for work in (indexes.of, indexes.prepare))
    ready, path = indexes.of(WORKSPACE), index_file.file_of(mirror.path or Path())
    sizes = ", ".join(f"{kind} {len(ready.index.ids[kind]):,}" for kind in ready.alive)
    yield row(f"index built ({sizes}; {ready.waiting} without vectors)", [built])
    yield row("index written to disk", [saved])
    yield row("index on disk", f"{path.stat().st_size / 2**20:,.0f} MB")
    loaded = [time_of(partial(Indexes(services.mirrors, LocalEmbedder()).of, WORKSPACE)) for _ in range(LOADS)]
    yield row("index loaded from disk", loaded, "2 s")


def measure_searches(services: App, data: Data, searches: int) -> Iterator[str]:
    """Whole searches against Graphiti's, and whether the facts that they give hold."""
    chance, asked = random.Random(3), questions(data, seed=1)
    plain = [Query(text, k=K) for text in islice(asked, searches)]
    whens = iter(lambda: START + (LAST - START) * chance.random(), None)
    then = [replace(query, text=text, as_of=at) for query, text, at in zip(plain, asked, whens, strict=False)]
    both = [replace(query, text=text, known_at=at if place % 2 else clock.now())
            for place, (query, text, at) in enumerate(zip(then, asked, whens, strict=False))]  # fmt: skip
    find = services.workspace(WORKSPACE).search
    find(Query("The first question waits for what is made once."))
    ours = [[time_of(partial(find, query)) for query in queries] for queries in (plain, then, both)]
    for what, found in zip(("", ", as of an instant", ", as of one and known at another"), ours, strict=True):
        yield row(f"hybrid search over everything{what}", found)
    yield from measure_peer(services, data, plain[:PEER_SEARCHES], then[:PEER_SEARCHES], ours)
    facts, held = {fact.uuid: fact for fact in data.facts}, list[bool]()
    for query in [replace(query, text=text, kinds=("fact",)) for query, text in zip(both, asked, strict=False)]:
        at = Instants(query.as_of or clock.now(), query.known_at or clock.now())
        held += (time_rule.true_at(facts[hit.id], at) for hit in find(query).hits)
    yield row(f"facts that do not hold, of {len(held):,} that {searches:,} of these found", f"{held.count(False)}", "0")


def measure_added(services: App, documents: Sequence[NewDocument]) -> Iterator[str]:
    """Documents that come later: until they are found by words and by vectors, and until the walk knows them."""
    indexes, started = services.indexes, time.perf_counter()
    ingested = time_of(partial(ingest_documents, services.workspace(WORKSPACE), documents))
    refreshed = time_of(partial(indexes.of, WORKSPACE))
    passed = list[float]()
    for document in documents:
        text = f"{document.title}. {document.text.rpartition(chr(10))[2]}"
        for query in (Query(text, ("chunk",), mode="keyword"), Query(text, ("chunk",), mode="vector")):
            hits = services.workspace(WORKSPACE).search(query).hits
            if document.id not in {hit.chunk.document_id for hit in hits if hit.chunk}:
                raise SystemExit(f"{document.id} is not found by {query.mode}: {text}")
        passed.append(1000 * (time.perf_counter() - started))
    yield row(
        f"{len(documents) * CHUNKS_PER_DOCUMENT} added chunks: found by words and by vectors after", passed[:1], "1 s"
    )
    yield row("of that: into graph and mirror, and the index in step", f"{ingested:,.0f} ms, {refreshed:,.0f} ms")
    indexes.follow()
    while any(part.ids for part in indexes.of(WORKSPACE).index.later.values()):
        time.sleep(0.05)
    passed.append(1000 * (time.perf_counter() - started))
    yield row("they are in the index's graph after, with 10 s of quiet", passed[-1:], "30 s")


class SameEmbedder(EmbedderClient):
    """Our embedder for Graphiti; one of its own, which has kept no question's vector."""

    embedder = LocalEmbedder()

    async def create(self, input_data: Any) -> list[float]:
        """The vector of a text, or of the only one of a list."""
        text = input_data if isinstance(input_data, str) else input_data[0]
        return self.embedder.embed_question(text).tolist()


def measure_peer(
    services: App, data: Data, plain: Sequence[Query], then: Sequence[Query], ours: Sequence[Sequence[float]]
) -> Iterator[str]:
    """The same questions to Graphiti: by full text and vectors on its edges, put together by rank."""
    run, config = services.bridge.run, EDGE_HYBRID_SEARCH_RRF.model_copy(deep=True, update={"limit": K})
    driver = run(graphiti_driver(services.settings, WORKSPACE), None)
    graphiti = Graphiti(
        llm_client=ScriptedLLM(), embedder=SameEmbedder(), cross_encoder=NoRanking(), graph_driver=driver
    )
    found = list[list[str]]()

    def search(query: Query) -> None:
        begun, open_, later = (DateFilter(date=query.as_of, comparison_operator=one) for one in BEGUN_OPEN_LATER)
        then = SearchFilters(valid_at=[[begun]], invalid_at=[[open_], [later]]) if query.as_of else SearchFilters()
        edges = run(graphiti.search_(query.text, config, [WORKSPACE], search_filter=then), None).edges
        found.append([edge.uuid for edge in edges])

    try:
        search(Query("The first question waits for what is made once."))
        for what, queries, own in (("", plain, ours[0]), (", as of an instant", then, ours[1])):
            found.clear()
            taken = [time_of(partial(search, query)) for query in queries]
            faster = f"{statistics.median(taken) / statistics.median(own):.1f} times our median"
            yield row(f"Graphiti's search over the facts{what}: {faster}, {sum(map(bool, found))} with hits", taken)
    finally:
        run(driver.close())
    facts, now = {fact.uuid: fact for fact in data.facts}, clock.now()
    labels = Counter(label(facts[uuid], Instants(query.as_of or now, now))
                     for query, uuids in zip(then, found, strict=True) for uuid in uuids)  # fmt: skip
    wrong = ", ".join(f"{count:,} {what}" for what, count in labels.items() if what != "holds") or "0"
    yield row(f"facts that do not hold, of {labels.total():,} that Graphiti found as of an instant", wrong)


def measure_app(home: Path, asked: Sequence[str]) -> Iterator[str]:
    """The memory of the real app before and after searches that it is sent, in its own process."""
    options = {"address": "127.0.0.1", "port": "0", "headless": "true", "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *(f"--server.{k}={v}" for k, v in options.items())]
    environment = {**os.environ, "ASOF_HOME": str(home), "ASOF_GRAPH_URL": EMBEDDED}
    with (home / "app.log").open("w") as log:
        app = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        while (announced := running_app(home)) is None:
            if app.poll() is not None:
                raise SystemExit((home / "app.log").read_text())
            time.sleep(0.1)
        time.sleep(5)  # what it imports while nobody waits is in its memory then
        yield row("resident memory of the app that has started", _memory(app.pid, "VmRSS"))
        for texts in batched(asked, AT_ONCE):
            lines = tuple(json.dumps({"query": text, "k": K}).encode() for text in texts)
            answer = ask(announced, "search-batch", SearchBatchArguments(workspace=WORKSPACE, lines=lines).body())
            assert not answer["failed"], "each question has an answer"
        yield row(f"after {len(asked):,} searches", _memory(app.pid, "VmRSS"), "750 MB")
        yield row("the most that it was", _memory(app.pid, "VmHWM"))
    finally:
        app.terminate()
        app.wait(60)


def _memory(pid: int, what: str) -> str:
    (found,) = (line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(what))
    return f"{int(found.split()[1]) / 1024:,.0f} MB"


def questions(data: Data, seed: int) -> Iterator[str]:
    """Different questions without end: after facts, by words of a chunk, by names, and after a part of a document."""
    chance, seen = random.Random(seed), set[str]()
    while True:
        fact, words = chance.choice(data.facts), chance.choice(data.chunks).split()
        start, year = chance.randrange(len(words) - 12), chance.randint(START.year, LAST.year)
        part, some = chance.choice(HEADINGS).lower(), " ".join(words[start : start + chance.randint(5, 12)])
        asked = (f"Where did {fact.source} work in {year}?", some, f"{fact.source} and {fact.target}",
                 f"What is the {part} of {fact.source}?")  # fmt: skip
        (text,) = chance.choices(asked, weights=(25, 40, 25, 10))
        if text not in seen:
            seen.add(text)
            yield text


if __name__ == "__main__":
    main()
