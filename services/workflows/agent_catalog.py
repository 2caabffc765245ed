"""The agents that a node can name: what each takes, what it gives, and what it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent as workflows see it. `required` and `optional` are its inputs, `outputs` what it gives, by name."""

    name: str
    label: str
    does: str
    required: tuple[str, ...]
    outputs: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """Every input."""
        return (*self.required, *self.optional)


_ALL = (
    AgentSpec(
        "TriageAgent",
        "Triage",
        "Finds the goal's intents, the places to search, and the database, if any.",
        ("goal",),
        ("triage", "selected_search", "database_id"),
    ),
    AgentSpec("SQLAgent", "SQL", "Answers the goal from tables and databases.", ("goal",), ("text",), ("database_id",)),
    AgentSpec("Neo4jGraphRAGAgent", "graph", "Finds facts about the goal in the graph.", ("goal",), ("text",)),
    AgentSpec("AiSearchAgent", "documents", "Finds passages about the goal in documents.", ("goal",), ("text",)),
    AgentSpec(
        "AnswerAgent",
        "Answer",
        "Answers a question, like the Ask page.",
        ("question",),
        ("text", "declined"),
    ),
    AgentSpec(
        "NewsReporterAgent",
        "Reporter",
        "Writes a report on the goal from the context. Passes on a draft unchanged, if there is one.",
        ("goal", "context"),
        ("script", "final"),
        ("reporter_id", "draft", "passes"),
    ),
    AgentSpec(
        "ReviewAgent",
        "Review",
        "Accepts a report script, or requests changes.",
        ("goal", "script"),
        ("verdict", "final"),
    ),
)

AGENTS: Mapping[str, AgentSpec] = MappingProxyType({spec.name: spec for spec in _ALL})
"""The agents by name."""

MERGE_INPUTS, MERGE_OUTPUTS = ("items",), ("result",)
TOOL_OUTPUTS = ("text", "document", "total")
STATE_NAMES = (
    "goal",
    "settings",
    "triage",
    "selected_search",
    "database_id",
    "latest",
    "drafts",
    "final",
    "verdicts",
    "report",
    "logs",
    "execution_trace",
)
"""What the state of every run has from its beginning."""

GIVEN_NAMES = ("iteration", "result", "error")
"""What a node may read beside the state: the pass of its loop, a conditional's value, and the failure before it."""
