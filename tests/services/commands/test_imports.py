"""What a command imports while the app answers it."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = ["pandas", "neo4j", "duckdb", "anthropic", "sqlalchemy", "streamlit", "graphiti_core", "numpy"]
SCRIPT = """
import sys, cli
status = cli.main(sys.argv[1:])
heavy = {libraries} | {"services.context"}
print(status, *sorted(name for name in sys.modules if name in heavy))
""".replace("{libraries}", repr(set(LIBRARIES)))


class Refusing(BaseHTTPRequestHandler):
    """Answers each command with an error, as the app would."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        line = json.dumps({"error": {"kind": "BadInput", "message": "Asked the app.", "hint": ""}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(line)))
        self.end_headers()
        self.wfile.write(line)

    def log_message(self, *_: object) -> None:
        """Keep the output of tests clean."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A data folder of a running app."""
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    announced = {"pid": os.getpid(), "port": server.server_port, "token": "x"}
    (tmp_path / "app.json").write_text(json.dumps(announced))
    yield tmp_path
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "facts --entity Ann --as-of 2014",
        "history --entity Ann",
        "diff --from 2014",
        "search Ann",
        "schema-search Ann",
        "ask Who",
        f"import {__file__}",
        f"ingest {__file__}",
        "index",
        "user list",
    ],
)
def test_a_command_that_the_app_answers_imports_no_heavy_library(home: Path, words: str) -> None:
    environment = {**os.environ, "ASOF_HOME": str(home)}
    command = [sys.executable, "-c", SCRIPT, *words.split()]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("1\n", "Asked the app.\n")
