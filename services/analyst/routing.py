"""Which tool a question in general wants, by its words alone: what no graph is needed for."""

import re

_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = rf"(?:\d{{4}}(?:-\d\d){{0,2}}|(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:of )?(?:{_MONTH})(?: \d{{1,2}},?)? \d{{4}})"

_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("memory_search", (r"memory|memories|remember|recall|notes?",)),
    (
        "get_change_history",
        (r"lately|recent(?:ly)?|(?:latest|last|newest) changes?|what(?:'s| is) new", r"since (?:last|yesterday)"),
    ),
    (
        "get_document_context",
        (
            r"^(?:please )?(?:read|open|print)",
            r"lines? \d+|full text|table of contents",
            r"sections? \w+.* of the (?:document|file)|versions? of the (?:document|file)",
        ),
    ),
    (
        "graph_inspect",
        (r"inspect|(?:in )?(?:which|what) files?|source files?|all (?:the )?details (?:of|about) the entity",),
    ),
    (
        "graph_search",
        (r"neighbou?r(?:hood|s|ing)|\d+ hops?|(?:entities|everything) around|relate to each other around",),
    ),
    (
        "find_path",
        (
            r"paths?|connected|connections? between|(?:what|who) (?:links?|connects?|ties?)|route (?:from|between)",
            r"how (?:is|are|was|were) .+ (?:linked|tied|related)|through (?:whom|what|which)",
            r"shortest connections?",
        ),
    ),
    (
        "search_knowledge",
        (
            r"why|explain|documents?|docs|manual|handbook|texts?|passages?|chapters?|paragraphs?|sections?",
            r"defin(?:es?|ition)|mentions?|says? about|describes?|what does .+ (?:say|recommend|propose)",
            r"how (?:do|to|should)",
        ),
    ),
    (
        "compare_times",
        (
            r"compare|differ(?:s|ent|ence|ences)?",
            rf"between {_DATE} and {_DATE}|from {_DATE} to {_DATE}|{_DATE} (?:vs\.?|versus) {_DATE}",
        ),
    ),
    (
        "search_knowledge_graph",
        (
            r"knowledge graph|relationships?|depends? (?:up)?on|interacts?|related to|relates? to|associated with",
            r"has to do with",
        ),
    ),
    ("search_entities", (r"entit(?:y|ies)|named|name like|called|in the graph",)),
    (
        "get_entity_history",
        (
            r"history|timeline|over (?:time|the years)|evol(?:ve[ds]?|ution)|since when|(?:until|till) when|how long",
            r"^when(?! \w+(?: \w+)* (?:became|was|were) .*,)|how (?:has|have|did|had)\b.*\bchanged?",
            r"before|after|first|initial|original|earliest|previous|next|succeeded|preceded",
        ),
    ),
)
_TOOLS = tuple(
    (tool, re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in patterns), re.IGNORECASE))
    for tool, patterns in _RULES
)


def tool_for(question: str) -> str:
    """The name of the registry's tool that a question wants; what holds at a date, where nothing tells of another."""
    return next((tool for tool, pattern in _TOOLS if pattern.search(question)), "facts_at")
