"""Texts with what was looked for marked in them, as HTML that is safe to show."""

from collections.abc import Sequence

from components.markup import text

Span = tuple[int, int]
ROOM, _BEFORE, _SLACK = 330, 70, 24


def marked(value: str, spans: Sequence[Span], start: int = 0, stop: int | None = None) -> str:
    """The part of a text from `start` to `stop`, with the spans in it marked."""
    stop = len(value) if stop is None else stop
    parts, at = list[str](), start
    for first, last in spans:
        first, last = max(first, at), min(last, stop)
        if first < last:
            parts += [text(value[at:first]), f"<mark>{text(value[first:last])}</mark>"]
            at = last
    return "".join([*parts, text(value[at:stop])])


def excerpt(value: str, spans: Sequence[Span]) -> str:
    """About three lines of a longer text, where most of the spans stand close together, with them marked."""
    start, stop = _window(value, spans)
    before, after = "… " if start else "", " …" if stop < len(value) else ""
    return f"{before}{marked(value, spans, start, stop)}{after}"


def _window(value: str, spans: Sequence[Span]) -> Span:
    if len(value) <= ROOM or not spans:
        return 0, _at_a_gap(value, ROOM, -1) if len(value) > ROOM else len(value)
    near = ROOM - _BEFORE
    best = max(spans, key=lambda span: (sum(span[0] <= other[0] < span[0] + near for other in spans), -span[0]))
    start = max(0, min(best[0] - _BEFORE, len(value) - ROOM))
    if start:
        start = _at_a_gap(value, start, 1)
    stop = min(len(value), start + ROOM)
    return start, _at_a_gap(value, stop, -1) if stop < len(value) else stop


def _at_a_gap(value: str, place: int, step: int) -> int:
    """The nearest place between two words, a few letters on; the place itself where there is none."""
    for moved in range(place, place + step * _SLACK, step):
        if 0 < moved < len(value) and value[moved - (step > 0)].isspace():
            return moved
    return place
