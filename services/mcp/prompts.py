"""Prompts: the common questions, which a client offers its user with their blanks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.core.errors import BadInput
from services.core.json_documents import Json


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A question with blanks; those in `optional` may be left empty."""

    name: str
    description: str
    text: str
    blanks: Mapping[str, str]
    optional: tuple[str, ...] = ()


_DATE = "The date, such as 2018-06-27"
_PROMPTS = (
    _Prompt(
        "what_held",
        "Which facts about an entity were valid on a date",
        "Which facts about {entity} were valid on {date}? Call facts_at with entity {entity} and as_of {date}; if you "
        "find nothing, look up the name with search_entities. Give the dates of each fact.",
        {"entity": "The entity", "date": _DATE},
    ),
    _Prompt(
        "what_was_known",
        "What the graph knew about an entity on a given date",
        "What did the graph say about {entity} on {date}? Call facts_at with entity {entity}, as_of {date} and "
        "known_at {date}, then again without known_at, and list the differences.",
        {"entity": "The entity", "date": _DATE},
    ),
    _Prompt(
        "history",
        "How an entity changed over time",
        "How did {entity} change over time? Call get_entity_history with {entity} and list the changes in order, "
        "with their dates and causes.",
        {"entity": "The entity"},
    ),
    _Prompt(
        "what_changed",
        "What changed between two dates",
        "What changed between {first} and {second}? Call compare_times{about} and group the result by kind, with "
        "the cause of each change.",
        {"first": _DATE, "second": _DATE, "entity": "Limit to this entity"},
        ("entity",),
    ),
    _Prompt(
        "catch_up",
        "Facts recorded since your last visit",
        "What did the graph record since I last asked? Call get_changes without the parameter since until it returns "
        "no cursor, and summarize the new, ended and corrected facts.",
        {},
    ),
    _Prompt(
        "connection",
        "How two entities are connected",
        "How are {one} and {other} connected? Call find_path with both, and explain each step with its dates.",
        {"one": "The first entity", "other": "The second entity"},
    ),
)


def listed() -> Json:
    """Return the prompts with their blanks."""
    return {"prompts": [_listed(prompt) for prompt in _PROMPTS]}


def _listed(prompt: _Prompt) -> Json:
    arguments = [
        {"name": name, "description": what, "required": name not in prompt.optional}
        for name, what in prompt.blanks.items()
    ]
    title = prompt.name.replace("_", " ").capitalize()
    return {"name": prompt.name, "title": title, "description": prompt.description, "arguments": arguments}


def filled(name: str, arguments: Mapping[str, Any]) -> Json:
    """Return a prompt with its blanks filled in. Raises `BadInput` that names what is missing or strange."""
    prompt = next((one for one in _PROMPTS if one.name == name), None)
    if prompt is None:
        raise BadInput(f"name: there is no prompt “{name[:80]}”.", f"Available: {', '.join(p.name for p in _PROMPTS)}.")
    if strange := arguments.keys() - prompt.blanks.keys():
        raise BadInput(
            f"{min(strange)[:80]}: unknown argument of {name}.", f"Available: {', '.join(prompt.blanks) or 'none'}."
        )
    given = {blank: str(arguments.get(blank, "")).strip() for blank in prompt.blanks}
    for blank, value in given.items():
        if not value and blank not in prompt.optional:
            raise BadInput(f"{blank}: is required.")
    about = f" about {given['entity']}" if given.get("entity") else ""
    text = prompt.text.format(**{**given, "about": about})
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}
