"""How far a run is: which nodes are to run next, in which branch and pass, and the state that each of them sees.

It knows no database, no thread and no LangGraph; whoever runs nodes hands their outcomes to `advance`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from services.core.json_documents import Json
from services.workflows.definition import WorkflowDefinition

MOST_BRANCHES = 1000


@dataclass(frozen=True, slots=True)
class RunFrame:
    """What a node runs within: a branch of a fan-out, by its id, or a pass of the loop `id`."""

    kind: Literal["branch", "loop"]
    id: str
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class Activation:
    """One time that a node runs. `key` is the same whenever the same run comes to the same place.

    `arrived` are the labels of the branches that met at a merge.
    """

    key: str
    node: str
    frames: tuple[RunFrame, ...] = ()
    arrived: tuple[str, ...] = ()

    @property
    def branch(self) -> str:
        """The id of the innermost branch; empty outside all of them."""
        return next((frame.id for frame in reversed(self.frames) if frame.kind == "branch"), "")

    @property
    def iteration(self) -> int:
        """The pass of the innermost loop; 0 outside all of them."""
        return next((frame.iteration for frame in reversed(self.frames) if frame.kind == "loop"), 0)

    def returns_to(self, loop: str) -> bool:
        """True where a pass of this loop has just ended."""
        return bool(self.frames) and self.frames[-1].kind == "loop" and self.frames[-1].id == loop

    def document(self) -> Json:
        """Return it for JSON."""
        return asdict(self)


def read_activation(document: Mapping[str, Any]) -> Activation:
    """Return an activation from its document."""
    frames = tuple(RunFrame(**frame) for frame in document["frames"])
    return Activation(document["key"], document["node"], frames, tuple(document["arrived"]))


@dataclass(frozen=True, slots=True)
class StateWrite:
    """A value that a node puts at a path of the state, or behind the list that is there."""

    path: tuple[str, ...]
    value: Any
    appends: bool = False


@dataclass(frozen=True, slots=True)
class BranchStart:
    """A branch that a fan-out begins: at which node, with which item."""

    start: str
    label: str
    variables: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What came of a node: what it writes, and where it goes on.

    `target` is the next node, None where nothing follows; `way` says whether that is a loop's body, or whether
    `branches` begin. A `problem` with `ends_run` has no way to go on.
    """

    writes: tuple[StateWrite, ...] = ()
    way: Literal["next", "body", "branches"] = "next"
    target: str | None = None
    branches: tuple[BranchStart, ...] = ()
    problem: str = ""
    ends_run: bool = False

    def document(self) -> Json:
        """Return it for JSON."""
        return asdict(self)


def read_outcome(document: Mapping[str, Any]) -> StepOutcome:
    """Return an outcome from its document."""
    writes = tuple(StateWrite(tuple(one["path"]), one["value"], one["appends"]) for one in document["writes"])
    branches = tuple(BranchStart(**one) for one in document["branches"])
    return StepOutcome(**{**document, "writes": writes, "branches": branches})


@dataclass(slots=True)
class _Branch:
    """A branch under way: its writes are seen by its own nodes alone until the branches have met."""

    label: str
    parent: str
    join: str
    variables: Json
    writes: list[Json] = field(default_factory=list)


@dataclass(slots=True)
class _Join:
    """The branches of one fan-out, which wait for each other. `arrived` are those that came to its merge."""

    node: str
    frames: list[Json]
    branches: list[str]
    open: int
    arrived: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """How far a run is. `ready` are to run next; without any it has ended, and `problem` says why where that is bad."""

    values: Json
    ready: list[Activation] = field(default_factory=list)
    steps: int = 0
    problem: str = ""
    _branches: dict[str, _Branch] = field(default_factory=dict)
    _joins: dict[str, _Join] = field(default_factory=dict)
    _visits: dict[str, int] = field(default_factory=dict)

    def document(self) -> Json:
        """Return it for JSON: what a checkpoint keeps."""
        return asdict(self)

    def names(self, activation: Activation) -> Json:
        """Return what a node may read: the state as its branch sees it, the items of its branches, its pass."""
        found = dict(self.values)
        for id in self._lineage(activation.branch):
            branch = self._branches[id]
            for write in branch.writes:
                found = written(found, _read_write(write))
            found |= branch.variables
        return found | {"iteration": activation.iteration}

    def state(self) -> Json:
        """Return the state with what branches have written that have not met yet: what was finished."""
        found = self.values
        for branch in self._branches.values():
            for write in branch.writes:
                found = written(found, _read_write(write))
        return found

    def label_of(self, activation: Activation) -> str:
        """Return the labels of the branches that a node runs in, the outermost first."""
        return " / ".join(self._branches[id].label for id in self._lineage(activation.branch))

    def _lineage(self, branch: str) -> list[str]:
        found: list[str] = []
        while branch:
            found.append(branch)
            branch = self._branches[branch].parent
        return found[::-1]

    def add(self, node: str, frames: Sequence[RunFrame], arrived: Sequence[str] = ()) -> None:
        """Have a node run next."""
        one = Activation("", node, tuple(frames), tuple(arrived))
        place = f"{node}@{one.branch}" if one.branch else node
        self._visits[place] = self._visits.get(place, 0) + 1
        self.ready.append(replace(one, key=f"{place}#{self._visits[place]}"))

    def write(self, branch: str, writes: Iterable[StateWrite]) -> None:
        """Put values into the state that a branch sees; outside all branches, into everybody's."""
        for one in writes:
            if branch:
                self._branches[branch].writes.append(asdict(one))
            else:
                self.values = written(self.values, one)

    def fork(self, activation: Activation, starts: Sequence[BranchStart]) -> list[str]:
        """Begin branches; returns their ids, which are told apart by a number where their labels are not."""
        labels = [one.label for one in starts]
        ids = []
        for number, one in enumerate(starts):
            label = one.label if labels.count(one.label) == 1 else f"{one.label} {number + 1}"
            ids.append(f"{activation.key}:{label}")
            self._branches[ids[-1]] = _Branch(label, activation.branch, activation.key, dict(one.variables))
        self._joins[activation.key] = _Join(activation.node, [asdict(f) for f in activation.frames], ids, len(ids))
        return ids

    def fanout_of(self, branch: str) -> str:
        """Return the fan-out that began a branch."""
        return self._joins[self._branches[branch].join].node

    def end_branch(self, branch: str, *, arrived: bool) -> "_Met | None":
        """Have a branch wait for the others; returns what met where it was the last one."""
        return self.meet(self._branches[branch].join, branch if arrived else None, ended=1)

    def meet(self, join_id: str, arrived: str | None = None, *, ended: int = 0) -> "_Met | None":
        """Join the branches of a fan-out once none is under way: their writes become those of where they began."""
        join = self._joins[join_id]
        join.open -= ended
        join.arrived += [] if arrived is None else [arrived]
        if join.open:
            return None
        frames = tuple(RunFrame(**frame) for frame in join.frames)
        parent = Activation("", "", frames).branch
        for id in join.branches:
            self.write(parent, map(_read_write, self._branches[id].writes))
        labels = tuple(self._branches[id].label for id in join.branches if id in join.arrived)
        for id in join.branches:
            del self._branches[id]
        del self._joins[join_id]
        return _Met(join.node, frames, labels, len(join.branches))


@dataclass(frozen=True, slots=True)
class _Met:
    """The branches of a fan-out that is over: `labels` are those that came to the merge."""

    fanout: str
    frames: tuple[RunFrame, ...]
    labels: tuple[str, ...]
    total: int


def begin(definition: WorkflowDefinition, values: Json) -> Walk:
    """Return the beginning of a run: its entry node is ready."""
    walk = Walk(values)
    walk.add(definition.entry_node_id, ())
    return walk


def read_walk(document: Mapping[str, Any]) -> Walk:
    """Return a walk from its document."""
    return Walk(
        document["values"],
        [read_activation(one) for one in document["ready"]],
        document["steps"],
        document["problem"],
        {id: _Branch(**one) for id, one in document["_branches"].items()},
        {id: _Join(**one) for id, one in document["_joins"].items()},
        dict(document["_visits"]),
    )


def advance(definition: WorkflowDefinition, walk: Walk, outcomes: Mapping[str, StepOutcome]) -> None:
    """Take in what came of the nodes that were ready, in their order, and make the next ones ready."""
    done, walk.ready = walk.ready, []
    walk.steps += len(done)
    trace = [StateWrite(("execution_trace",), one.key, appends=True) for one in done]
    walk.write("", trace)
    for one in done:
        walk.write(one.branch, outcomes[one.key].writes)
    ending = next((outcomes[one.key].problem for one in done if outcomes[one.key].ends_run), "")
    if ending:
        walk.problem = ending
        return
    for one in done:
        _go_on(definition, walk, one, outcomes[one.key])
    most = definition.limits.max_steps
    if walk.steps + len(walk.ready) > most:
        stopped_at = ", ".join(dict.fromkeys(one.node for one in walk.ready))
        walk.problem = (
            f"{stopped_at}: the run stopped after {walk.steps} steps, the limit in limits.max_steps ({most})."
        )
        walk.ready = []


def _go_on(definition: WorkflowDefinition, walk: Walk, one: Activation, outcome: StepOutcome) -> None:
    frames = one.frames
    match outcome.way:
        case "branches":
            ids = walk.fork(one, outcome.branches)
            for id, branch in zip(ids, outcome.branches, strict=True):
                _move(definition, walk, (*frames, RunFrame("branch", id)), branch.start)
            if not ids:
                _met(definition, walk, walk.meet(one.key))
        case "body":
            again = one.returns_to(one.node)
            turn = frames[-1].iteration + 1 if again else 1
            outer = frames[:-1] if again else frames
            _move(definition, walk, (*outer, RunFrame("loop", one.node, turn)), outcome.target or "")
        case "next":
            outer = frames[:-1] if one.returns_to(one.node) else frames
            if outcome.target is None:
                _end(definition, walk, outer)
            else:
                _move(definition, walk, outer, outcome.target)


def _move(definition: WorkflowDefinition, walk: Walk, frames: tuple[RunFrame, ...], target: str) -> None:
    """Go to a node: out of the loops whose body it is not in, and to wait where it is the merge of this branch."""
    while frames and frames[-1].kind == "loop" and not _is_inside(definition, frames[-1].id, target):
        frames = frames[:-1]
    branch = frames[-1].id if frames and frames[-1].kind == "branch" else ""
    if branch and definition.merges[walk.fanout_of(branch)] == target:
        _met(definition, walk, walk.end_branch(branch, arrived=True))
    else:
        walk.add(target, frames)


def _is_inside(definition: WorkflowDefinition, loop: str, target: str) -> bool:
    return target == loop or target in definition.by_id[loop].body


def _end(definition: WorkflowDefinition, walk: Walk, frames: tuple[RunFrame, ...]) -> None:
    """Nothing follows: a pass of a loop is over, or a branch, or the run."""
    if not frames:
        return
    if frames[-1].kind == "loop":
        walk.add(frames[-1].id, frames)
    else:
        _met(definition, walk, walk.end_branch(frames[-1].id, arrived=False))


def _met(definition: WorkflowDefinition, walk: Walk, met: _Met | None) -> None:
    """Go on behind a fan-out that is over: at its merge, or where nothing follows if no branch came there."""
    if met is None:
        return
    merge = definition.merges[met.fanout]
    if merge is not None and (met.labels or not met.total):
        walk.add(merge, met.frames, met.labels)
    else:
        _end(definition, walk, met.frames)


# -- state


def _read_write(document: Json) -> StateWrite:
    return StateWrite(tuple(document["path"]), document["value"], document["appends"])


def written(values: Json, write: StateWrite) -> Json:
    """The state with one value more; what is shared with the one before is left alone."""
    first, *rest = write.path
    before = values.get(first)
    if rest:
        inner = before if isinstance(before, dict) else {}
        return {**values, first: written(inner, replace(write, path=tuple(rest)))}
    if write.appends:
        return {**values, first: [*(before if isinstance(before, list) else []), write.value]}
    return {**values, first: write.value}
