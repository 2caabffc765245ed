"""Finds questions that are asked of the time at which something else happened."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, Composition
from services.analyst.compositions.question_reader import ANYBODY, AUXILIARIES, OTHERS, SAME, QuestionReader
from services.analyst.time_clauses import TimeClause, clause_of

_AT_ONCE = re.compile(
    rf" (?:on|at|in) the {SAME} (?P<unit>day|date|time|moment|month|year)"
    r"(?: as|(?: that| when)(?: \w+)?)?(?P<clause>(?: the)? M(?: \S+)*) $"
)
_JOINTS = {"time": "while"}
_WITHIN = {"month": "in", "year": "in"}
_PRONOUNS = frozenset(("he", "she", "it", "they"))
_ASKING = frozenset(("who", "whom", "whose", "what", "which", "where", "when", "how"))


class DatingReader(QuestionReader):
    """Finds when something was, and what is asked of that time."""

    def dating(self) -> Iterator[Composition]:
        """ "Who was mayor when A became a judge?": what held on the day of that."""
        clause = clause_of(self.template)
        if clause is None or not clause.is_beside_question or clause.word in ("at", "on", "as"):
            return
        inside = [token.text for token in clause.inside.tokens]
        if not inside or inside[0] in AUXILIARIES or _ASKING & set(inside):
            return
        first, last = (self.tokens.index(clause.inside.tokens[at]) for at in (0, -1))
        clause_text = self._clause_text(clause, first, last + 1)
        start = next(at for at, token in enumerate(self.tokens) if token.first == min(clause.places))
        way = "while" if clause.joint == "while" else "when"
        lead = "" if clause.joint in ("when", "while") else f"{clause.joint} "
        outer = self.with_changes(((start, last + 1), f"{lead or 'on '}{GAP}"))
        if clause_text and any(token.mention or token.text not in AUXILIARIES for token in clause.rest.tokens[1:]):
            yield Composition("dated", (f"when {clause_text}?", outer), joint=way)

    def _clause_text(self, clause: TimeClause, first: int, last: int) -> str:
        """Return what the clause says, with the first name of the question for a pronoun in it."""
        outside = clause.rest.mentions
        words = [
            outside[0].name if self.texts[at] in _PRONOUNS and outside else self.text_of(at, at + 1)
            for at in range(first, last)
        ]
        named = clause.inside.mentions or (outside and _PRONOUNS & set(self.texts[first:last]))
        return " ".join(words) if named else ""

    def at_once(self) -> Iterator[Composition]:
        """ "Who else became a judge on the same day as A?": who did on the day when A did, but for A."""
        match = _AT_ONCE.search(self.template.text)
        if match is None or not self.head:
            return
        (start, _), (first, last) = self.span(match), self.span(match, "clause")
        names = tuple(mention.name for mention in self.named(first, last)[:1])
        stated = [at for at in range(self.head, start) if self.texts[at] not in OTHERS]
        clause_text = self.text_of(first, last)
        clause_text = (
            f"{clause_text} {self.all_of(stated)}" if last - first == 1 + (self.texts[first] == "the") else clause_text
        )
        opening = self.all_of(at for at in range(self.head) if self.texts[at] not in OTHERS | ANYBODY)
        outer = f"{opening} {self.all_of(stated)} {_WITHIN.get(match['unit'], 'on')} {GAP}?"
        yield Composition(
            "dated", (f"when {clause_text}?", outer), names, joint=_JOINTS.get(match["unit"], match["unit"])
        )
