"""The box on top of the Search page, and how to search: what is typed is looked for at each pause."""

import streamlit as st

from components import dates, state
from components.address import View
from components.search.search_view import KINDS, MODES, SearchView, pick

_TEXT, _KIND, _MODE, _HOLDS = "search_text", "search_kind", "search_mode", "search_holds"
_LABELS = {"all": "All", "facts": "Facts", "passages": "Passages", "entities": "Entities"}

_keys = st.components.v2.component(
    "asof_search_keys",
    html="<i></i>",
    js="""export default function ({ parentElement }) {
  const host = parentElement.host ?? parentElement;
  if (host.asofKeys) return host.asofKeys;
  const box = () => document.querySelector(".st-key-search_text input");
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = event.target.closest?.(".a-hits > li");
    if (!step || (!at && event.target !== box())) return;
    const hits = [...document.querySelectorAll(".a-hits > li")];
    const next = hits[hits.indexOf(at) + step];
    if (!next && !(at && step < 0)) return;
    event.preventDefault();
    (next ? next.querySelector("a") : box())?.focus();
  };
  document.addEventListener("keydown", move);
  const start = (frames) => {
    if (!box() && frames) requestAnimationFrame(() => start(frames - 1)); // its own script may come later
    else if (box()?.value === "" && document.activeElement === document.body) box().focus();
  };
  start(600);
  host.asofKeys = () => {
    document.removeEventListener("keydown", move);
    delete host.asofKeys;
  };
  return host.asofKeys;
}
""",
)


def box(view: View) -> None:
    """The box, and beside it how to weigh what it finds."""
    asked = view.of(SearchView)
    if (state.remembered(_TEXT) or "") != asked.text:  # else what is being typed would be put back
        state.remember(_TEXT, asked.text)
    state.remember(_MODE, asked.mode)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="search_box"):
        st.text_input(
            "Search facts, passages and entities",
            key=_TEXT,
            type="search",
            live="150ms",
            placeholder="Search facts, passages and entities",
            label_visibility="collapsed",
            icon=":material/search:",
            on_change=pick,
            args=("text", _TEXT, lambda typed: typed or ""),
        )
        st.segmented_control(
            "Mode",
            MODES,
            key=_MODE,
            format_func=str.capitalize,
            required=True,
            label_visibility="collapsed",
            on_change=pick,
            args=("mode", _MODE),
        )
    with st.container(key="search_keys"):
        _keys(key="search_keys_listener")


def kind_and_date(view: View, *, passages: bool) -> None:
    """Draw into the current row what to look for, and whether facts must hold on the date of the view."""
    asked = view.of(SearchView)
    state.remember(_KIND, asked.kind)
    state.remember(_HOLDS, not asked.recorded)
    st.segmented_control(
        "Kind",
        [kind for kind in KINDS if kind != "passages" or passages or asked.kind == kind],
        key=_KIND,
        format_func=_LABELS.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=pick,
        args=("kind", _KIND),
    )
    if "facts" in asked.kinds:
        st.toggle(
            f"Only facts valid on {dates.named(view.as_of, view.at.as_of)}",
            key=_HOLDS,
            help="When off, search finds every recorded fact and shows its status on that date.",
            on_change=pick,
            args=("recorded", _HOLDS, lambda holds: not holds),
        )
