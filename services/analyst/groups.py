"""The groups that the facts of an answer are told in, each under a line that claims nothing."""

import re
from collections import defaultdict

from services.analyst import phrasing
from services.analyst.plan import Plan
from services.analyst.stories import Story
from services.core import clock
from services.core.models import Fact, Instants

_FEW = 12
"""So few facts of an entity need no groups."""
_ORDER = ("At the start of the period:", "Began in the period:", "Began:", "Ended:", "Unchanged:")


def groups(plan: Plan, story: Story) -> list[tuple[str, list[Fact]]]:
    """The facts of a story under what leads in to them; all under an empty line, where that would be one group."""
    facts = [*story.facts, *story.undated]
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[_lead(plan, story, fact)].append(fact)
    if len(found) < 2:
        return [("", facts)]
    ordered = [lead for lead in _ORDER if lead in found]
    return [(lead, found[lead]) for lead in ordered or found]


def _lead(plan: Plan, story: Story, fact: Fact) -> str:
    if story.kind == "period":
        return _ORDER[0] if clock.true_at(fact, story.at) else _ORDER[1]
    if story.kind == "compare" and story.until is not None:
        before = clock.true_at(fact, story.at)
        after = clock.true_at(fact, Instants(story.until, story.at.known_at))
        return "Unchanged:" if before and after else "Ended:" if before else "Began:"
    if plan.intent == "overview" and story.kind == "at" and len(story.facts) + len(story.undated) > _FEW:
        return _of_relation(plan.subjects[0], fact)
    return ""


def _of_relation(subject: str, fact: Fact) -> str:
    """What joins an entity to others: "Has status:", "Authored by Guido van Rossum:"; figures would claim."""
    words = phrasing.relation_words(fact.relation).removeprefix("is ")
    told = words if fact.source == subject else f"{words} {'it' if re.search(r'[0-9]', subject) else subject}"
    told = re.sub(r"[0-9]+", "…", told)
    return f"{told[:1].upper()}{told[1:]}:"
