"""Questions of whom something joins with a name: other authors of a work, and those two places before in a row."""

import re

from services.analyst.parsed_question import QuestionTemplate

_WITH = r"(?:on|in|at|of|for|to|from)"
FELLOWS = tuple(
    map(
        re.compile,
        (
            rf"(?:^| )(?:the )?(?:co|fellow) (?P<noun>\w+) of (?:the )?(?P<one>M) {_WITH} (?:the )?(?P<all>M)(?= )",
            rf"(?:^| )(?P<one>M) 's (?:co|fellow) (?P<noun>\w+) {_WITH} (?:the )?(?P<all>M)(?= )",
            rf"(?:^| )who (?:are|were|is|was) (?:the )?(?:co|fellow) (?P<noun>\w+) {_WITH} (?:the )?(?P<all>M)"
            r" (?:of|with|beside|besides) (?:the )?(?P<one>M)(?= )",
        ),
    )
)
TOGETHER = tuple(
    map(
        re.compile,
        (
            r"^ whom? (?:has |have |had )?co (?P<verb>\w+) (?:the )?(?P<all>M) (?:together )?with (?P<one>M) $",
            r"^ who (?:has |have |had )?(?P<verb>\w+) (?:the )?(?P<all>M)"
            r" (?:together|jointly|along|alongside) (?:with )?(?P<one>M) $",
            r"^ (?:with|alongside) whom did (?P<one>M) (?:co )?(?P<base>\w+) (?:the )?(?P<all>M) $",
            r"^ whom? did (?P<one>M) (?:co )?(?P<base>\w+) (?:the )?(?P<all>M) (?:together )?with $",
        ),
    )
)
ALSO = re.compile(
    r"^ (?P<one>(?:the )?M) (?P<says>(?!'s )(?:\S+ )+?)(?:, )?(?:and |but )?who else"
    r" (?:is|was|does|did|do|has|have|had) $"
)
"""What is stated of a name and asked of others: "A drives it, who else does?"."""
COLLEAGUES = re.compile(
    r"^ (?:who|list|name)(?: (?:is|are|was|were))?(?: all)?(?: D)? (?:(?P<one>M) 's (?P<noun>\w+?)s?"
    r"|(?:the )?(?P<noun_before>\w+?)s? of (?P<one_behind>M))(?P<when> D)? $"
)
"""Who does the same at one place as somebody: "A's colleagues"."""
_NEXT = r"(?:predecessor|successor)"
CHAIN = re.compile(
    rf"(?P<inner>M 's (?:immediate |direct )?(?P<noun>{_NEXT}))(?= 's {_NEXT} )"
    rf"|(?<= )(?:{_NEXT} (?:of|to)|(?:succeeded|replaced|followed|preceded|came after|came before))"
    rf" (?P<other>M 's (?:immediate |direct )?(?P<other_noun>{_NEXT}))(?= )"
)
_DESCRIBED = re.compile(
    r" (?:succeed(?:s|ed)?|replace[ds]?|follow(?:s|ed)?|preced(?:e|es|ed)|(?:came|come|comes) (?:after|before))"
    r" the (?:person|man|woman|one|\w+) (?:who|that) "
)
_OF_ITS_OWN = (
    re.compile(r" (?P<noun>\w+) (?:of|to) (?:the )?M 's (?P=noun)(?= )"),
    re.compile(r" M 's (?P<noun>\w+) 's (?P=noun)(?= )"),
    re.compile(r" (?P<verb>\w+) (?:the|a) \w+ (?:who|that|which) (?P=verb) "),
)
"""A relation taken twice: "the boss of A's boss", "who taught the man who taught A"."""
_BOTH = re.compile(
    r"^ (?:has|have|had|is|was|did) (?:anyone|anybody|someone|somebody) .*both (?:the )?M and (?:the )?M "
)
OF_THOSE_NOW = re.compile(
    r"^ of (?:all )?(?:the )?(?=.* D ,|current |present |\w+ (?:\w+ing|who are|who is) )(?:current |present )?"
    r"(?P<noun>\w+)(?: (?:who|that)(?: (?:are|is))?)?(?: (?P<verb>\w+)(?P<rest> .*?)?)?(?: D)? , (?:who|which)(?: one)?"
    r" has (?:been|done|held|had)(?: (?:in|at|on))?(?: (?:that|the|this|their|it|so|there|one))?(?: \w+)?"
    r" (?:for )?(?:the )?longest(?: time)? $"
)
""" "Of the current captains, who has been in post the longest?": those of today are compared."""
_EITHER_ORDER = re.compile(r" (?:before or after|after or before) (?!(?:the )?M (?:did |was |were |is |had )?$)")
_EACH_OF_TWO = re.compile(
    r"^ (?:did|does|has|is|was) (?:the )?M (?:(?!between |from |more |than |M )\w+ ){1,4}?(?:the )?M and (?:the )?M $"
)


def asks_of_others(template: QuestionTemplate) -> bool:
    """True for a question that is not of the name in it but of somebody whom that leads to, or of two facts or more."""
    patterns = (
        *FELLOWS,
        *TOGETHER,
        ALSO,
        CHAIN,
        OF_THOSE_NOW,
        _DESCRIBED,
        _EITHER_ORDER,
        _EACH_OF_TWO,
        *_OF_ITS_OWN,
        _BOTH,
    )
    return any(pattern.search(template.text) for pattern in patterns)
