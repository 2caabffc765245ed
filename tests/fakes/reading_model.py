"""A model for Graphiti's prompts that reads one kind of sentence: "Ada Lovelace works for ACME since 2015 until 2018."

It sits behind the fake endpoint of the Messages API and answers by the tool that a request forces it to call, so that
facts come out of texts as they do of a real one. What it counts as tokens is in `spent`.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.messages_server import MessagesServer, Step, call, reply

_NAME = r"[A-Z][\w-]*(?: [A-Z][\w-]*)*"
_FACT = re.compile(rf"({_NAME}) (works for|lives in|leads) ({_NAME})(?: since (\d{{4}}))?(?: until (\d{{4}}))?")
_TYPES = {"works for": "Organization", "lives in": "Place", "leads": "Organization"}


class ReadingModel(MessagesServer):
    """Answers requests as it understands them, but for those that its script has a step for.

    `trouble` are steps by a word: a request whose text has the word gets that step instead, each time. `replies` are
    its answers where a tool is asked for, whatever the prompt.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trouble: dict[str, Step] = {}
        self.replies: dict[str, dict[str, Any]] = {}
        self.spent = [0, 0]
        self._turn = threading.Lock()

    def take(self, body: dict[str, Any], headers: Mapping[str, str]) -> Step:
        with self._turn:
            with self._lock:
                step = self._script.pop(0) if self._script else self._step(body)
                if "blocks" in step:
                    step = {**step, "usage": {"input_tokens": 1000, "output_tokens": 50} | step["usage"]}
                self._script.insert(0, step)
            taken = super().take(body, headers)
            if "blocks" in taken:  # a stream that breaks off has counted what it says no further than at its start
                self.spent[0] += taken["usage"]["input_tokens"]
                self.spent[1] += 1 if taken["cut"] else taken["usage"]["output_tokens"]
        return taken

    def _step(self, body: Mapping[str, Any]) -> Step:
        prompt = body["messages"][0]["content"]
        text = _between(prompt, "CURRENT MESSAGE", "CURRENT_MESSAGE", "TEXT")
        return next((step for word, step in self.trouble.items() if word in text), None) or self._answer(body, prompt)

    def _answer(self, body: Mapping[str, Any], prompt: str) -> Step:
        """What it makes of a prompt."""
        tool = body["tools"][0]["name"]
        given = self.replies.get(tool) or _ANSWERS[tool](prompt)
        spent = {"input_tokens": len(json.dumps(body)) // 4, "output_tokens": len(json.dumps(given)) // 4 + 7}
        return reply(call(tool, **given), usage=spent)

    @property
    def asked_for(self) -> list[str]:
        """What each request so far wanted, by the name of its tool."""
        return [request["tools"][0]["name"] for request in self.requests]


def _between(prompt: str, *tags: str) -> str:
    found = (re.search(rf"<{tag}>\n(.*?)\n</{tag}>", prompt, re.S) for tag in tags)
    return next((match[1] for match in found if match), "")


def _facts(text: str) -> Iterator[tuple[str, ...]]:
    for found in _FACT.finditer(text):
        yield tuple(part or "" for part in found.groups())


def _entities(prompt: str) -> dict[str, Any]:
    types = {name: int(id) for id, name in re.findall(r"'entity_type_id': (\d+), 'entity_type_name': '(\w+)'", prompt)}
    names: dict[str, str] = {}
    for source, relation, target, *_ in _facts(_between(prompt, "TEXT", "CURRENT MESSAGE")):
        names |= {source: "Person", target: _TYPES[relation]}
    found = [{"name": name, "entity_type_id": types.get(kind, 0)} for name, kind in names.items()]
    return {"extracted_entities": found}


def _edges(prompt: str) -> dict[str, Any]:
    return {
        "edges": [
            {
                "source_entity_name": source,
                "target_entity_name": target,
                "relation_type": verb.upper().replace(" ", "_"),
                "fact": f"{source} {verb} {target}.",
                "valid_at": _date(since),
                "invalid_at": _date(until),
            }
            for source, verb, target, since, until in _facts(_between(prompt, "CURRENT_MESSAGE"))
        ]
    }


def _date(year: str) -> str | None:
    return f"{year}-01-01T00:00:00Z" if year else None


def _resolutions(prompt: str) -> dict[str, Any]:
    """A first name is that of who bears it."""
    asked, stored = json.loads(_between(prompt, "ENTITIES")), json.loads(_between(prompt, "EXISTING ENTITIES"))
    same = {one["name"].split()[0]: one["candidate_id"] for one in stored}
    return {
        "entity_resolutions": [
            {"id": one["id"], "name": one["name"], "duplicate_candidate_id": same.get(one["name"], -1)} for one in asked
        ]
    }


def _duplicates(prompt: str) -> dict[str, Any]:
    """The same verb and names are the same fact; the same verb about something else contradicts it."""
    new = _verb(_between(prompt, "NEW FACT"))
    candidates = f"{_between(prompt, 'EXISTING FACTS')} {_between(prompt, 'FACT INVALIDATION CANDIDATES')}"
    found = {int(n): _verb(fact) for n, fact in re.findall(r"'idx': (\d+), 'fact': '([^']*)'", candidates)}
    return {
        "duplicate_facts": [n for n, old in found.items() if old == new],
        "contradicted_facts": [n for n, old in found.items() if old[0] == new[0] and old != new],
    }


def _verb(fact: str) -> tuple[str, str]:
    match = _FACT.search(fact)
    return (match[2], match[3]) if match else ("", fact)


_ANSWERS = {
    "ExtractedEntities": _entities,
    "ExtractedEdges": _edges,
    "NodeResolutions": _resolutions,
    "EdgeDuplicate": _duplicates,
    "EdgeTimestamps": lambda _: {"valid_at": None, "invalid_at": None},
}
