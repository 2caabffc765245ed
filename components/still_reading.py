"""How far a graph was read into its mirror, on the pages of a workspace that is opened for the first time."""

import streamlit as st

from components.markup import counted, progress_bar
from components.refreshing import draw_page_again, draw_until_done
from services.context import OpenWorkspace
from services.core import clock
from services.core.mirror_records import MirrorReading


def still_reading(workspace: OpenWorkspace) -> None:
    """Draw how far the reading is, again and again; the page runs again once all is read."""
    draw_until_done(lambda: _draw(workspace), lambda: workspace.status.reading is not None, every="1s")
    if workspace.status.reading is None:  # it was all read while the page was drawn above this
        draw_page_again()


def _draw(workspace: OpenWorkspace) -> None:
    reading = workspace.status.reading
    if reading is None:
        return
    so_far, total = reading.so_far, reading.total
    facts = f"Still reading: {so_far.facts:,} of {counted(total.facts, 'fact')}{_left(reading)}."
    beside = (
        f"Read {so_far.entities:,} of {counted(total.entities, 'entity', 'entities')} and {so_far.episodes:,} of "
        f"{counted(total.episodes, 'source')} so far. Pages fill in when reading is complete."
    )
    st.html(
        f'<div class="a-note a-info"><div role="status"><b>{facts if total.facts else "Still reading the graph."}</b> '
        f"You can keep working meanwhile.</div>{progress_bar('Reading the graph', reading.share)}"
        f'<div class="a-muted a-sm">{beside if total.facts else ""}</div></div>'
    )


def _left(reading: MirrorReading) -> str:
    """Say how long it may take: `, about 4 minutes`."""
    left = reading.seconds_left(clock.now())
    if left is None:
        return ""
    about = counted(round(left / 60), "minute") if left >= 90 else counted(max(1, round(left)), "second")
    return f", about {about}"
