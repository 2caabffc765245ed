"""The names in a question: runs of capitalised words and of names that the graph knows, and what each stands for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.language.person_names import FORMERLY, PARTICLES, TITLES
from services.retrieval.tokens import STOP_WORDS, tokens

NOT_NAMES = frozenset(
    [
        "the",
        "this",
        "that",
        "what",
        "when",
        "where",
        "who",
        "why",
        "how",
        "tell",
        "show",
        "give",
        "find",
        "search",
        "get",
        "which",
        "whose",
        "list",
        "describe",
        "summarise",
        "summarize",
        "explain",
        "compare",
        "does",
        "did",
        "are",
        "was",
        "can",
        "has",
        "have",
        "please",
        "any",
        "all",
        "every",
        "each",
        "across",
        "and",
        "for",
        "with",
        "from",
        "me",
    ]
)
_PIECE = re.compile(r"(?P<word>\w+(?:['’](?!s\b)\w+)*)(?P<possessive>\.?['’]s\b|(?<=s)['’](?=\W|$))?", re.IGNORECASE)
_FORMERLY = re.compile(FORMERLY, re.IGNORECASE)
_OF = frozenset(("of", "for", "by"))
_VERBS = frozenset(("did", "does", "do", "has", "have", "had"))
_BESIDE = frozenset(("at", "in", "with", "on", "about", "to", "using", "near", "from"))
_GIVEN = frozenset(("will",))
"""What may be a first name at the start of a question."""
_MOST_BEFORE_COMMA, _MOST_AFTER_COMMA = 2, 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a question, without a possessive's ending."""

    word: str
    start: int
    end: int
    is_possessive: bool


@dataclass(frozen=True, slots=True)
class NameRun:
    """Words side by side that make a name, from the piece `first` until before the piece `end`."""

    text: str
    first: int
    end: int
    is_possessive: bool


def pieces_of(question: str) -> list[Piece]:
    """Return the words of a question with their places."""
    return [
        Piece(found["word"], found.start("word"), found.end("word"), found["possessive"] is not None)
        for found in _PIECE.finditer(question)
    ]


class QuestionNames:
    """The names in a question. `known` are those that the graph knows; of the others capitals tell."""

    def __init__(self, question: str, known: Sequence[str], is_part: Callable[[str], bool]) -> None:
        self._question = question
        self._is_part = is_part
        self.pieces = pieces_of(question)
        self._lower = [piece.word.lower() for piece in self.pieces]
        self._starts = self._known_spans(known)
        if question == question.lower():
            self._starts |= self._possessive_spans()
        self._known = {place for first, end in self._starts.items() for place in range(first, end)}
        self.runs = self._inverted(self._runs())

    def is_named(self, place: int) -> bool:
        """True where the word at a place is one of a name."""
        return any(run.first <= place < run.end for run in self.runs)

    def owners(self) -> list[NameRun]:
        """Return the names that are said to have something: "Ada's", "of Ada", "does Ada have"."""
        marked = [run.is_possessive or self._follows(run, _OF | _VERBS) for run in self.runs]
        for place, (run, following) in enumerate(pairwise(self.runs)):
            if self._are_joined(run, following):
                marked[place + 1] |= marked[place] and not run.is_possessive
        for place, (run, following) in reversed(list(enumerate(pairwise(self.runs)))):
            if self._are_joined(run, following):
                marked[place] |= following.is_possessive
        return [run for run, is_owner in zip(self.runs, marked, strict=True) if is_owner]

    def stands_beside(self, run: NameRun) -> bool:
        """True for a name that something is done with, at or in."""
        return self._follows(run, _BESIDE)

    def _follows(self, run: NameRun, words: frozenset[str]) -> bool:
        return run.first > 0 and self._lower[run.first - 1] in words

    def _are_joined(self, run: NameRun, following: NameRun) -> bool:
        between = self._question[self._end(run) : self.pieces[following.first].start]
        return between.strip().lower() in (",", "and", "&", ", and")

    def _end(self, run: NameRun) -> int:
        last = self.pieces[run.end - 1]
        return last.end + (2 if last.is_possessive and self._question[last.end + 1 : last.end + 2] in "sS" else 0)

    def _known_spans(self, known: Sequence[str]) -> dict[int, int]:
        """Where each known name stands: where it begins, and where it ends."""
        found: dict[int, int] = {}
        for words in ([word.lower() for word in tokens(name)] for name in known):
            for first in range(len(self._lower) - len(words) + 1):
                if self._lower[first : first + len(words)] == words:
                    found[first] = max(found.get(first, 0), first + len(words))
        return found

    def _possessive_spans(self) -> dict[int, int]:
        """Where names stand that a possessive alone tells: it and the words before it, back to the first of none."""
        found: dict[int, int] = {}
        for place, piece in enumerate(self.pieces):
            if not piece.is_possessive or not self._could_be_named(place):
                continue
            first = place
            while first and self._could_be_named(first - 1) and self._is_near(first):
                first -= 1
            found[first] = place + 1
        return found

    def _could_be_named(self, place: int) -> bool:
        return self._lower[place] not in NOT_NAMES | STOP_WORDS and not self._is_part(self._lower[place])

    def _runs(self) -> list[NameRun]:
        runs, place = list[NameRun](), 0
        while place < len(self.pieces):
            end = self._run_end(place) if self._is_name(place) or self._is_particle_of_name(place) else place
            if end > place:
                runs.append(self._run(place, end))
            place = max(end, place + 1)
        return runs

    def _run(self, first: int, end: int) -> NameRun:
        text = self._question[self.pieces[first].start : self.pieces[end - 1].end]
        return NameRun(" ".join(text.split()), first, end, self.pieces[end - 1].is_possessive)

    def _run_end(self, place: int) -> int:
        """Where the name that begins at a place ends."""
        end, known_until = place + 1, self._starts.get(place, 0)
        while end < len(self.pieces) and not self.pieces[end - 1].is_possessive:
            if end == known_until and end in self._starts and known_until - place > 1:
                break
            following = self._continued(end)
            if following == end:
                break
            end = following
        return end

    def _continued(self, end: int) -> int:
        """Where a run ends that goes on with the next word, or with what leads to a name; `end` where it stops."""
        if not self._is_near(end):
            return end
        if self._is_name(end) or (self._lower[end].isdigit() and self._known_or_upper(end - 1)):
            return end + 1
        after = end
        while after < len(self.pieces) and self._leads_on(after) and (after == end or self._is_near(after)):
            after += 1
        return after + 1 if end < after < len(self.pieces) and self._is_name(after) else end

    def _is_particle_of_name(self, place: int) -> bool:
        after = place
        while after < len(self.pieces) and self._lower[after] in PARTICLES:
            after += 1
        return place < after < len(self.pieces) and self._is_near(after) and self._is_name(after)

    def _known_or_upper(self, place: int) -> bool:
        return self.pieces[place].word[:1].isupper() or place in self._known

    def _leads_on(self, place: int) -> bool:
        return self._lower[place] in PARTICLES or _FORMERLY.fullmatch(self._lower[place]) is not None

    def _is_near(self, place: int) -> bool:
        """True where nothing but what may stand within a name separates a word from the one before."""
        before = self.pieces[place - 1]
        between = self._question[before.end : self.pieces[place].start].strip()
        if between == ".":
            return len(before.word) == 1 or before.word.lower() in TITLES
        return between in ("", "-", "‐", "‑") or (between in ("(", ",", ", (") and self._leads_on(place))

    def _is_name(self, place: int) -> bool:
        if place in self._known:
            return True
        word, lower = self.pieces[place].word, self._lower[place]
        if not word[0].isupper() or self._is_part(word):
            return False
        if len(word) == 1 and self._question[self.pieces[place].end :][:1] == ".":
            return True
        if len(word) == 1 or lower in NOT_NAMES | STOP_WORDS:
            return (place > 0 or len(word) == 1 or lower in _GIVEN) and self._precedes_name(place)
        return len(word) > 2 or not word.isupper() or self._precedes_name(place)

    def _precedes_name(self, place: int) -> bool:
        if place + 1 >= len(self.pieces) or self.pieces[place].is_possessive or not self._is_near(place + 1):
            return False
        word = self.pieces[place + 1].word
        return word[0].isupper() and not self._is_part(word) and word.lower() not in NOT_NAMES | STOP_WORDS - {"a", "i"}

    def _inverted(self, runs: list[NameRun]) -> list[NameRun]:
        """Runs, with "Lovelace, Ada" as one; names that a list goes on after are several."""
        found = list[NameRun]()
        for place, run in enumerate(runs):
            if found and self._are_inverted(found[-1], run, runs[place + 1 :]):
                first = found.pop()
                found.append(NameRun(f"{first.text}, {run.text}", first.first, run.end, run.is_possessive))
            else:
                found.append(run)
        return found

    def _are_inverted(self, last: NameRun, given: NameRun, later: Sequence[NameRun]) -> bool:
        between = self._question[self.pieces[last.end - 1].end : self.pieces[given.first].start].strip()
        is_list = bool(later) and self._are_joined(given, later[0])
        if between != "," or last.is_possessive or is_list or "," in last.text:
            return False
        words = (last.end - last.first, given.end - given.first)
        return words[0] <= _MOST_BEFORE_COMMA and words[1] <= _MOST_AFTER_COMMA and min(words) == 1
