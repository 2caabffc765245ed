"""What reading texts will take, said before a model is paid: time, requests, tokens and cost, from stated assumptions.

A token is taken for four characters. The sizes of Graphiti's prompts were measured on the scripted endpoint with the
schema that Asof looks for unless a workspace says otherwise; a test holds them to what is sent. How many facts a text
holds, and how fast a model answers, nobody knows before: the constants below say what is assumed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from services.core.config import Settings
from services.core.cost import Prices, Usage
from services.extraction.text_positions import LONGEST_PASSAGE

RULES = "rules"
CHARACTERS_PER_TOKEN = 4

ENTITIES_PROMPT, RESOLUTIONS_PROMPT, FACTS_PROMPT, COMPARISON_PROMPT, DATES_PROMPT = 1_690, 985, 3_830, 1_050, 635
"""Tokens of each prompt without the text: once for each passage the first three, for facts the others."""

CHARACTERS_PER_FACT = 100
"""Of prose; notes that consist of facts hold twice as many."""
_COMPARED = _UNDATED = 0.5
"""The shares of facts that have stored ones beside them, and that have no date of their own."""
_WRITTEN_PER_FACT = 180
"""Tokens that the model writes for a fact: its two ends, whom they stand for, itself, its dates."""
_WRITTEN_PER_PASSAGE = 60

_SECONDS_PER_REQUEST = 1.0
_TOKENS_PER_SECOND = 60
_AT_ONCE = 4
_SENTENCES_PER_SECOND, _CHARACTERS_PER_SENTENCE, _LOADING = 25, 90, 2.5
"""How fast rules and network read on one core, and the seconds that it takes to load them."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A guess. `cost` is in US dollars, None where no model is asked or it has no price."""

    seconds: float
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


def estimate_reading(characters: Sequence[int], extractor: str, settings: Settings) -> Estimate:
    """What texts of so many characters each will take with an extractor: "rules", or a model's name.

    Raises `BadInput` for prices that cannot be read.
    """
    if extractor == RULES:
        return Estimate(_LOADING + sum(characters) / _CHARACTERS_PER_SENTENCE / _SENTENCES_PER_SECOND)
    passages = sum(math.ceil(n / LONGEST_PASSAGE) for n in characters)
    facts = sum(max(1, round(n / CHARACTERS_PER_FACT)) for n in characters if n)
    text = sum(characters) / CHARACTERS_PER_TOKEN
    each = ENTITIES_PROMPT + RESOLUTIONS_PROMPT + FACTS_PROMPT
    read = round(passages * each + 3 * text + facts * (_COMPARED * COMPARISON_PROMPT + _UNDATED * DATES_PROMPT))
    written = passages * _WRITTEN_PER_PASSAGE + facts * _WRITTEN_PER_FACT
    for_facts = math.ceil(facts * (_COMPARED + _UNDATED))
    in_turn = 3 * passages + for_facts / _AT_ONCE
    return Estimate(
        in_turn * _SECONDS_PER_REQUEST + written / _TOKENS_PER_SECOND,
        3 * passages + for_facts,
        read,
        written,
        Prices(settings.prices).cost(extractor, Usage(read, written)),
    )
