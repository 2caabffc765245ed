"""The part of the Settings page that says who answers questions, and within which limits."""

import streamlit as st

from components.markup import heading, table, text
from services.agent import App
from services.core.config import Settings, without_password
from services.llm import models

_HOW = (
    "No model is set: the analyst that needs none answers from facts, by rules. To have a model answer, set "
    "`ANTHROPIC_API_KEY` and `ASOF_MODEL` (and `ANTHROPIC_BASE_URL` for another server), and start Asof again."
)


def asking(services: App) -> None:
    """Models, endpoint, whether there is a key, and limits; never the key itself."""
    chosen = services.settings
    heading("Asking")
    if not models(chosen):
        st.caption(_HOW)
        return
    rows = [[(f"<b>{text(name)}</b>", "a-nw"), (text(value), "a-w")] for name, value in _rows_of(chosen).items()]
    table(rows, [("", ""), ("", "a-w")], label="Who answers questions")


def _rows_of(chosen: Settings) -> dict[str, str]:
    cost = [
        f"${chosen.max_answer_cost:g} an answer" if chosen.max_answer_cost else "",
        f"${chosen.max_daily_cost:g} a day and user" if chosen.max_daily_cost else "",
    ]
    limits = (f"{chosen.max_steps} requests", f"{chosen.max_seconds:g} s", f"{chosen.max_answer_tokens:,} tokens")
    return {
        "Models": ", ".join(models(chosen)),
        "Endpoint": without_password(chosen.anthropic_base_url) or "its maker's",
        "Key": "set" if chosen.anthropic_api_key.get_secret_value() else "not set",
        "Prices": chosen.prices or "none: no cost is shown",
        "Tools": chosen.toolsets,
        "An answer": f"at most {', '.join(limits)}",
        "Cost": " · ".join(filter(None, cost)) or "no limit",
    }
