"""Which sentences claim nothing, so that no record need bear them out."""

import re

from services.language.other_languages import languages
from services.retrieval.tokens import STOP_WORDS, tokens
from services.verification.sentence_reading import plain
from services.verification.word_classes import GENERAL

_RECORDS = (
    "(?:evidence|facts?|records?|results?|answers?|information|data|match(?:es)?|sources?|documents?|mentions?"
    "|entr(?:y|ies)|entit(?:y|ies))"
)
_FOUND = (
    "(?:found|matche[sd]|known|returned|available|recorded|shown|stored|there|exists?|says?|tells?|mentions?|holds?"
    "|graph)"
)
_FIND = "(?:find|found|answer|tell|say|know|understand|understood|determine|verify|confirm|see|locate)"
_HAS = "(?:has|have|holds?|records?|says?|contains?|tells?|knows?)"
_NOTHING = re.compile(
    rf"""\b(?: (?:nothing|none|no\ (?:\w+\ ){{0,3}}?{_RECORDS})\b [^.;]*? \b{_FOUND}
      | (?:could|can|did|do|does|was|were|is|am|are)(?:\ not|n't|\ unable\ to)\ (?:\w+\ )?
        {_FIND}
      | cannot\ {_FIND}
      | (?:graph|records?|sources?|documents?|workspace)\ {_HAS}\ (?:nothing|no\b)
      | there\ (?:is|are|was|were)\ (?:nothing|no)\ (?:\w+\ ){{0,2}}?{_RECORDS} )""",
    re.VERBOSE | re.IGNORECASE,
)
_META = re.compile(
    rf"""^(?: let\ me | let's | i'll | i'm | i've
      | i\ (?:will|am|have|looked|searched|checked|found|asked|used|see|think|can)
      | i\ couldn't\ read\b | this\ looks\ like\ (?:{"|".join(map(re.escape, languages()))})(?:\.|$)
      | we\ (?:looked|can|see) | here(?:'s|\ is|\ are) | see\b | note\ that\ this | hope | please | sure\b
      | of\ course
      | thanks | sorry | based\ on\ (?:the|these|what) | would\ you | do\ you | shall\ i | if\ you
      | (?:sources?|references?|summary|details|notes?|evidence|citations?|answer|in\ short|in\ summary|overall)
        \ *:?$ )""",
    re.VERBOSE | re.IGNORECASE,
)
_VERDICT = re.compile(
    r"""^(?: (?:Yes|No) (?:,\ (?:not|never)\b
        (?:\ (?:[a-z\d][\w:/-]*|(?:Jan|Feb|Ma[ry]|Apr|Ju[nl]|Aug|Sep|Oct|Nov|Dec)[a-z]*|Q[1-4]|UTC),?)* )?
      | According\ to\ the\ graph (?=;) )
    (?:,?\ according\ to\ the\ graph)? (?:;\ today\ is\ [\d-]+)? \.$""",
    re.VERBOSE,
)
"""A yes or no with the time that it holds for: what follows bears it out."""
_ALL_BOLD = re.compile(r"^(?:\*\*|__)[^*_]+(?:\*\*|__):?$")
_HEADING = re.compile(r"^#{1,6}\s")


def claims_nothing(text: str, is_cited: bool) -> bool:
    """True for a question, a heading, a lead-in, a remark on the search itself, and for "nothing was found".

    What cites a record says that it claims something, unless it asks.
    """
    if text.rstrip('*_ "”)').endswith("?"):
        return True
    if is_cited:
        return False
    bare = plain(text).strip()
    if _VERDICT.match(bare) or _HEADING.match(text) or _ALL_BOLD.match(text.strip()):
        return True
    if _NOTHING.search(bare) or (_META.match(bare) and not _states_names(bare)):
        return True
    if bare.endswith(":") and not re.search(r"\d", re.sub(r"\b\w+ \d[\w.]*", "", bare)):
        return True
    return not any(_tells(word) for word in tokens(bare))


def _states_names(text: str) -> bool:
    """True for a remark that goes on to a statement: a name and a verb after the opening."""
    rest = text.split(",", 1)[1] if "," in text else ""
    return bool(re.search(r"\b[A-Z][\w']+\b.*\b(?:is|was|are|were|has|had|\w+ed)\b", rest))


def _tells(word: str) -> bool:
    lower = word.lower()
    return (
        lower not in GENERAL
        and lower not in STOP_WORDS
        and lower not in ("yes", "okay", "ok", "undated", "answer", "follows", "below", "above")
    )
