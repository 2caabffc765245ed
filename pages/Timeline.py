"""One entity through time: what was true, what changed and why, and when the graph came to know it."""

from components import entity_timeline, shell

opened = shell.open_page("Timeline")
subject = entity_timeline.find_subject(opened.name, opened.view)
if subject is not None:
    shown = entity_timeline.header(subject)
    clashes = entity_timeline.gantt(subject, shown)
    entity_timeline.contradictions(clashes)
    entity_timeline.details(subject)
    entity_timeline.as_table(subject, shown)
