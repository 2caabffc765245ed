"""What an agent or a tool of a run works with: its workspace and clocks, its model, and what the run has found."""

import json
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.accounts.workflow_runs import WorkflowRun, WorkflowRunStore
from services.context import OpenWorkspace
from services.core.answer_records import Asked, Evidence, Sentence, ToolCall
from services.core.config import Settings, listed
from services.core.json_documents import Json
from services.core.models import Instants
from services.language.answer_sentences import split
from services.tools.tool import Context
from services.verification.check import check
from services.workflows.evidence_documents import evidence_text, read_evidence

RULES = "rule-based"
"""What is said of a step that asked no model."""

_MARKER = re.compile(r"\[\s*\d+(?:\s*[-–,;]\s*\d+)*\s*\](?!\()")


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent gave, by the names of its outputs, and the calls that it made. `model` is empty for rules."""

    values: Json
    calls: tuple[ToolCall, ...] = ()
    model: str = ""


@dataclass(frozen=True)
class StepContext:
    """One step of a run. `stop` is set when nobody waits for it any more; `call_id` is the same at every try."""

    workspace: OpenWorkspace
    run: WorkflowRun
    store: WorkflowRunStore
    call_id: str
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def settings(self) -> Settings:
        """The settings of the services."""
        return self.workspace.settings

    @property
    def at(self) -> Instants:
        """The two clocks; where the run names none, when it was begun."""
        begun = self.run.created_at
        return Instants(self.run.as_of or begun, self.run.known_at or begun)

    def asked(self, question: str) -> Asked:
        """Return a question at the clocks of the run."""
        return Asked(question, self.run.as_of, self.run.known_at)

    def tool_context(self) -> Context:
        """Return what a tool works on."""
        client = f"workflow run {self.run.id}"
        run = self.run
        return Context(self.workspace, run.as_of, run.known_at, run.user_id, self.call_id, client, self.model("search"))

    def model(self, role: str) -> str:
        """Return the model that a role asks: its own, or the run's; empty where the run is rule-based."""
        chosen = str((self.run.options or {}).get("model", ""))
        return role_models(self.settings).get(role, chosen) if chosen else ""

    @property
    def effort(self) -> str:
        """How hard the model thinks."""
        return self.settings.effort

    # -- what the run has found

    def cited(self, text: str, evidence: Sequence[Evidence]) -> str:
        """Keep what a text cites, and return the text with the numbers that the whole run knows it by."""
        used = {n for sentence in split(text) for n in sentence.citations}
        found = [one for one in evidence if one.n in used]
        numbers = self.store.number(self.run.id, [(one.kind, one.id, evidence_text(one)) for one in found])
        return renumbered(text, {one.n: n for one, n in zip(found, numbers, strict=True)})

    def evidence(self) -> tuple[Evidence, ...]:
        """Return everything that the run has found so far, by number."""
        return read_found(self.store, self.run.id)

    def checked(self, text: str) -> tuple[Sentence, ...]:
        """Return the sentences of a text, each with its mark by what the run has found."""
        return check(split(text), self.evidence(), self.at)


def read_found(store: WorkflowRunStore, run_id: str) -> tuple[Evidence, ...]:
    """Return what a run has found, by number."""
    return tuple(replace(read_evidence(json.loads(text)), n=n) for n, text in store.evidence(run_id))


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a text with other numbers in its citations; those that are not among them stay as they are."""

    def other(marker: re.Match[str]) -> str:
        cited = next((one.citations for one in split(f"It is so {marker[0]}.")), ())
        return "".join(f"[{numbers.get(n, n)}]" for n in cited)

    return _MARKER.sub(other, text)


def role_models(settings: Settings) -> Mapping[str, str]:
    """Return the models that roles have of their own, by role."""
    pairs = (part.partition("=") for part in listed(settings.role_models))
    return {role.strip(): model.strip() for role, _, model in pairs if model.strip()}


def cited_line(words: str, numbers: Iterable[int]) -> str:
    """Return words as an item of a list, with the numbers of what they cite."""
    return f"- {words} {''.join(f'[{n}]' for n in numbers)}"
