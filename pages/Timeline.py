"""One entity through time: what was true, what changed and why, and when the graph came to know it."""

from components import fact_actions, link_clicks, shell
from components.timeline.entity_details import as_table, entity_details
from components.timeline.subject import find_subject, header
from components.timeline.timeline_chart import lines

opened = shell.open_page("Timeline")
link_clicks.follow()
fact_actions.asked_for(opened.name)
subject = find_subject(opened.name, opened.view)
if subject is not None:
    shown = header(subject)
    lines(subject, shown)
    entity_details(subject)
    as_table(subject, shown)
