"""What the two clocks of the time bar mean: behind a "?" beside them, and on a card at a user's first visit."""

import streamlit as st

_CLOCKS = """<div class="a-two-clocks"><div>
<p><b class="a-accent">● Valid on</b>: what was true in the world that day.</p>
<p><b>○ Known on</b>: what the graph had recorded by then.</p>
<p class="a-muted">An example from the PEP demo: as known on 2014-12-31, PEP 484 had no author on 2014-10-01;
as known on 2015-01-09, it had three.</p></div>
<div class="a-two" role="img" aria-label="A fact begins in the world on 29 September 2014; the graph knows it from
8 January 2015, 101 days later.">
<span class="a-accent">● in the world</span><i class="a-two-world">Guido van Rossum is an author of PEP 484</i>
<span></span><small class="a-accent">began on 2014-09-29</small>
<span>○ in the graph</span><i class="a-two-graph">the graph knows it</i>
<span></span><small class="a-two-late">recorded on 2015-01-08, 101 days later</small></div></div>"""


def help_button() -> None:
    """Draw the "?" that explains the two clocks."""
    with st.popover("?", key="clocks_help", help="What the two clocks mean", type="tertiary"):
        explanation()


def explanation() -> None:
    """Say what the two clocks mean."""
    st.html(_CLOCKS)
