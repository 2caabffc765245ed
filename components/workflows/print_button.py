"""A button that prints the page: the stylesheet leaves the report alone on paper, and browsers save it as PDF."""

import streamlit as st

from components.ask.copy_button import BUTTON_CSS

_HTML = """<button type="button"><svg viewBox="0 0 16 16" aria-hidden="true">
<path d="M4.5 6V2.5h7V6M4.5 11.5H2.5V6h11v5.5h-2M4.5 9.5h7v4h-7z"/></svg><span></span></button>"""
_JS = """export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.querySelector("span").textContent = data.label;
  button.onclick = () => window.print();
}
"""
_button = st.components.v2.component("asof_print", html=_HTML, css=BUTTON_CSS, js=_JS)


def print_button(label: str, *, key: str) -> None:
    """Draw the button."""
    _button(key=key, data={"label": label}, width="content")
