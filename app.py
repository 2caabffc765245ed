"""The ASGI app: dashboard and REST in the one process that owns the embedded database.

`streamlit run app.py` serves it, and so does `uvicorn app:app`.
"""

import asyncio
import gc
import importlib
import logging
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import net_util

from services.agent.app import App
from services.api.guard import check_start, middleware
from services.api.mcp_route import serving
from services.api.page_addresses import page_addresses
from services.api.routes import routes
from services.bootstrap import close_services, start_services
from services.core import announcement, data_folder
from services.core.config import settings
from services.core.errors import AsofError, BadInput
from services.core.gc_pause import few_arenas
from services.writing.unfinished_writes import recover


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Build the services once, before the first page asks for them; put them away at the end."""
    services = (await asyncio.gather(asyncio.to_thread(start_services), asyncio.to_thread(import_frame)))[0]
    await asyncio.to_thread(_take_back_what_a_crash_left, services)
    services.mirrors.follow(services.settings.sync_seconds)
    services.jobs.start()
    listening = _listening_sockets()
    _answer_without_delay(listening)
    with suppress(OSError):  # where nothing can be written, commands open the folder themselves
        announcement.announce(services.settings.folder, listening)
    threading.Thread(target=_warm_up, args=(services,), name="asof-warm-up", daemon=True).start()
    threading.Thread(target=_go_on_with_runs, args=(services,), name="asof-workflows", daemon=True).start()
    try:
        async with serving(listening):
            yield {}
    finally:
        announcement.withdraw(services.settings.folder)
        await asyncio.to_thread(close_services)
        gc.unfreeze()  # or DuckDB's bindings report everything that start-up made as leaked


def import_frame() -> None:
    """Import what frames each page, or the first visitor would look at an empty page for so long.

    Components register with Streamlit's runtime, which is there once the lifespan runs.
    """
    for module in ("theme", "shell", "page_views", "header.finder", "header.menu", "connect.new_token", "sql.query"):
        importlib.import_module(f"components.{module}")


def _take_back_what_a_crash_left(services: App) -> None:
    left: dict[str, Callable[[], object]] = {
        "An unfinished import": lambda: recover(services),
        "An unfinished answer": services.accounts.conversations.interrupt_running,
    }
    for name, take_back in left.items():
        try:
            take_back()
        except AsofError as error:
            logging.getLogger(__name__).warning("%s could not be undone yet: %s", name, error)


def _go_on_with_runs(services: App) -> None:
    """Resume the runs of workflows that were under way when the app stopped."""
    try:
        if services.accounts.workflow_runs.open_runs():
            from services.workflows.runs import workflow_runs  # what it stands on takes long to import

            workflow_runs(services).resume_interrupted()
    except AsofError as error:
        logging.getLogger(__name__).warning("Could not resume workflow runs: %s", error)


def _listening_sockets() -> list[socket.socket]:
    """The server's sockets, found in memory: Streamlit binds them before the lifespan and hands them to nobody."""
    sockets = [thing for thing in gc.get_objects() if isinstance(thing, socket.socket) and thing.fileno() >= 0]
    return [s for s in sockets if s.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)]


def _answer_without_delay(listening: list[socket.socket]) -> None:
    """Accepted connections inherit the option; without it each answer on a kept connection waits about 40 ms."""
    for each in listening:
        if each.family in (socket.AF_INET, socket.AF_INET6):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _warm_up(services: App) -> None:
    """Load what the first visit to a page or the first search would wait for, while nobody waits; it serves already.

    Streamlit collects garbage after every rerun: what start-up made is then kept out of that.
    """
    for module in ("pandas", "pyvis.network"):
        importlib.import_module(module)
    try:
        services.indexes.follow()
        if services.settings.embedder.partition(":")[0] in ("local", "onnx"):
            services.indexes.embedder.embed_question("A short text to load the model.")
    except AsofError as error:
        logging.getLogger(__name__).warning("Background indexing is off: %s", error)
    gc.collect()
    gc.freeze()


# Streamlit asks a host on the internet for this machine's address, for its banner and to judge a foreign Origin.
net_util.get_external_ip = lambda: None

data_folder.use_private_files()
try:
    agent_api = bool(st.get_option("server.enableAgentApi"))
    check_start(settings(), st.get_option("server.address"), has_agent_api=agent_api)
    data_folder.claim(settings().folder)
except BadInput as problem:
    sys.exit(str(problem))
few_arenas()
pages = (page.stem for page in Path(__file__).parent.glob("pages/[A-Z]*.py"))
addresses = page_addresses(pages, "Overview", st.get_option("server.baseUrlPath") or "")
app = st.App("pages/_main.py", routes=[*routes, *addresses], middleware=middleware, lifespan=lifespan)
