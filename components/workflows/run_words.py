"""How runs, steps and nodes are called: signs of states, times, costs, and names of steps."""

from datetime import datetime

from components import dates
from components.ask.trace import took
from components.markup import chip, counted, dotted, text
from services.core import clock
from services.workflows import NodeState, WorkflowDefinition, WorkflowNode, WorkflowRun, WorkflowStep

SIGNS = {
    "queued": "…",
    "running": "▶",
    "paused": "‖",
    "done": "✓",
    "failed": "✕",
    "cancelled": "–",
    "copied": "=",
    "waiting": "…",
    "not taken": "–",
}
_CSS = {"done": "a-added", "copied": "a-same", "failed": "a-ended", "running": "a-changed", "paused": "a-corrected"}
_CHIPS = {"done": "a-good", "failed": "a-bad", "paused": "a-warn", "cancelled": "a-off", "copied": "a-off"}
KINDS = {"agent": "", "tool": "tool", "conditional": "if", "fanout": "fan-out", "loop": "loop", "merge": "merge"}
RULES = "rule-based"
AGAIN_TODAY = "Runs the same goal as of today and shows which sentences of the report change."


def state_sign(state: str) -> str:
    """The sign of a state, with its word for those who do not see it."""
    return (
        f'<span class="a-sg {_CSS.get(state, "a-same")}" role="img" aria-label="{state}" title="{state}">'
        f"{SIGNS.get(state, '?')}</span>"
    )


def state_chip(state: str) -> str:
    """A state as a word in a frame."""
    return chip(_CHIPS.get(state, ""), f"{SIGNS.get(state, '')} {state}")


def clock_chips(run: WorkflowRun) -> str:
    """Both clocks of a run; where it names none, when it began."""
    as_of, known_at = run.as_of or run.created_at, run.known_at or run.created_at
    return (
        f'<span class="a-chip">● valid on {dates.named(run.as_of, as_of)}</span>'
        f'<span class="a-chip a-dashed">○ known on {dates.named(run.known_at, known_at)}</span>'
    )


def model_of(run: WorkflowRun) -> str:
    """The model of a run, or that it has none."""
    return str((run.options or {}).get("model") or RULES)


def took_so_far(run: WorkflowRun) -> str:
    """How long a run took, or has been under way."""
    if run.state == "running" and run.started_at is not None:
        return took(run.ms + (clock.now() - run.started_at).total_seconds() * 1000)
    return took(run.ms)


def dollars(cost: float | None) -> str:
    """A cost, "" where none is known."""
    return "" if cost is None else f"${cost:.4f}"


def when(value: datetime) -> str:
    """The day of an instant and its time to the minute."""
    return dates.moment(value.replace(second=0, microsecond=0))


def step_title(definition: WorkflowDefinition, step: WorkflowStep) -> str:
    """The node of a step, its branches, and its pass where there are several: `Review · news, pass 2`."""
    node = definition.by_id.get(step.node)
    parts = [part.partition(":")[2] or part for part in step.branch.split("/") if part]
    passes = f"pass {step.iteration}" if step.iteration > 1 else ""
    return dotted(node.title if node else step.node, ", ".join(filter(None, [*parts, passes])))


def node_line(node: NodeState, state: str) -> str:
    """What is said of a node below its title."""
    if state == "failed":
        return node.problem or "failed"
    if state == "not taken":
        return "not taken"
    if state == "waiting":
        return ""
    if state == "running":
        return dotted("running", f"step {node.steps}" if node.steps > 1 else "")
    return dotted("copied" if state == "copied" else took(node.ms), f"{node.steps} times" if node.steps > 1 else "")


def node_about(node: WorkflowNode) -> str:
    """What a node does, in a few words."""
    if node.type in ("agent", "tool"):
        return node.agent or node.tool
    if node.type == "loop":
        return f"until {node.condition}"
    return node.strategy or node.condition or ", ".join(node.inputs)


def limits_line(definition: WorkflowDefinition, most_cost: float) -> str:
    """The limits of a workflow in one line."""
    limits = definition.limits
    return text(
        ", ".join(
            [
                counted(limits.max_steps, "step"),
                f"{limits.timeout_ms / 1000:g} s",
                counted(limits.max_iters, "pass", "passes"),
                f"{limits.max_parallel} at once",
                *([f"${most_cost:g}"] if most_cost else []),
            ]
        )
    )
