"""The graph at any instant: what is joined to what, what changed between two dates, and where it comes from."""

from components import entity_picker, shell
from components.explore.explore_fragment import explore_fragment
from components.explore.toolbar import toolbar

opened = shell.open_page("Explore")
view = entity_picker.by_name(opened.name, opened.view)
toolbar(opened.name, view)
explore_fragment(opened.name, opened.label, view)
