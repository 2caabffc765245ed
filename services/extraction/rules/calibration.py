"""How often drafts of the rules were right: the score that patterns give, as a share that was measured."""

from bisect import bisect_right

_MEASURED = ((0.0, 0.2), (0.5, 0.4), (0.75, 0.56), (0.8, 0.67), (0.85, 0.77), (0.9, 0.78))
"""From which score on, and the share that was right.

Measured on texts that nobody had seen when the rules were written: 70 drafts of .9 and above, 74 of .85, 84 of .8 and
43 of .75; those from .5 to .75 were right in about 40%. Below .5 nothing was measured: such a draft is not shown.
"""


def measured(score: float) -> float:
    """The share of drafts with such a score that were right."""
    return _MEASURED[max(0, bisect_right([least for least, _ in _MEASURED], score) - 1)][1]
