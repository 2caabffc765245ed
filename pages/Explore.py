"""The graph at any instant: what is joined to what, what changed between two dates, and where it comes from."""

from components import entity_picker, shell
from components.explore.toolbar import toolbar
from components.explore.workbench import workbench

opened = shell.open_page("Explore")
view = entity_picker.by_name(opened.name, opened.view)
toolbar(opened.name, view)
workbench(opened.name, opened.workspace.label, view)
