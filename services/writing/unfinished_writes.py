"""After a failure or a crash: writes that were left unfinished are taken back, undos and redos are gone on with."""

import logging
from collections.abc import Container, Mapping

from services.context import OpenWorkspace, Services
from services.core.errors import AsofError
from services.graph import raw
from services.graph.raw import Image
from services.writing.changes import legacy_payload
from services.writing.changes.images import Images
from services.writing.changes.mirroring import bring_in_step
from services.writing.changes.restoring import restorable
from services.writing.damage_check import left_unfinished, look_for_losses, may_lack_something
from services.writing.graph_position import advance, go_back
from services.writing.locks import writer_if_free

_log = logging.getLogger(__name__)


def recover(services: Services) -> int:
    """Take back the writes that a crash left unfinished and go on with such undos, except those that another process is
    still at; how many. What a damaged file lost is noticed before that.

    What cannot be done now is logged, and waits for the next time: so does a workspace that may lack something, since
    taking a write back would hide that. Raises `AccountsUnavailable`.
    """
    look_for_losses(services)
    done = 0
    for workspace in dict.fromkeys(kept.workspace for kept in services.accounts.change_sets.unfinished()):
        with writer_if_free(services.accounts, workspace) as free:
            try:
                if free and not may_lack_something(services.workspace(workspace)):
                    done += finish_unfinished(services.workspace(workspace))
            except Exception as error:  # noqa: BLE001 - one workspace's trouble keeps neither others nor a start waiting
                fault = None if isinstance(error, AsofError) else error
                _log.warning("The unfinished write to “%s” waits: %s", workspace, error, exc_info=fault)
    services.accounts.change_sets.forget_images()
    return done


def finish_unfinished(workspace: OpenWorkspace) -> int:
    """Take back or complete what a crash left unfinished in a workspace; returns how many changes that was.

    For whoever holds the writer lock: only then is what is unfinished no longer under way.
    """
    sets, unfinished = workspace.accounts.change_sets, left_unfinished(workspace)
    for kept in unfinished:
        images = Images(kept)
        if kept.state == "writing":
            if images.earlier is not None:
                workspace.run(legacy_payload.put_records(workspace.graph, workspace.name, images.earlier))
            take_back(workspace, kept.id, {**dict.fromkeys(images.made, ()), **images.before})
        elif kept.state == "undoing":
            going = images.redo.keys() & images.digests.keys()
            put_what_can_be(workspace, {key: images.before.get(key, ()) for key in going})
            advance(workspace, sets.position(kept.id))
            sets.finish_undo(kept.id, not_undone(images.digests, images.redo))
        else:
            again = {key: bag for key, bag in images.redo.items() if key in images.digests or key not in images.own}
            put_what_can_be(workspace, again)
            advance(workspace, sets.position(kept.id))
            sets.finish_redo(kept.id, not_redone(images.redo, again))
    return len(unfinished)


def take_back(workspace: OpenWorkspace, id: str, wanted: Image) -> None:
    """Put what was there before a write that may have happened in part; doing it twice does no harm."""
    put_what_can_be(workspace, wanted)
    go_back(workspace, id)
    workspace.accounts.change_sets.drop(id)


def put_what_can_be(workspace: OpenWorkspace, wanted: Image) -> None:
    """Put of an image what nothing stands in the way of, and bring the mirror in step with it."""
    chosen, _ = workspace.run(restorable(workspace.graph, workspace.name, wanted))
    workspace.run(workspace.graph.raw.put(workspace.name, chosen))
    bring_in_step(workspace, chosen)


def not_undone(digests: Mapping[str, str], undone: Container[str]) -> bytes | None:
    """The digests of what an undo left, which can be undone later; None where it left nothing."""
    rest = {key: digest for key, digest in digests.items() if key not in undone}
    return raw.packed(rest) if rest else None


def not_redone(images: Image, redone: Container[str]) -> bytes | None:
    """The images of what a redo left, which can be redone later; None where it left nothing."""
    rest = {key: bag for key, bag in images.items() if key not in redone}
    return raw.packed(raw.image_document(rest)) if rest else None
