"""Finds questions of what was first or last of all: "Which ship was the last to be built?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition, Way
from services.analyst.compositions.question_reader import ASKING, PEOPLE, QuestionReader
from services.analyst.joint_questions import OF_THOSE_NOW
from services.analyst.question_words import SMALL_WORDS, places_of
from services.analyst.subject_sides import is_bare
from services.analyst.vocabulary import is_momentary, taken_apart
from services.language.inflection import past_of

_EXTREMES: tuple[tuple[Way, str], ...] = (
    ("earliest", "first|earliest|oldest"),
    ("latest", "last|latest|newest|most recently|most recent"),
)
_TO = r" (?P<be>is|was|were|are) the (?:{words})(?: \w+)? to (?P<passive>be )?(?P<verb>(?!M)\w+)(?= )"
_ANYBODY = frozenset(("people", "those", "everyone", "everybody"))
_BARE = r" (?:the )?(?:{words})(?= )"


class ExtremesReader(QuestionReader):
    """Finds the list of which the first or the last is asked for."""

    def extremes(self) -> Iterator[Composition]:
        """ "Who was the first to win it?", "Which ship was built last?": who won it, which ships were built."""
        if not self.texts or self.texts[0] not in ASKING | PEOPLE or self.question.mentions:
            return
        for way, words in _EXTREMES:
            if re.search(_BARE.format(words=words), self.template.text) and (asked := self._of_event(words)):
                yield Composition(way, (asked,))
                return
            if match := re.search(_TO.format(words=words), self.template.text):
                verb = f"{match['be']} {match['verb']}" if match["passive"] else past_of(match["verb"])
                yield Composition(way, (self.with_changes((self.span(match), verb)),))
            elif match := re.search(_BARE.format(words=words), self.template.text):
                yield Composition(way, (self.with_changes((self.span(match), "")),))

    def longest_of_now(self) -> Iterator[Composition]:
        """ "Of those who lead a crew now, who has done so the longest?": who of them began first."""
        if match := OF_THOSE_NOW.match(self.template.text):
            first, last = self.span(match, "noun")
            verb = self.text_of(*self.span(match, "verb")) if match["verb"] else ""
            who = "who is" if verb.endswith("ing") else "who" if verb else "who are"
            noun = "" if self.texts[first] in _ANYBODY else f"the {self.text_of(first, last)}"
            behind = f"{verb} {self.text_of(*self.span(match, 'rest'))}" if match["rest"] else verb
            yield Composition("earliest", (" ".join(f"{who} {noun} {behind}".split()) + "?",), joint="now")

    def _of_event(self, words: str) -> str:
        """ "The oldest purchase": what was purchased; empty where no noun alone tells of something that happened."""
        cues = self.question.cues
        nouns = [cue for cue in cues.relations if is_bare(self.question.words, cue) and is_momentary(cue.relation)]
        known = places_of(nouns) | cues.taken
        others = [word.low for at, word in enumerate(self.question.words) if at not in known]
        says_more = not SMALL_WORDS.union(words.replace("|", " ").split()).issuperset(others)
        if says_more or len({cue.relation for cue in nouns}) != 1:
            return ""
        name = taken_apart(nouns[0].relation)
        kinds = cues.lexicon.relations[name.name].source_types.most_common(1)
        return f"which {kinds[0][0] if kinds else 'one'} {'were ' if name.by else ''}{name.words[0]}?"
