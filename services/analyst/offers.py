"""What can be asked instead of a question that was not understood: each is a question that this analyst answers."""

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process

from services.analyst import phrasing
from services.analyst.employment import is_occupation
from services.analyst.fact_kinds import FactSelection
from services.analyst.graph_lexicon import Lexicon, RelationEntry
from services.analyst.query_plan import QueryPlan
from services.analyst.question_words import QuestionWord, stem
from services.analyst.vocabulary import Side, is_of_people
from services.core.answer_records import Offer
from services.language.inflection import without_s
from services.language.relation_names import relation_words

_MOST_RELATIONS = 8
_MOST_FOLLOW_UPS = 3
_MOST_NAMES = 3
_ALIKE = 70


def relations_of(name: str, lexicon: Lexicon) -> Iterator[Offer]:
    """Return what can be asked of an entity: each relation that it has, on each side, the busiest first."""
    sides = lexicon.sides.get(name, {})
    ordered = sorted(sides, key=lambda relation: -lexicon.relations[relation].facts)[:_MOST_RELATIONS]
    for relation in ordered:
        for side in sorted(sides[relation]):
            label = " ".join(relation_words(relation))
            yield Offer(
                "relation",
                label if side == "source" else f"… {label}",
                question_of(name, lexicon.relations[relation], side),
            )


def question_of(name: str, entry: RelationEntry, side: Side) -> str:
    """Ask in words for the other side of an entity's relation: "What is the status of PEP 8?"."""
    words, noun = phrasing.relation_words(entry.name), phrasing.noun_of(entry.name)
    if side == "target":
        asked = "Who" if _is_of_people(entry) else "What"
        return f"{asked} has the {noun} {name}?" if noun else f"{asked} {words} {name}?"
    if noun:
        return f"What is the {noun} of {name}?"
    verb, _, rest = words.partition(" ")
    if verb in ("is", "are", "was"):
        return f"What {verb} {name} {rest}?"
    if phrasing.past_of(verb) == verb:
        return f"What has {name} {words}?"
    return f"What does {name} {without_s(verb)} {rest}".rstrip() + "?"


def _is_of_people(entry: RelationEntry) -> bool:
    """True where the sources are people by their type, or since they work somewhere or as something."""
    works = entry.hints.get((stem("work"),))
    if is_occupation(entry.name) or (works is not None and works.side == "source"):
        return True
    return any(is_of_people(kind) for kind, _ in entry.source_types.most_common(1))


def names_like(words: Sequence[QuestionWord], places: Sequence[int], lexicon: Lexicon) -> Iterator[Offer]:
    """Return the question with a name of the graph in place of one that it lacks, where some are spelled alike."""
    lacking = [place for place in places if words[place].is_capitalised]
    if not lacking:
        return
    first, last = lacking[0], next(at for at in range(lacking[0], len(words) + 1) if at not in lacking)
    asked = " ".join(word.text for word in words[first:last])
    for name, _, _ in process.extract(
        asked, list(lexicon.degrees), scorer=fuzz.WRatio, score_cutoff=_ALIKE, limit=_MOST_NAMES
    ):
        yield Offer("name", name, f"{written(words[:first])} {name}{_rest(words, last)}".strip())


def without(words: Sequence[QuestionWord], places: Sequence[int]) -> str:
    """Return the question without some of its words."""
    return f"{written([word for place, word in enumerate(words) if place not in places])}?"


def written(words: Sequence[QuestionWord]) -> str:
    """Return words as they stand in the question."""
    return "".join(word.gap + word.text for word in words).strip(" ,?.!")


def _rest(words: Sequence[QuestionWord], first: int) -> str:
    rest = words[first:]
    return f"{rest[0].gap}{written(rest)}?" if rest else "?"


def follow_ups(plan: QueryPlan, selection: FactSelection, lexicon: Lexicon) -> tuple[str, ...]:
    """Return questions about the same that this analyst answers too."""
    if not plan.relation or plan.side == "target" or selection.kind == "path" or not plan.subjects:
        return ()
    subject, noun, kind = plan.subjects[0], phrasing.noun_of(plan.relation), selection.kind
    several = len(lexicon.targets.get((subject, plan.relation), ())) > 1 and kind not in ("history", "ever")
    only = selection.facts[0].target if len(selection.facts) == 1 else ""
    offered = {
        f"How did the {noun} of {subject} change over time?": noun and several,
        f"Since when has {subject} had the {noun} {only}?": noun and only and kind == "at",
        f"What was the first {noun} of {subject}?": noun and several and kind != "first",
        "And now?": plan.when.first is not None and kind == "at",
        f"What is the history of {subject}?": True,
    }
    return tuple(question for question, fits in offered.items() if fits)[:_MOST_FOLLOW_UPS]
