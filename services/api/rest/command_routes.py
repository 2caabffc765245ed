"""`/api/v1`: commands of the terminal with its JSON, tools that list what changed and what there is, and jobs."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import BaseModel, Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from services.agent.turns import check_day
from services.api.rest.callers import Caller
from services.api.rest.operations import Call, Operation, in_json
from services.api.rest.problems import refuse
from services.commands.arguments import Run
from services.commands.ask import chosen_model
from services.commands.registry import requests
from services.core.errors import BadInput, GraphUnavailable
from services.core.job_records import Job
from services.core.json_documents import Json, spelled
from services.mcp.pin import UnknownWorkspace, context_for, read_common, workspace_named
from services.tools.mirror_fallback import read_instant
from services.tools.registry import TOOLS

_COMMANDS = {
    "search": "Search facts, passages and entities, with scores",
    "facts": "List an entity's facts that hold on one date, as known on another",
    "history": "List an entity's facts over time",
    "diff": "List the facts added, ended, corrected and re-dated between two dates",
    "sql": "Run one read-only SQL statement over the graph and your tables",
    "ask": "Answer a question, with citations and a trace",
    "ingest": "Ingest files, text and web pages; `extract` also extracts their facts",
}
"""The commands that REST offers, with what each gives."""

_LONG = ("sql", "ask", "ingest")
_WRITING = ("ingest",)

_BOUND: Mapping[str, Mapping[str, str]] = {
    "facts": {"as_of": "as_of", "known_at": "known_at"},
    "history": {"known_at": "known_at"},
    "diff": {"from": "as_of", "to": "as_of", "from_known": "known_at", "to_known": "known_at"},
}
"""The commands that a pinned token may ask, and which clock bounds which of their arguments."""

_TOOLS = {
    "changes": ("get_changes", "List the changes recorded since a date, or since this client's last request"),
    "entities": ("search_entities", "Find entities by name, description or type"),
}

_MOST_JOBS = 200


async def run_command(call: Call) -> Response:
    """Run a command of the terminal. It is stopped when its client has gone, or the server stops."""
    name, run = call.request.url.path.rpartition("/")[2], Run(user_id=call.caller.user.id)
    working = asyncio.create_task(in_json(_commanded, call, name, run, is_long=name in _LONG))
    leaving = asyncio.create_task(_left(call.request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            run.cancel.set()
        return await working
    finally:
        run.cancel.set()
        leaving.cancel()


async def _left(request: Request) -> None:
    """Wait until a client, whose request was read, has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def run_tool(call: Call) -> Response:
    """Run a tool, and give its data."""
    return await in_json(_looked_up, call, call.request.url.path.rpartition("/")[2])


async def list_jobs(call: Call) -> Response:
    """List the jobs of a workspace."""
    return await in_json(_jobs, call)


async def get_job(call: Call) -> Response:
    """Tell how a job stands."""
    return await in_json(_job, call)


# -- commands


def _commanded(call: Call, name: str, run: Run) -> Json:
    caller = call.caller
    if name == "ask":
        check_day(call.services, caller.user, chosen_model(call.services, call.body.model))
    given = call.body.model_dump(by_alias=True, exclude_unset=True)
    asked = call.body.workspace if "workspace" in call.body.model_fields_set else None
    try:
        given["workspace"] = workspace_named(call.services, caller.access, asked)
    except UnknownWorkspace:
        if name not in _WRITING:
            raise
        hint = "Create the workspace on Settings, or by ingesting into it with cli.py."
        refuse(404, f"There is no workspace “{(asked or '')[:80]}”, or you have no access to it. {hint}")
    request = requests()[name]
    try:
        return request.run(call.services, request.read(given | _pinned(caller, name, given)), run)
    except BadInput as error:
        if "--workspace" in error.hint:  # it names workspaces that the caller may not see
            raise BadInput(error.message) from error
        raise


def _pinned(caller: Caller, name: str, given: Json) -> Json:
    """Return the arguments that the caller's pin sets. Raises `BadInput` for one that leaves it, and refuses commands
    that could."""
    if not caller.is_pinned:
        return {}
    pins = {"as_of": caller.access.as_of, "known_at": caller.access.known_at}
    clocks = _BOUND.get(name, {})
    if any(pin is not None and clock not in clocks.values() for clock, pin in pins.items()):
        caller.need_all_times()
    return {
        argument: _within(argument, given.get(argument), pin, is_exact=argument == "as_of").isoformat()
        for argument, clock in clocks.items()
        if (pin := pins[clock]) is not None
    }


def _within(name: str, given: str | None, pin: datetime, *, is_exact: bool) -> datetime:
    asked = read_instant(name, given) if given else pin
    if asked > pin or (is_exact and asked != pin):
        limit = "to" if is_exact else "to dates no later than"
        raise BadInput(f"{name}: this token is pinned {limit} {pin.isoformat()}.", "Leave out this parameter.")
    return asked


# -- tools


@cache
def _tool_body(name: str) -> type[BaseModel]:
    tool = TOOLS[_TOOLS[name][0]]
    more: dict[str, Any] = {
        field: (str | None, Field(None, description=text))
        for field, text in {
            "workspace": "Default: your only workspace, or the default workspace if you have several.",
            "as_of": "Use facts valid on this date. Default: now.",
            "known_at": "Use only what the graph had recorded by this date. Default: now.",
        }.items()
        if field not in tool.inputs.model_fields
    }
    body: type[BaseModel] = create_model(f"{name.capitalize()}Body", __base__=tool.inputs, **more)
    return body


def _looked_up(call: Call, name: str) -> Json:
    tool = TOOLS[_TOOLS[name][0]]
    given = call.body.model_dump(exclude_unset=True)
    own = {field: value for field, value in given.items() if field in tool.inputs.model_fields}
    common = read_common({field: value for field, value in given.items() if field not in own})
    document = tool(context_for(call.services, call.caller.access, tool, common, own), own).document
    if document.get("unavailable"):
        raise GraphUnavailable(str(document["message"]), str(document.get("reason", "")))
    return dict(document)


# -- jobs


def _jobs(call: Call) -> Json:
    query = call.request.query_params
    workspace = workspace_named(call.services, call.caller.access, query.get("workspace"))
    jobs = call.services.accounts.jobs.of(workspace, _MOST_JOBS)
    return {"workspace": workspace, "jobs": [_job_document(job) for job in jobs]}


def _job(call: Call) -> Json:
    id = call.id("job_id")
    found = call.services.accounts.jobs.get(id) if id else None
    if found is None or not call.caller.may_see(found.workspace):
        refuse(404, "Job not found")
    failed = call.services.accounts.jobs.items(found.id, states=("failed",), limit=None)
    problems = [{"id": item.key, "problem": f"{item.problem} {item.hint}".strip()} for item in failed]
    return {**_job_document(found), "problems": problems}


def _job_document(job: Job) -> Json:
    return {
        "id": job.id,
        "workspace": job.workspace,
        "kind": job.kind,
        "title": job.title,
        "state": job.state,
        "share": round(job.share, 3),
        "total": job.total,
        "counts": dict(job.counts),
        "created_at": spelled(job.created_at),
        "started_at": spelled(job.started_at),
        "finished_at": spelled(job.finished_at),
    }


def _command(name: str, summary: str) -> Operation:
    return Operation(
        "POST",
        f"/api/v1/{name}",
        summary,
        run_command,
        lambda: requests()[name].arguments,
        toolset="knowledge" if name in _WRITING else "analyst",
        writes=name in _WRITING,
        problems=(404,) if name in _WRITING else (),
        takes_files=name in _WRITING,
    )


def _tool(name: str, summary: str) -> Operation:
    return Operation("POST", f"/api/v1/{name}", summary, run_tool, lambda: _tool_body(name))


COMMAND_ROUTES = (
    *(_command(name, summary) for name, summary in _COMMANDS.items()),
    *(_tool(name, summary) for name, (_, summary) in _TOOLS.items()),
    Operation(
        "GET",
        "/api/v1/jobs",
        f"List the newest {_MOST_JOBS} jobs of a workspace",
        list_jobs,
        query={"workspace": "Default: your only workspace, or the default workspace if you have several."},
        toolset="knowledge",
    ),
    Operation(
        "GET",
        "/api/v1/jobs/{job_id}",
        "Show a job's progress and problems",
        get_job,
        problems=(404,),
        toolset="knowledge",
    ),
)
