"""A button that copies a text: browsers give the clipboard to a page of theirs only while it is clicked."""

import streamlit as st

from components.served_assets import CLIPBOARD

BUTTON_CSS = """button { display: inline-flex; align-items: center; gap: 8px; min-height: var(--a-button, 35px);
  box-sizing: border-box; padding: 3px 11px;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 6px); background: none;
  font: 400 12.25px/1.6 var(--st-font); color: var(--st-text-color); cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--st-primary-color); color: var(--st-link-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
i { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
svg { width: 15px; height: 15px; fill: none; stroke: currentColor; stroke-width: 1.4; }"""
_JS = (
    CLIPBOARD.read_text(encoding="utf-8")
    + """export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const label = button.querySelector("span");
  const status = parentElement.querySelector("i");
  label.textContent = data.label;
  button.onclick = async () => {
    label.textContent = status.textContent = (await copy(data.text)) ? data.done : "The browser blocked copying";
    setTimeout(() => (label.textContent = data.label), 4000);
  };
}
"""
)
_HTML = """<button type="button"><svg viewBox="0 0 16 16" aria-hidden="true"><rect x="5.5" y="5.5" width="8" height="8"
rx="1.5"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/></svg><span></span></button>
<i role="status"></i>"""
_button = st.components.v2.component("asof_copy", html=_HTML, css=BUTTON_CSS, js=_JS)


def copy_button(label: str, words: str, *, key: str, done: str = "Copied") -> None:
    """Draw the button, which says that it is `done` for a moment."""
    _button(key=key, data={"label": label, "text": words, "done": done}, width="content")
