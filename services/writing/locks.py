"""One writer per workspace at a time, in whichever process that shares the accounts database."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from services.accounts.store import Accounts
from services.core.errors import Cancelled

_LOOK_AGAIN = 0.05


@contextmanager
def only_writer(accounts: Accounts, workspace: str, cancel: threading.Event) -> Iterator[None]:
    """Wait until nobody else writes to the workspace, then keep others out for the block.

    Raises `Cancelled` when `cancel` is set before it is our turn, and `AccountsUnavailable`.
    """
    with accounts.writer_lock(workspace) as take:
        while not take():
            if cancel.wait(_LOOK_AGAIN):
                raise Cancelled("The write stopped while it waited for another write. Nothing was saved.")
        yield


@contextmanager
def writer_if_free(accounts: Accounts, workspace: str) -> Iterator[bool]:
    """True, and others are kept out for the block, when nobody writes to the workspace.

    Raises `AccountsUnavailable`.
    """
    with accounts.writer_lock(workspace) as take:
        yield take()
