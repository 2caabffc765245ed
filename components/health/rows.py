"""What the sections of Health have in common: a heading to jump to, rows with their buttons, and the way to more."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import streamlit as st

from components import dates, problems, sign_in
from components.address import View
from components.buttons import show_more
from components.health.findings import limit_of
from components.markup import clipped, link, relation, sign, text, timeline_link
from services import cached
from services.agent import get_services
from services.core.health_records import FindingKind, FindingPage
from services.core.models import Entity, Fact
from services.mirror import Mirror


def section(name: str, title: str, count: int, note: str) -> None:
    """The heading of a section, which its tile leads to."""
    st.html(
        f'<div class="a-h a-place" id="{name}" role="heading" aria-level="2" tabindex="-1">{text(title)} · {count:,}'
        f"<small>{text(note)}</small></div>"
    )


def listed[T](
    name: str, title: str, found: FindingPage[T], note: str, *, limit: str = "", count: int = 0
) -> Iterator[T]:
    """Draw a section around its findings, which the caller draws one by one; nothing where there are none.

    `limit` names how many are shown, where that is not called as the section is; `count` is the number in the heading,
    where one finding stands for several.
    """
    if found.total:
        section(name, title, count or found.total, note)
        yield from found.items
        more_of(limit or name, found.total)


@contextmanager
def row(key: str, kind: str, words: str, about: str = "") -> Iterator[None]:
    """A finding: its sign, its words and what is said about it, as HTML; the buttons are drawn within the block."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"finding_{key}"):
        more = f'<div class="a-muted a-sm">{about}</div>' if about else ""
        st.html(f'<div class="a-find">{sign(kind)}<div><div>{words}</div>{more}</div></div>', width="stretch")
        yield


def more_of(name: str, total: int) -> None:
    """The button that shows more of a section, where there is more."""
    shown = limit_of(name)
    if total > shown:
        show_more(f"more_{name}", f"health_{name}", shown * 4, label=f"Show more · {total - shown:,} left")


def it_is_right(workspace: str, kind: FindingKind, key: str, *, label: str = "Mark as correct") -> None:
    """The button that keeps a finding out from now on."""
    st.button(label, key=f"right_{kind}_{key}", type="tertiary", on_click=_dismiss, args=(workspace, kind, key))


@problems.in_toast()
def _dismiss(workspace: str, kind: FindingKind, key: str) -> None:
    if user := sign_in.current_user():
        get_services().accounts.dismissals.add(workspace, kind, [key], user.id or None)
        st.toast("Marked as correct. To undo this, open “Marked as correct” below.", icon=":material/check:")


def fact_words(workspace: str, fact: Fact) -> str:
    """A fact in words; its relation leads to it in Explore, its ends to their timelines."""
    view = View(workspace)
    there = replace(view, entity=fact.source_uuid, fact=fact.uuid)
    middle = link("Explore", text(relation(fact.relation)), there)
    return (
        f"{timeline_link(view, fact.source_uuid, clipped(fact.source, 80))} {middle} "
        f"{timeline_link(view, fact.target_uuid, clipped(fact.target, 80))}"
    )


def entity_words(workspace: str, entity: Entity) -> str:
    """An entity with its type."""
    kind = f' <span class="a-muted">{text(entity.type)}</span>' if entity.type else ""
    return f"{timeline_link(View(workspace), entity.uuid, clipped(entity.name, 80))}{kind}"


def when(word: str, value: datetime | None) -> str:
    """A word with a date; nothing without one."""
    return f"{word} {dates.day(value)}" if value else ""


def source_words(workspace: str, episode_uuids: Sequence[str]) -> str:
    """The first source of a fact, by its name."""
    found = cached.ask(Mirror.episodes, workspace, tuple(episode_uuids[:1]))
    if not found:
        return "no source"
    more = f" and {len(episode_uuids) - 1:,} more" if len(episode_uuids) > 1 else ""
    return f"from “{text(clipped(found[0].name, 60))}”{more}"
