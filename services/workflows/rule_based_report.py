"""A report without a model: the sentences that records bear out, under a heading for each entity and period."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.core import clock
from services.core.answer_records import Evidence, Sentence
from services.core.models import Fact
from services.workflows.step_context import StepContext, cited_line

NOTHING_FOUND = "No results for this goal."
_MOST_YEARS = 8
"""With more years than these in one part, facts are put together by the decade."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """A fact and the sentence that states it."""

    fact: Fact
    sentence: Sentence

    @property
    def ends(self) -> tuple[str, str]:
        """The names of both entities."""
        return self.fact.source, self.fact.target


def arranged(context: StepContext, given: str) -> str:
    """Return the sentences of a text that its records bear out, under a heading for each entity and period.

    Parts stand in the order in which the text comes to them, so what several branches found keeps their order.
    """
    evidence = {one.n: one for one in context.evidence()}
    sentences = [one for one in context.checked(given) if one.mark == "supported"]
    facts: list[_Stated] = []
    parts: dict[str, list[Sentence]] = defaultdict(list)
    for one in dict.fromkeys(sentences):
        found = [evidence[n] for n in one.citations if n in evidence]
        if len(found) == 1 and found[0].fact is not None:
            facts.append(_Stated(found[0].fact, one))
        elif found:
            parts[_heading(found)].append(one)
    written = [*_of_entities(facts), *(_of_heading(name, own) for name, own in parts.items())]
    return "\n\n".join(text for _, text in sorted(written)) or NOTHING_FOUND


_Part = tuple[int, str]
"""A part of a report, and where the first of its sentences stood in the text."""


def _of_heading(name: str, sentences: Sequence[Sentence]) -> _Part:
    return sentences[0].start, f"## {name}\n\n" + "\n".join(cited_line(one.text, one.citations) for one in sentences)


def _heading(found: Sequence[Evidence]) -> str:
    """What a part is called whose sentences cite no single fact."""
    document = next((one.document for one in found if one.document is not None), None)
    if document is not None:
        return document.title or document.id
    return "Figures" if any(one.kind == "result" for one in found) else "Documents"


def _of_entities(facts: Sequence[_Stated]) -> Iterator[_Part]:
    """Facts under the entity that most of them are about, then the rest under theirs."""
    left = list(facts)
    while left:
        counts = Counter(name for one in left for name in one.ends)
        entity = max(counts, key=lambda name: (counts[name], any(one.fact.source == name for one in left)))
        own = [one for one in left if entity in one.ends]
        left = [one for one in left if entity not in one.ends]
        yield own[0].sentence.start, f"## {_named(entity)}\n\n" + "\n\n".join(_of_periods(own))


def _of_periods(facts: Sequence[_Stated]) -> Iterator[str]:
    """Facts under the year in which they began, or the decade where there are many; the undated last."""
    years = {one.fact.valid_at.year for one in facts if one.fact.valid_at is not None}
    periods: dict[tuple[int, str], list[_Stated]] = defaultdict(list)
    for one in facts:
        periods[_period(one.fact, by_decade=len(years) > _MOST_YEARS)].append(one)
    for (_, name), own in sorted(periods.items(), key=lambda item: item[0]):
        own.sort(key=lambda one: one.fact.valid_at or clock.LATEST)
        yield f"### {name}\n\n" + "\n".join(cited_line(one.sentence.text, one.sentence.citations) for one in own)


def _period(fact: Fact, *, by_decade: bool) -> tuple[int, str]:
    if fact.valid_at is None:
        return 10_000, "Undated"
    year = fact.valid_at.year
    first = year - year % 10
    return (first, f"{first} to {first + 9}") if by_decade else (year, str(year))


def _named(entity: str) -> str:
    return " ".join(entity.split())
