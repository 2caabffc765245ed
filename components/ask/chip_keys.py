"""Delete and Backspace take off the chip of a question that has the focus, which then is on the chip after it."""

import streamlit as st

KEY = "chip_keys"
_JS = """const ROW = "[class*='st-key-clocks_']";
const LONGEST = 10_000;
const buttonsOf = (row) => [...(row?.querySelectorAll("button") ?? [])];
const takesOff = (button) => !!button?.closest("[class*='st-key-icon_off_']");
export default function ({ parentElement }) {
  const host = parentElement.host ?? parentElement;
  if (host.asofChips) return host.asofChips;
  let watch = null;
  const focusIn = (known, place) => { // the answer is made anew, with chips of its own, and drawn more than once
    watch?.disconnect();
    const isFree = () => {
      const row = document.activeElement?.closest(ROW);
      return row ? known.has(row.className) : [null, document.body].includes(document.activeElement);
    };
    const made = new MutationObserver(() => {
      const row = [...document.querySelectorAll(ROW)].find((one) => !known.has(one.className));
      const chips = buttonsOf(row);
      if (chips.length && isFree()) (chips[place] ?? chips.at(-1)).focus();
    });
    made.observe(document.body, { subtree: true, childList: true });
    setTimeout(() => made.disconnect(), LONGEST);
    watch = made;
  };
  const onClick = (event) => {
    const off = event.target.closest?.("button");
    if (!takesOff(off)) return watch?.disconnect(); // the reader goes elsewhere
    const chips = buttonsOf(off.closest(ROW));
    const at = chips.indexOf(off);
    const known = new Set([...document.querySelectorAll(ROW)].map((one) => one.className));
    focusIn(known, at > 0 && !takesOff(chips[at - 1]) ? at - 1 : at);
  };
  const onKey = (event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    const chips = buttonsOf(document.activeElement?.closest(ROW));
    const at = chips.indexOf(document.activeElement);
    const off = [chips[at], chips[at + 1]].find(takesOff);
    if (at < 0 || !off) return;
    event.preventDefault();
    off.click();
  };
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  host.asofChips = () => {
    watch?.disconnect();
    document.removeEventListener("click", onClick);
    document.removeEventListener("keydown", onKey);
    delete host.asofChips;
  };
  return host.asofChips;
}
"""
_listener = st.components.v2.component("asof_chip_keys", html="<i></i>", js=_JS)


def listen() -> None:
    """Let the keys work on this page."""
    with st.container(key=KEY):
        _listener(key=f"{KEY}_listener")
