"""Links within the app: real links, which a plain click follows without loading the page anew."""

from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from components import state
from components.address import parameters_of
from services.api import is_loopback

_KEY, _TO = "links", "link_to_page"
CORRECT = "correct"
"""The parameter of a link that asks to correct the fact or entity of that uuid; `asked_for` opens the form."""
ONLY_HERE = "only this computer can open it"
_PAGES = ("Overview", "Ask", "SQL", "Workflows", "Explore", "Timeline", "Search", "Ingest", "Sources", "Memory")

_listener = st.components.v2.component(
    "asof_links",
    html="<i></i>",
    js="""export default function ({ parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  const listening = host.asofLinks !== undefined;
  host.asofLinks = setTriggerValue;
  if (listening) return;
  const follow = (event) => {
    const link = event.target.closest?.("a[data-page]");
    const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    const page = link.pathname === location.pathname ? "" : link.dataset.page;
    host.asofLinks("followed", { page, query: link.search });
  };
  document.addEventListener("click", follow);
  parentElement.querySelector("i").dataset.listening = "";
  return () => {
    document.removeEventListener("click", follow);
    delete host.asofLinks;
  };
}
""",
)


def follow() -> None:
    """Let `markup.link` work in place; called by a page, or by the fragment of it that holds its links, before them.

    A key that asks for a tab or window of its own, and the middle button, do what they do everywhere.
    """
    with st.container(key=_KEY):
        _listener(key=f"{_KEY}_listener", on_followed_change=_take)
    if page := state.pop(_TO):
        st.switch_page(f"{page}.py", query_params=parameters_of(state.held()))


def take_from_address() -> None:
    """Remember what a link asked for that was opened in a tab of its own, and shorten the address by it."""
    if fact := state.take_parameter(CORRECT):
        state.remember(CORRECT, fact)


def go_to(page: str) -> None:
    """Open a page with the view as it is, once the script runs; for callbacks."""
    state.remember(_TO, page)


def copied_words() -> str:
    """Return what to say of a link to the app that was copied: sent on, one to this computer opens nothing."""
    return f"Copied; {ONLY_HERE}" if is_local() else "Copied"


def is_local() -> bool:
    """Return True where the address of the page is of the computer that the browser runs on."""
    return is_loopback(urlsplit(st.context.url or "").hostname)


def _take() -> None:
    asked = state.remembered(f"{_KEY}_listener", {}).get("followed") or {}
    query = dict(parse_qsl(str(asked.get("query", "")).removeprefix("?")))
    if fact := query.pop(CORRECT, ""):
        state.remember(CORRECT, fact)
    state.follow(query)
    if asked.get("page") in _PAGES:
        go_to(asked["page"])
