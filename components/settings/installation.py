"""The installation: where things are, the mirror, the connection, the model."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from components import confirm, dates, problems
from components.markup import Cell, chip, counted, dotted, heading, note, plain, table, text
from components.shell import Opened
from services.agent import App
from services.core.config import Settings, without_password
from services.core.data_folder import free_bytes, write_problem
from services.core.errors import AsofError
from services.core.mirror_records import MirrorStatus
from services.llm import models

_HOW = (
    "No model is set, so answers are rule-based. To use a model, set "
    "`ANTHROPIC_API_KEY` and `ASOF_MODEL` (and `ANTHROPIC_BASE_URL` for another server), then restart Asof."
)


def places(services: App, status: MirrorStatus) -> None:
    """Draw where the graph, the mirror and the accounts are, and whether they answer."""
    heading("Storage and connections")
    counts = status.counts
    synced = f"synced {dates.seconds_in_utc(status.synced_at)}" if status.synced_at else "not built yet"
    facts, entities = counted(counts.facts, "fact"), counted(counts.entities, "entity", "entities")
    holds = f"{synced} · {facts}, {entities}, {counted(counts.episodes, 'source')}"
    graph = problems.problem_of(lambda: services.bridge.run(services.graph.ping(), timeout=5))
    rows = [
        _folder(services.settings.folder),
        _place("Graph", services.graph.address, graph),
        _place("Mirror", status.path or "in memory", None, holds),
        _place("Accounts", services.accounts.address, problems.problem_of(services.accounts.workspaces)),
    ]
    table(rows, [("", ""), ("Address", ""), ("State", ""), ("", "a-w")], label="Storage and connections")


def _folder(folder: Path) -> list[Cell]:
    """The data folder, whether it can be written, and how much more it can take."""
    problem = write_problem(folder)
    free = f"{free_bytes(folder) / 1e9:,.1f} GB free" if folder.is_dir() else ""
    return [
        ("<b>Data folder</b>", "a-nw"),
        (f'<span class="a-code">{text(str(folder))}</span>', ""),
        (chip("a-bad", "✕ not writable") if problem else chip("a-good", "✓ writable"), "a-nw"),
        (f"{text(problem)} {free}".strip(), "a-w"),
    ]


def _place(name: str, address: str, problem: AsofError | None, words: str = "") -> list[Cell]:
    if problem:
        words = f"{text(problem.message)} <span class='a-muted'>{text(problem.hint)}</span>"
    return [
        (f"<b>{name}</b>", "a-nw"),
        (f'<span class="a-code">{text(address)}</span>', ""),
        (chip("a-bad", "✕ not responding") if problem else chip("a-good", "✓ connected"), "a-nw"),
        (words, "a-w"),
    ]


def connection(services: App) -> None:
    """Try another graph database, and say what to set when it answers. Nothing is changed here."""
    heading("Use another graph", "Test a connection. To use it, set ASOF_GRAPH_URL.")
    with st.form("connection", border=True):
        url = st.text_input("Address", key="test_url", placeholder="bolt://host:7687, falkordb://host:6379 or embedded")
        left, right = st.columns(2, gap="small")
        user = left.text_input("User", key="test_user")
        password = right.text_input("Password", key="test_password", type="password")
        if st.form_submit_button("Test", icon=":material/network_check:"):
            _tested(services, url.strip(), user.strip(), password)


@problems.guarded()
def _tested(services: App, url: str, user: str, password: str) -> None:
    from services.graph import test_connection

    chosen = services.settings.model_copy(
        update={"graph_url": url or "embedded", "graph_user": user, "graph_password": password}
    )
    with st.spinner("Connecting to the database…"):
        found = services.bridge.run(test_connection(chosen), timeout=20)
    note(f"<b>Connected:</b> {text(found)}. To use this graph, set these variables and restart Asof.")
    lines = [f"ASOF_GRAPH_URL={without_password(chosen.graph_url)}"]
    lines += [f"ASOF_GRAPH_USER={user}"] if user else []
    lines += ["ASOF_GRAPH_PASSWORD=the password you typed"] if password else []
    st.code("\n".join(lines), language="ini")


def mirror(opened: Opened) -> None:
    """Bring the mirror in step, build it anew, or drop it."""
    mirrors = opened.services.mirrors
    heading("Mirror", f"of {opened.label}")
    st.caption(
        "A copy of the graph that makes queries fast. It updates automatically. You can drop it at any time "
        "without losing anything; Asof rebuilds it when needed."
    )
    if opened.status.synced_at:
        st.markdown(f"Synced: **{dates.seconds_in_utc(opened.status.synced_at)}**")
    with st.container(horizontal=True):
        _act("Sync now", lambda: mirrors.sync(opened.name), "Mirror synced.")
        _act("Rebuild", lambda: mirrors.rebuild(opened.name), "Mirror rebuilt.")
        if st.button("Drop"):
            _drop_mirror(opened)


@problems.guarded()
def _act(label: str, action: Callable[[], object], done: str) -> None:
    if st.button(label):
        with st.spinner(label):
            action()
        st.toast(done, icon=":material/check:")


@confirm.dialog("Drop the mirror?")
def _drop_mirror(opened: Opened) -> None:
    st.markdown(
        f"This deletes the mirror of **{plain(opened.label)}** and rebuilds it from the graph. The graph does "
        "not change."
    )
    confirm.answers("Drop mirror", opened.services.mirrors.drop, opened.name)


def asking(services: App) -> None:
    """Models, endpoint, whether there is a key, and limits; never the key itself."""
    chosen = services.settings
    heading("Answers")
    if not models(chosen):
        st.caption(_HOW)
        return
    rows = [[(f"<b>{text(name)}</b>", "a-nw"), (text(value), "a-w")] for name, value in _rows_of(chosen).items()]
    table(rows, [("", ""), ("", "a-w")], label="How Asof answers questions")


def _rows_of(chosen: Settings) -> dict[str, str]:
    cost = dotted(
        f"${chosen.max_answer_cost:g} per answer" if chosen.max_answer_cost else "",
        f"${chosen.max_daily_cost:g} per user per day" if chosen.max_daily_cost else "",
    )
    limits = (f"{chosen.max_steps} requests", f"{chosen.max_seconds:g} s", f"{chosen.max_answer_tokens:,} tokens")
    return {
        "Models": ", ".join(models(chosen)),
        "Endpoint": without_password(chosen.anthropic_base_url) or "the provider's default",
        "Key": "set" if chosen.anthropic_api_key.get_secret_value() else "not set",
        "Prices": chosen.prices or "not set; costs are not shown",
        "Tools": chosen.toolsets,
        "Limits per answer": f"at most {', '.join(limits)}",
        "Cost": cost or "no limit",
    }


def programs() -> None:
    """Lead to the page where other programs get their tokens."""
    heading("Other programs")
    st.page_link("Connect.py", label="Connect a program or revoke a token", icon=":material/power:")
