"""Which change-set the graph holds as the last one, as each write leaves it in an embedded database.

The database's files keep the order of writes: one that lost the end of them is back at an earlier position, and so a
loss is noticed of which no damaged file tells (`services/writing/damage_check.py`). Moving the position on without
looking would hide it. Even under a write the database may end and come back, by the driver's doing, without what it had
answered: where its disk was full, or its files were cut.
"""

from services.context import OpenWorkspace
from services.core.errors import WriteFailed
from services.writing.damage_check import may_lack_something
from services.writing.lost_changes import reset_position


def advance(workspace: OpenWorkspace, position: str) -> None:
    """Leave in the graph which change-set it holds as the last one, before anybody is told that it does.

    Raises `WriteFailed` where the graph lacks what was saved before; its position stays, so that the next write notices
    it. Of the write itself nothing is missing then, since a database that could not keep one batch on its disk refuses
    the next, and the position: unless it ended between the two, and found room on the disk when it came back.
    """
    if may_lack_something(workspace):
        raise WriteFailed(
            "The graph database stopped during the write and lost some saved records.",
            "Try again. Asof will first look for the missing records.",
        )
    workspace.run(workspace.graph.set_position(workspace.name, position))


def go_back(workspace: OpenWorkspace, id: str) -> None:
    """Leave in the graph what came before a change-set that was taken back; a graph that is behind it is let be."""
    sets = workspace.accounts.change_sets
    if workspace.run(workspace.graph.position(workspace.name)) == sets.position(id):
        reset_position(workspace)
