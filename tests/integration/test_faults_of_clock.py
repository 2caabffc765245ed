"""Ten users write while the machine's clock jumps (libfaketime): what was acknowledged stays as it was recorded."""

import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from services.core.announcement import running_app
from tests.conftest import FULL
from tests.fakes.scripted_users import USERS, ScriptedUsers
from tests.integration.busy_app import app, check_records, mirrored, records

pytestmark = pytest.mark.slow

HOURS, YEAR, NONE = timedelta(hours=20), timedelta(days=365), timedelta()
JUMPS = [-HOURS, NONE, HOURS, NONE] if FULL else [HOURS, NONE]
"""How far the clock is ahead, in turn; what is written at one of them is in the past or the future at the next."""

REFUSED = "but this computer's clock says"

type Jump = Callable[[timedelta], None]


@contextmanager
def app_with_a_clock(home: Path) -> Iterator[Jump]:
    """The app, and what sets its clock ahead of the real one or, by less than nothing, back."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed (Debian: apt install libfaketime)")
    clock = home / "clock"
    clock.write_text("+0\n")
    faked = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_RESET": "1",
        "NO_FAKE_STAT": "1",
    }

    def jump(ahead: timedelta) -> None:
        fresh = clock.with_suffix(".new")
        fresh.write_text(f"{ahead.total_seconds():+.0f}\n")
        fresh.replace(clock)
        deadline = time.monotonic() + 60
        while abs(app_time(home) - datetime.now(UTC) - ahead) > timedelta(seconds=30):
            assert time.monotonic() < deadline, "the app's clock did not jump"
            time.sleep(0.05)

    with app(home, **faked):
        yield jump


def app_time(home: Path) -> datetime:
    """What the app takes for now, by its answers."""
    announced = running_app(home)
    assert announced is not None
    with urllib.request.urlopen(f"http://127.0.0.1:{announced.port}/api/health") as answer:
        return parsedate_to_datetime(answer.headers["Date"])


def test_ten_users_lose_nothing_when_the_clock_jumps(users: ScriptedUsers) -> None:
    with app_with_a_clock(users.home) as jump:
        users.start()
        users.wait_for(USERS)
        for ahead in JUMPS:
            before = records(users.home)
            jump(ahead)
            users.wait_for(USERS)
            users.stop()
            check_records(users, before, records(users.home))
            users.start()
        jump(-YEAR)
        users.wait_for_refusals(REFUSED)
        jump(NONE)
        users.wait_for(USERS)
        jump(YEAR)
        users.wait_for(USERS)
        jump(NONE)
        users.wait_for_refusals(REFUSED)
        users.stop()
        jump(YEAR + timedelta(hours=1))
        after = records(users.home)
        check_records(users, before, after)
        assert mirrored(users.home) == len(after)
