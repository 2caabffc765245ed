"""`workflow`: run and inspect workflows, which turn a goal into a reviewed report."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from services.commands.arguments import Arguments, Request, Run
from services.commands.ask import bring_in_step, chosen_model
from services.commands.command import DONE, FAILED, Command, Terminal, action_parsers
from services.commands.text import aligned
from services.commands.values import instant, not_blank, parsed
from services.core.errors import BadInput
from services.core.json_documents import Json, json_text, read_json
from services.core.models import DEFAULT_WORKSPACE
from services.core.wording import counted

if TYPE_CHECKING:
    from services.context import OpenWorkspace, Services
    from services.workflows import WorkflowDefinition, WorkflowRuns

Action = Literal["run", "list", "runs", "show", "rerun", "compare"]
_LOOK = 0.2
"""Seconds between two looks whether whoever waits has had enough."""


class WorkflowArguments(Arguments):
    """What to do: run a workflow (its JSON, or its name), list them or their runs, show a run, run it again, or say
    how the report of a run differs from that of the run `before`."""

    action: Action
    document: dict[str, Any] | None = None
    name: str = "default"
    goal: str = ""
    as_of: str | None = None
    known_at: str | None = None
    model: str = ""
    run: str = ""
    before: str = ""
    step: str = ""
    database: str = ""


def workflow(services: "Services", arguments: WorkflowArguments, run: Run) -> Json:
    """Do what is asked; return the run with its report, trace and metrics, or the list."""
    from services.workflows import list_workflows, workflow_runs
    from services.workflows.run_records import run_document

    runs, workspace = workflow_runs(services), arguments.open_workspace(services)
    match arguments.action:
        case "list":
            entries = list_workflows(workspace)
            return {
                "workflows": [
                    {"name": one.name, "builtin": one.is_builtin, "nodes": len(one.definition.nodes)} for one in entries
                ]
            }
        case "runs":
            return {"runs": [run_document(one) for one in runs.of(workspace)]}
        case "show":
            return _shown(runs, arguments.run)
        case "rerun":
            bring_in_step(services, arguments)
            again = runs.rerun_from(arguments.run, arguments.step) if arguments.step else runs.rerun(arguments.run)
            return _waited(runs, again.id, run) | _changes(runs, arguments.run, again.id)
        case "compare":
            return _shown(runs, arguments.run) | _changes(runs, arguments.before, arguments.run)
    return _ran(runs, bring_in_step(services, arguments), arguments, run)


def _ran(runs: "WorkflowRuns", workspace: "OpenWorkspace", arguments: WorkflowArguments, run: Run) -> Json:
    from services.workflows import read_definition

    services = workspace.services
    chosen: WorkflowDefinition | str = arguments.name
    if arguments.document is not None:
        chosen = read_definition(arguments.document)
    model = chosen_model(services, arguments.model)
    if model:
        services.indexes.prepare(workspace.name, run.progress, run.cancel)
    begun = runs.start(
        workspace,
        chosen,
        arguments.goal,
        user_id=run.user_id,
        as_of=parsed(arguments.as_of),
        known_at=parsed(arguments.known_at),
        model=model,
        database=arguments.database,
    )
    return _waited(runs, begun.id, run)


def _waited(runs: "WorkflowRuns", run_id: str, run: Run) -> Json:
    """Return a run once it is over; it is cancelled when nobody waits for it any more."""
    try:
        while runs.is_here(run_id):
            if run.cancel.is_set():
                runs.cancel(run_id)
            runs.wait(run_id, _LOOK)
    except KeyboardInterrupt:  # or the app would go on with it at its next start
        runs.cancel(run_id)
        runs.wait(run_id)
        raise
    return _shown(runs, run_id)


def _shown(runs: "WorkflowRuns", run_id: str) -> Json:
    from services.workflows.run_records import trace_document

    return trace_document(runs.trace(run_id))


def _changes(runs: "WorkflowRuns", before: str, run: str) -> Json:
    """Return what the report of a run says otherwise than that of an earlier one, sentence by sentence."""
    found = runs.compare(before, run).changes
    changed = [{"before": old, "after": new} for old, new in found.changed]
    sentences = {"added": list(found.added), "removed": list(found.removed), "changed": changed, "kept": found.kept}
    return {"changes": {"before": before, **sentences}}


_ACTIONS = {
    "run": "run a workflow",
    "validate": "check a workflow file for problems",
    "list": "list a workspace's workflows",
    "runs": "list the workflow runs, newest first",
    "show": "show a run with its report and trace",
    "rerun": "repeat a run, as of today or from one of its steps, and show what changed in the report",
    "compare": "show how a run's report differs from that of an earlier run",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an action for each thing that can be done."""
    parser.description = "run and inspect workflows, which turn a goal into a reviewed report"
    for action, added in action_parsers(parser, _ACTIONS):
        if action != "validate":
            added.add_argument("--workspace", type=not_blank, default=DEFAULT_WORKSPACE, metavar="NAME")
        if action in ("run", "validate"):
            added.add_argument("file", metavar="FILE", help="a JSON file, or the name of a workflow such as default")
        if action == "compare":
            added.add_argument("before", metavar="BEFORE", help="id of the earlier run")
        if action in ("show", "rerun", "compare"):
            added.add_argument("run", metavar="RUN", help="run id")
        if action == "show":
            added.add_argument("--export", choices=("markdown", "html"), help="print the report in this format")
        if action == "rerun":
            added.add_argument(
                "--from",
                dest="step",
                default="",
                metavar="STEP",
                help="start from this step and reuse the results of the steps before it",
            )
        if action == "run":
            _add_goal(added)


def _add_goal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--goal", required=True, type=not_blank, metavar="G", help="what to find out or write")
    parser.add_argument("--as-of", type=instant, metavar="T", help="use facts valid on this date; default: now")
    parser.add_argument(
        "--known-at", type=instant, metavar="K", help="use what the graph had recorded by this date; default: now"
    )
    parser.add_argument(
        "--database", default="", metavar="NAME", help="query this database; default: the workflow chooses one"
    )
    parser.add_argument(
        "--model", default="", metavar="NAME", help="a model in ASOF_MODEL, or none; default: the first"
    )


def start(terminal: Terminal) -> int:
    """Do what was typed."""
    options = terminal.options
    if options.action == "validate":
        return _validate(terminal)
    if options.action == "run":
        path = Path(options.file)
        is_file = path.is_file() or path.suffix == ".json"
        named = {"document": _read(path)} if is_file else {"name": options.file}
        document = terminal.ask("workflow", **named)
    else:
        document = terminal.ask("workflow")
    if options.action in ("list", "runs"):
        return terminal.show(document, list_text)
    if getattr(options, "export", None):
        print(_exported(document, options.export))
        return DONE
    return terminal.show(document, run_text, failed=document["run"]["state"] != "done")


def _exported(document: Json, form: str) -> str:
    """Return the report of a run as a file. Raises `BadInput` where it has none."""
    from services.workflows import report_html, report_markdown
    from services.workflows.reports import read_report

    if document["report"] is None:
        raise BadInput("The run has no report.", document["run"]["problem"])
    report = read_report(document["report"])
    return report_html(report) if form == "html" else report_markdown(report)


def _validate(terminal: Terminal) -> int:
    """Say what is wrong; nothing is opened for that."""
    from dataclasses import asdict

    from services.workflows import workflow_problems

    document = _read(Path(terminal.options.file))
    problems = workflow_problems(document)
    found = {"valid": not problems, "problems": [asdict(one) for one in problems]}
    print(json_text(found) if terminal.options.json else "\n".join(map(str, problems)) or "The workflow is valid.")
    return FAILED if problems else DONE


def _read(path: Path) -> Any:
    """Return the JSON of a file. Raises `BadInput` where it cannot be read."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"Asof cannot read {path}: {error.strerror}.") from error
    return read_json(str(path), content)


def list_text(document: Json) -> str:
    """Return workflows or runs as a table."""
    if "runs" in document:
        rows = [
            [one["id"], one["state"], one["created_at"][:19], one["workflow"], one["goal"][:60]]
            for one in document["runs"]
        ]
        return "\n".join(aligned(rows)) if rows else "No runs."
    rows = [
        [one["name"], "built in" if one["builtin"] else "saved", f"{one['nodes']} nodes"]
        for one in document["workflows"]
    ]
    return "\n".join(aligned(rows))


def run_text(document: Json) -> str:
    """Return a run's report with the marks of its sentences, then its trace and figures."""
    run, report, figures = document["run"], document["report"], document["metrics"]
    parts = [report["answer"]["answer"]] if report else []
    if report:
        marks = [one["mark"] for one in report["answer"]["sentences"] if one["mark"]]
        sentences = ", ".join(f"{marks.count(mark)} {mark}" for mark in dict.fromkeys(marks))
        parts.append(f"({report['made_by']}; sentences: {sentences or 'none with a claim'})")
    parts += [f"{run['problem']} {run['hint']}".strip()] if run["problem"] else []
    parts += [_changes_text(document["changes"])] if "changes" in document else []
    rows = [[one["id"], one["state"], f"{one['ms']:.0f} ms", one["error"] or ""] for one in document["trace"]]
    parts.append("\n".join(aligned(rows)))
    cost = "" if figures["cost"] is None else f", ${figures['cost']:.4f}"
    parts += list(run["notes"])
    parts.append(f"{run['state']}: {counted(figures['steps'], 'step')}, {figures['ms']:.0f} ms{cost} ({run['id']})")
    return "\n\n".join(parts)


def _changes_text(changes: Json) -> str:
    """Return changed sentences, each with its sign: ~ changed, + added, - gone."""
    lines = [f"{counted(changes['kept'], 'sentence')} unchanged since run {changes['before']}."]
    for pair in changes["changed"]:
        lines += [f"~ {pair['before']}", f"  -> {pair['after']}"]
    lines += [f"+ {text}" for text in changes["added"]] + [f"- {text}" for text in changes["removed"]]
    return "\n".join(lines)


COMMAND = Command(
    "workflow",
    "run and inspect workflows, which turn a goal into a reviewed report",
    start,
    {"workflow": Request(WorkflowArguments, workflow)},
    add_arguments=add_arguments,
)
