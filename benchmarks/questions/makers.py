"""One maker for each case: it takes a fact and says what a question about it asks for."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from benchmarks.questions.maker import DAY, FilledPhrase, Maker, PhraseTemplate, subject, value
from benchmarks.questions.spelling import bare, day_of, exact, misspelt, month_of, on
from benchmarks.questions.truth import Event, Wanted
from services.core import clock, time_rule
from services.core.models import Fact, Instants

EVENTS = {"peps": "HAS_STATUS", "companies": "HAS_ROLE"}
"""The relation whose facts are events that other questions are dated by."""
NUMBERED = {"peps": ("PEP ", 4000), "companies": ("Unit ", 90)}
"""Names with a number, and how high to look for one that there is not."""
STRANGERS = ("Quentin Farnsworth", "Bartholomew Zygmunt", "Eudora Plinkett", "Ottoline Grubb")
UNANSWERABLE = Wanted.model_validate({"class": "unanswerable"})
_SECOND, _LONG_AGO, _LATER = timedelta(seconds=1), timedelta(days=400), datetime(2035, 6, 1, tzinfo=UTC)
_DATED = datetime(2024, 5, 17, tzinfo=UTC)

Make = Callable[[Maker, PhraseTemplate], FilledPhrase | None]


def _kind(phrase: PhraseTemplate) -> str:
    return "count" if phrase.kind.startswith("count") else "at"


def _dated(maker: Maker, phrase: PhraseTemplate, fact: Fact, at: datetime, spelled: str) -> FilledPhrase:
    fills = {"s": subject(fact, phrase.side), "d": spelled}
    return FilledPhrase(fills, maker.wanted(_kind(phrase), phrase, fact, at=at))


def _wrongly(draft: FilledPhrase | None, maker: Maker) -> FilledPhrase | None:
    """The draft with the name misspelt; None where the slip makes another name, or there can be none."""
    name = draft and misspelt(draft.fills["s"], maker.chance)
    if draft is None or not name or name in maker.names:
        return None
    return FilledPhrase(draft.fills | {"s": name}, draft.wanted, draft.as_of, draft.known_at)


# -- what held at an instant


def day(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    found = maker.lasting(phrase)
    if found is None:  # a relation whose facts have no dates
        fact = maker.fact(phrase)
        return _dated(maker, phrase, fact, _DATED, on(_DATED, maker.chance)) if fact else None
    return _dated(maker, phrase, *found, on(found[1], maker.chance))


def day_of_undated(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    fact = maker.fact(phrase, lambda f: f.valid_at is None)
    return _dated(maker, phrase, fact, _DATED, on(_DATED, maker.chance)) if fact else None


def _at(pick: Callable[[Fact], datetime | None]) -> Make:
    def make(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
        fact = maker.fact(phrase, pick)
        at = fact and pick(fact)
        return _dated(maker, phrase, fact, at, exact(at)) if fact and at else None

    return make


def _first_start(maker: Maker, phrase: PhraseTemplate) -> tuple[Fact, datetime] | None:
    fact = maker.fact(phrase, lambda f: f.valid_at)
    starts = [f.valid_at for f in maker.records(phrase, fact) if f.valid_at] if fact else []
    return (fact, min(starts)) if fact and starts else None


def before_first(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    if (found := _first_start(maker, phrase)) is None:
        return None
    at = day_of(found[1] - _LONG_AGO)
    return _dated(maker, phrase, found[0], at, on(at, maker.chance))


def gap(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    fact = maker.fact(phrase, lambda f: f.invalid_at)
    if fact is None or fact.invalid_at is None:
        return None
    at = day_of(fact.invalid_at + 2 * DAY)
    return _dated(maker, phrase, fact, at, on(at, maker.chance))


def future(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    fact = maker.fact(phrase, lambda f: f.valid_at)
    return _dated(maker, phrase, fact, _LATER, f"on {bare(_LATER, maker.chance)}") if fact else None


# -- now, and with the time bar


def now(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    fact = maker.fact(phrase, lambda f: f.invalid_at is None)
    return FilledPhrase({"s": subject(fact, phrase.side)}, maker.wanted(_kind(phrase), phrase, fact)) if fact else None


def bar(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    found = maker.lasting(phrase)
    return found and FilledPhrase(
        {"s": subject(found[0], phrase.side)}, maker.wanted("at", phrase, found[0]), as_of=clock.spell(found[1])
    )


def bar_known(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """The bar's second clock stands before the graph learned of the end."""
    return _learned(maker, phrase, before=True, in_bar=True)


def bar_before_first(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    found = _first_start(maker, phrase)
    return found and FilledPhrase(
        {"s": subject(found[0], phrase.side)},
        maker.wanted("at", phrase, found[0]),
        as_of=clock.spell(day_of(found[1] - _LONG_AGO)),
    )


def is_true(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    if (found := maker.lasting(phrase)) is None:
        return None
    draft = _dated(maker, phrase, *found, on(found[1], maker.chance))
    return FilledPhrase(draft.fills | {"v": value(found[0], phrase.side)}, draft.wanted)


def is_other(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    draft, other = is_true(maker, phrase), maker.fact(phrase)
    if draft is None or other is None or value(other, phrase.side) == draft.fills["v"]:
        return None
    return FilledPhrase(draft.fills | {"v": value(other, phrase.side)}, draft.wanted)


# -- the second clock


def _known(
    maker: Maker, phrase: PhraseTemplate, fact: Fact, at: datetime, known_at: datetime, *, in_bar: bool = False
) -> FilledPhrase:
    name = subject(fact, phrase.side)
    if in_bar:
        wanted = maker.wanted("at", phrase, fact)
        return FilledPhrase({"s": name}, wanted, as_of=clock.spell(at), known_at=clock.spell(known_at))
    fills = {"s": name, "d": f"on {bare(at, maker.chance)}", "k": bare(known_at, maker.chance)}
    return FilledPhrase(fills, maker.wanted("at", phrase, fact, at=at, known_at=known_at))


def _learned(maker: Maker, phrase: PhraseTemplate, *, before: bool, in_bar: bool = False) -> FilledPhrase | None:
    """After the end of a fact, as known before or after the graph learned of it."""
    fact = maker.fact(phrase, lambda f: f.expired_at and f.invalid_at and f.created_at)
    if fact is None or not (fact.created_at and fact.expired_at and fact.invalid_at):
        return None
    known_at = day_of(fact.created_at + DAY + (fact.expired_at - fact.created_at - DAY) * maker.chance.random())
    if before and not fact.created_at < known_at < fact.expired_at:
        return None
    at = day_of(fact.invalid_at + 5 * DAY)
    return _known(maker, phrase, fact, at, known_at if before else day_of(fact.expired_at + 40 * DAY), in_bar=in_bar)


def learned_before(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    return _learned(maker, phrase, before=True)


def learned_after(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    return _learned(maker, phrase, before=False)


def _corrected(maker: Maker, phrase: PhraseTemplate, *, before: bool) -> FilledPhrase | None:
    """Before or after a record was withdrawn."""
    fact = maker.fact(phrase, lambda f: f.withdrawn_at and f.valid_at and f.created_at)
    if fact is None or not (fact.withdrawn_at and fact.valid_at and fact.created_at):
        return None
    known_at = (
        day_of(fact.created_at + (fact.withdrawn_at - fact.created_at) / 2)
        if before
        else day_of(fact.withdrawn_at + 30 * DAY)
    )
    at = day_of(fact.valid_at + DAY * maker.chance.randrange(2, 300))
    return _known(maker, phrase, fact, at, known_at)


def corrected_before(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    return _corrected(maker, phrase, before=True)


def corrected_after(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    return _corrected(maker, phrase, before=False)


def late(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """After a fact began, before the graph heard of it."""
    fact = maker.fact(phrase, lambda f: f.valid_at and f.created_at and f.created_at - f.valid_at > 4 * DAY)
    if fact is None or not (fact.valid_at and fact.created_at):
        return None
    between = day_of(fact.valid_at + (fact.created_at - fact.valid_at) / 2)
    return _known(maker, phrase, fact, between, between) if between < fact.created_at else None


# -- starts, ends, and what came before and after


def _valued(kind: str, fits: Callable[[Fact], object] = lambda _: True) -> Make:
    """A question that names the value."""

    def make(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
        fact = maker.fact(phrase, lambda f: f.valid_at and f.valid_at < maker.now and fits(f))
        if fact is None:
            return None
        named = value(fact, phrase.side)
        wanted = maker.wanted(kind, phrase, fact, value=named)
        return FilledPhrase({"s": subject(fact, phrase.side), "v": named}, wanted)

    return make


def _plain(kind: str) -> Make:
    """A question that names nothing but the entity."""

    def make(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
        fact = maker.fact(phrase, lambda f: f.valid_at and f.invalid_at is None and f.valid_at < maker.now)
        return FilledPhrase({"s": subject(fact, phrase.side)}, maker.wanted(kind, phrase, fact)) if fact else None

    return make


def several(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """A history, of an entity that has one."""
    draft = _plain("history")(maker, phrase)
    return draft if draft and len(maker.facts.of(draft.wanted)) > 1 else None


def _by_day(kind: str) -> Make:
    """A question with a bare day: a history up to it, or what held just before it."""

    def make(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
        found = maker.lasting(phrase)
        return found and FilledPhrase(
            {"s": subject(found[0], phrase.side), "m": bare(found[1], maker.chance)},
            maker.wanted(kind, phrase, found[0], at=found[1]),
        )

    return make


def period(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """A year or a month in which a fact began."""
    fact = maker.fact(phrase, lambda f: f.valid_at and f.valid_at < maker.now)
    if fact is None or fact.valid_at is None:
        return None
    by_year = "{y}" in phrase.text
    first = day_of(fact.valid_at).replace(day=1, month=1 if by_year else fact.valid_at.month)
    until = (first + 366 * DAY).replace(month=1, day=1) if by_year else (first + 32 * DAY).replace(day=1)
    fills = {"s": subject(fact, phrase.side), "y": str(first.year), "month": month_of(first)}
    return FilledPhrase(fills, maker.wanted("period", phrase, fact, at=first, until=until))


def compare(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """Two dates, to be compared or the ends of a range, between which a fact ended."""
    fact = maker.fact(phrase, lambda f: f.valid_at and f.invalid_at and f.invalid_at - f.valid_at > 20 * DAY)
    if fact is None or not (fact.valid_at and fact.invalid_at):
        return None
    first = day_of(fact.valid_at + (fact.invalid_at - fact.valid_at) / 2)
    second = day_of(min(fact.invalid_at + DAY * maker.chance.randrange(2, 400), maker.latest))
    fills = {"s": subject(fact, phrase.side), "m": bare(first, maker.chance), "m2": bare(second, maker.chance)}
    return FilledPhrase(fills, maker.wanted(phrase.kind, phrase, fact, at=first, until=second))


def event(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase | None:
    """Dated by another fact of the same entity."""
    relation = EVENTS[maker.graph]
    happened = maker.fact(PhraseTemplate("", relation, "source", ""), lambda f: f.valid_at)
    if happened is None:
        return None
    named = Event(entity=happened.source, relation=relation, value=happened.target)
    fills = {"s": happened.source, "v": happened.target}
    return FilledPhrase(fills, maker.wanted("at", phrase, happened, event=named))


def path(maker: Maker, _: PhraseTemplate) -> FilledPhrase | None:
    """From an entity over another one to a third."""
    true = [f for f in maker.usable if time_rule.true_at(f, Instants(maker.now, maker.now))]
    first = maker.chance.choice(true)
    second = maker.chance.choice([f for f in true if f.target == first.target and f.source != first.source] or [first])
    if first is second:
        return None
    wanted = Wanted.model_validate({"class": "path", "entity": first.source, "other": second.source})
    return FilledPhrase({"s": first.source, "o": second.source}, wanted)


# -- what cannot be answered


def _entities(maker: Maker) -> list[str]:
    """Names of the graph's most spoken-of kind."""
    prefix, relation = ("PEP ", "HAS_STATUS") if maker.graph == "peps" else ("", "LIVES_IN")
    return sorted({f.source for f in maker.usable if f.relation == relation and f.source.startswith(prefix)})


def none_number(maker: Maker, _: PhraseTemplate) -> FilledPhrase:
    prefix, top = NUMBERED[maker.graph]
    free = [n for n in range(1, top) if f"{prefix}{n}" not in maker.names]
    return FilledPhrase({"n": str(maker.chance.choice(free))}, UNANSWERABLE)


def none_name(maker: Maker, _: PhraseTemplate) -> FilledPhrase:
    return FilledPhrase({"x": maker.chance.choice(STRANGERS)}, UNANSWERABLE)


def none_relation(maker: Maker, phrase: PhraseTemplate) -> FilledPhrase:
    """An entity that never has the relations, on either side; two that mirror each other stand side by side."""
    never = phrase.relation.split()
    having = {name for f in maker.facts.all if f.relation in never for name in (f.source, f.target)}
    name = maker.chance.choice([name for name in _entities(maker) if name not in having])
    return FilledPhrase({"s": name}, UNANSWERABLE)


def none_fixed(maker: Maker, _: PhraseTemplate) -> FilledPhrase:
    return FilledPhrase({"s": maker.chance.choice(_entities(maker))}, UNANSWERABLE)


MAKERS: dict[str, Make] = {
    "day": day,
    "start": _at(lambda f: f.valid_at),
    "before_start": _at(lambda f: f.valid_at and f.valid_at - _SECOND),
    "end": _at(lambda f: f.invalid_at),
    "before_first": before_first,
    "gap": gap,
    "future": future,
    "misspelt": lambda maker, phrase: _wrongly(day(maker, phrase), maker),
    "misspelt_now": lambda maker, phrase: _wrongly(now(maker, phrase), maker),
    "misspelt_when": lambda maker, phrase: _wrongly(_valued("when")(maker, phrase), maker),
    "undated_dated": day_of_undated,
    "now": now,
    "bar": bar,
    "bar_known": bar_known,
    "bar_before_first": bar_before_first,
    "is": is_true,
    "is_not": is_other,
    "learned_before": learned_before,
    "learned_after": learned_after,
    "corrected_before": corrected_before,
    "corrected_after": corrected_after,
    "late": late,
    "when": _valued("when"),
    "how_long": _valued("when", lambda f: f.invalid_at),
    "ended": _valued("ended", lambda f: f.invalid_at),
    "before_value": _valued("before"),
    "after_value": _valued("after", lambda f: f.invalid_at),
    "since": _plain("when"),
    "history": several,
    "history_at": _by_day("history"),
    "before_date": _by_day("before"),
    "first": _plain("first"),
    "last": _plain("last"),
    "period": period,
    "compare": compare,
    "range": compare,
    "event": event,
    "path": path,
    "none_number": none_number,
    "none_name": none_name,
    "none_relation": none_relation,
    "none_fixed": none_fixed,
    "none_once": none_fixed,
}
