"""What the words of a goal ask for, without a model: a text, figures, documents; and what it is about."""

import re

_TEXTS = (
    r"(?:report|article|script|story|summary|brief(?:ing)?|overview|news(?:letter)?|piece|dossier|profile|timeline|"
    r"write-?up|essay|memo|note|digest)"
)
_BY_REPORTERS = r"by\ (?:all|both|several|different|(?:the\ )?(?:two|three))\ reporters"
_ORDER = re.compile(
    rf"""^\s*(?:please\s+)?(?:can\ you\s+|could\ you\s+)?
    (?:(?:write|make|create|draft|prepare|produce|compose|give\ (?:me|us)|compile|generate|do|i\ (?:need|want))\s+)?
    (?:(?:me|us)\s+)?(?:(?:a|an|the|two|three|several|some)\s+)?(?:[\w-]+\s+){{0,3}}?{_TEXTS}s?
    (?:\s+{_BY_REPORTERS})?(?:\s+(?:on|about|of|for|regarding|concerning|covering):?|\s*:)\s+
    (?P<topic>.+?)(?:,?\s+{_BY_REPORTERS}[.!]?)?\s*$""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ALSO_TEXT = re.compile(
    rf"\b(?:write|draft|compose|summari[sz]e|report\s+on)\b|\b{_TEXTS}\s+(?:on|about|of|for)\b|^\s*{_TEXTS}\b",
    re.IGNORECASE,
)
_SUMMARISE = re.compile(
    r"^\s*(?:please\s+)?(?:summari[sz]e|report\s+on|write\s+about)\s+(?P<topic>.+?)\s*$", re.I | re.S
)
_FIGURES = re.compile(
    r"\b(?:how\s+many|how\s+much|count|sum|total|average|mean|median|percent(?:age)?|rank|top\s+\d+|per\s+\w+|rows?|table|"
    r"sql)\b",
    re.IGNORECASE,
)
_DOCUMENTS = re.compile(
    r"\b(?:documents?|texts?|passages?|papers?|files?|manuals?|notes|mails?|what\s+is\s+written)\b", re.IGNORECASE
)
_SEVERAL = re.compile(
    r"\b(?:several|both|two|three|multiple|all|different|various)\s+(?:reporters?|versions?|articles?|reports?|scripts?|takes)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|did|does|do|has|have|had|can)\b",
    re.IGNORECASE,
)


def wants_text(goal: str) -> bool:
    """True where a report, an article or another text is asked for."""
    return bool(_ORDER.match(goal) or _ALSO_TEXT.search(goal))


def wants_figures(goal: str) -> bool:
    """True where rows are to be counted or summed."""
    return bool(_FIGURES.search(goal))


def wants_documents(goal: str) -> bool:
    """True where it is asked what documents say."""
    return bool(_DOCUMENTS.search(goal))


def wants_several(goal: str) -> bool:
    """True where several versions or reporters are asked for."""
    return bool(_SEVERAL.search(goal))


def is_question(text: str) -> bool:
    """True for what asks something."""
    return text.rstrip().endswith("?") or bool(_QUESTION.match(text))


def questions_of(topic: str) -> tuple[str, ...]:
    """Return the questions that a topic asks one after another; itself where it asks one at most."""
    found = [one.strip() for one in re.findall(r"[^?]+\?", topic)]
    return tuple(found) if len(found) > 1 else (topic,)


def topic_of(goal: str) -> str:
    """Return what a goal is about, without the order to write a text on it."""
    found = _ORDER.match(goal) or _SUMMARISE.match(goal)
    topic = found["topic"] if found else goal
    return topic.strip().rstrip(".!").strip() or goal.strip()
