"""What a user did last is kept for him, his workspace and his graph."""

from services.accounts.store import Accounts
from services.core import clock


def test_a_mark_is_kept_by_user_and_workspace_and_moves(accounts: Accounts) -> None:
    user, at = accounts.users.local().id, clock.now()
    assert accounts.marks.at(user, "seen", "team") is None
    accounts.marks.put(user, "seen", at, "team")
    assert accounts.marks.at(user, "seen", "team") == at
    assert accounts.marks.at(user, "seen", "other") is None
    assert accounts.marks.at(user, "opened", "team") is None
    accounts.marks.put(user, "seen", clock.EARLIEST, "team")
    assert accounts.marks.at(user, "seen", "team") == clock.EARLIEST


def test_a_workspace_that_goes_takes_its_marks_along(accounts: Accounts) -> None:
    user, at = accounts.users.local().id, clock.now()
    accounts.add("team", "Team")
    accounts.marks.put(user, "seen", at, "team")
    accounts.marks.put(user, "two clocks", at)
    accounts.remove("team")
    assert accounts.marks.at(user, "seen", "team") is None
    assert accounts.marks.at(user, "two clocks") == at
