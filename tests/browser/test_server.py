"""How the server of these tests is stopped."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.server import stop

DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); signal.pause()"


def test_a_server_that_does_not_stop_is_killed_and_its_log_is_shown(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("waiting for a lock")
    server = subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE, start_new_session=True)
    with server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"up\n"
        with pytest.raises(AssertionError, match="waiting for a lock"):
            stop(server, log, within=0.1)
        assert server.poll() is not None
