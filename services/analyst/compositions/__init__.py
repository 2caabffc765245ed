"""Questions made of others: which other questions to ask, and how what they list goes together."""

from collections.abc import Iterator

from services.analyst.compositions.chaining import ChainingReader
from services.analyst.compositions.choosing import ChoosingReader
from services.analyst.compositions.comparing import ComparingReader
from services.analyst.compositions.composition import GAP, UNITS, Composition, Way
from services.analyst.compositions.dating import DatingReader
from services.analyst.compositions.denying import DenyingReader
from services.analyst.compositions.enumerating import EnumeratingReader
from services.analyst.compositions.extremes import ExtremesReader
from services.analyst.compositions.following import FollowingReader
from services.analyst.compositions.joining import JoiningReader
from services.analyst.compositions.matching import MatchingReader
from services.analyst.compositions.moving import MovingReader
from services.analyst.compositions.nesting import NestingReader
from services.analyst.compositions.qualifying import QualifyingReader
from services.analyst.compositions.repeating import RepeatingReader
from services.analyst.compositions.splitting import SplittingReader
from services.analyst.compound_questions import questions_in
from services.analyst.parsed_question import ParsedQuestion

__all__ = ["GAP", "UNITS", "Composition", "Way", "compositions"]

_ASKING_ANEW = ("how ", "when ", "where ")
"""With these a second question begins, which the first one's words do not answer."""
_LONGEST = 40
"""A question of more words, names and dates is not taken apart: the ways to do it grow with their square."""


def compositions(question: ParsedQuestion, *, explicit: bool = False) -> Iterator[Composition]:
    """Return the ways to take a question for one that is made of others, the most telling first; where it is
    `explicit`, only those that it has a word for.
    """
    if not 0 < len(question.template.tokens) <= _LONGEST:
        return
    joining, comparing, chaining = JoiningReader(question), ComparingReader(question), ChainingReader(question)
    repeating = RepeatingReader(question)
    yield from ChoosingReader(question).choosing()
    yield from chaining.fellows()
    yield from chaining.chained()
    yield from chaining.others()
    yield from chaining.colleagues()
    yield from EnumeratingReader(question).enumerating()
    asks_twice = any(part.startswith(_ASKING_ANEW) for part in questions_in(question.template.text.strip())[1:])
    if not asks_twice:
        yield from joining.joining_names()
    yield from joining.between()
    yield from repeating.asking_for_any()
    yield from joining.deciding()
    yield from joining.stating()
    yield from joining.in_order()
    matching, dating = MatchingReader(question), DatingReader(question)
    yield from matching.matching()
    yield from matching.at_one_time()
    yield from matching.equal()
    yield from matching.sharing()
    yield from matching.same_as()
    yield from matching.sharing_with()
    yield from dating.at_once()
    if explicit:
        return
    yield from MovingReader(question).moving()
    yield from repeating.returning()
    yield from repeating.repeating()
    yield from dating.dating()
    extremes = ExtremesReader(question)
    yield from extremes.extremes()
    yield from extremes.longest_of_now()
    denying = DenyingReader(question)
    yield from denying.neither()
    yield from denying.denying()
    yield from FollowingReader(question).following()
    if asks_twice:
        return
    yield from comparing.excepting()
    yield from comparing.comparing()
    yield from joining.joining_verbs()
    yield from SplittingReader(question).splitting()
    qualifying = QualifyingReader(question)
    yield from qualifying.qualifying()
    yield from qualifying.self_joining()
    yield from NestingReader(question).nesting()
