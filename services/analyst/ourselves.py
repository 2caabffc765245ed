"""Whom "we" and "our" mean: the one organisation that has the relation that a question asks for, if there is one."""

from collections.abc import Iterable, Sequence

from services.analyst.graph_lexicon import Lexicon
from services.analyst.mentions import NameMention
from services.analyst.question_words import QuestionWord, places_of
from services.analyst.vocabulary import OWN, is_like

_OURSELVES = frozenset(("we", "our", "ours"))


def with_ourselves(
    words: Sequence[QuestionWord], mentions: Sequence[NameMention], lexicon: Lexicon
) -> tuple[NameMention, ...]:
    """Return the names of a question with the one that "we" or "our" stands for, in order."""
    taken = places_of(mentions)
    free = [at for at in range(len(words)) if at not in taken]
    place = next((at for at in free if words[at].low in _OURSELVES), None)
    name = _organisation({words[at].stem for at in free}, lexicon) if place is not None else ""
    if place is None or not name or any(name in mention.names for mention in mentions):
        return tuple(mentions)
    ours = NameMention(place, place + 1, (name,), "short")
    return tuple(sorted((*mentions, ours), key=lambda mention: mention.first))


def _organisation(stems: Iterable[str], lexicon: Lexicon) -> str:
    """Return the one organisation that alone stands on a side of each relation that the words name; "" where none."""
    hints = (pair for word in stems for pair in lexicon.hints.get((word,), ()))
    named = {relation for relation, hint in hints if hint.weight >= OWN}
    alone = {_alone_in(relation, lexicon) for relation in named}
    return alone.pop() if len(alone) == 1 else ""


def _alone_in(relation: str, lexicon: Lexicon) -> str:
    joined = [(source, targets) for (source, of), targets in lexicon.targets.items() if of == relation]
    sides = ({source for source, _ in joined}, {name for _, targets in joined for name in targets})
    alone = [names.pop() for names in sides if len(names) == 1]
    is_one = len(alone) == 1 and is_like(lexicon.type_of(alone[0]), "company", "organisation")
    return alone[0] if is_one else ""
