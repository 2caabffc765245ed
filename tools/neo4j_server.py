"""Run a real Neo4j Community server without Docker, from the jars that Maven fetches.

    python tools/neo4j_server.py fetch                     download the jars (about 150 MB, once)
    python tools/neo4j_server.py run --folder DIR          serve on bolt://127.0.0.1:7687 until Ctrl-C

Needs Java 17 or 21, and Maven for the first start. The tests use `Neo4jServer` from here.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "asof" / "neo4j"
COPY_JARS = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
START_SECONDS = 120
HANDSHAKE = b"\x60\x60\xb0\x17" + b"\x00\x04\x04\x05" + bytes(12)
"""Bolt's magic number, then the versions 5.0 to 5.4 as the only offer."""

JAVA_OPTIONS = (
    "-Xms256m",
    "-Xmx512m",
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
CONFIGURATION = """
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
dbms.usage_report.enabled=false
dbms.security.auth_enabled={auth}
server.memory.pagecache.size=64m
db.tx_log.preallocate=false
db.tx_log.rotation.retention_policy=2 files
db.logs.query.enabled=OFF
internal.server.bolt.thread_pool_shutdown_wait_time=0s
"""


def missing() -> str:
    """What must be installed before a server can run; empty when nothing."""
    if shutil.which("java") is None:
        return "Java 17 (apt install openjdk-17-jre-headless)"
    if not _jars().is_dir() and shutil.which("mvn") is None:
        return "Maven (apt install maven)"
    return ""


def _jars() -> Path:
    return CACHE / hashlib.sha256(POM.read_bytes()).hexdigest()[:12]


def fetch() -> Path:
    """The folder with the jars, downloaded unless they are there."""
    jars = _jars()
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not jars.is_dir():
            part = jars.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            subprocess.run(
                ["mvn", "-B", "-q", "-f", POM, COPY_JARS, "-DincludeScope=runtime", f"-DoutputDirectory={part}"],
                check=True,
                stdout=sys.stderr,
            )
            part.rename(jars)
    return jars


class Neo4jServer:
    """A Neo4j in `folder`, without a password unless one is given (user neo4j; it is set at the first start)."""

    def __init__(self, folder: Path, *, port: int = 0, password: str = "") -> None:
        self.folder = folder.resolve()
        self.port = port or _free_port()
        self.password = password
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"bolt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Return when the server answers on Bolt; raise `RuntimeError` with its last words when it ends before."""
        jars = fetch()
        for name in ("conf", "plugins", "import", "logs"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        auth = str(bool(self.password)).lower()
        (self.folder / "conf" / "neo4j.conf").write_text(CONFIGURATION.format(port=self.port, auth=auth))
        java = ["java", *JAVA_OPTIONS, "-cp", f"{self.folder / 'conf'}:{jars}/*"]
        environment = {**os.environ, "NEO4J_HOME": str(self.folder), "NEO4J_CONF": str(self.folder / "conf")}
        if self.password and not (self.folder / "data").exists():
            admin = ["org.neo4j.server.startup.Neo4jAdminCommand", "dbms", "set-initial-password", self.password]
            subprocess.run([*java, *admin], env=environment, check=True, stdout=subprocess.DEVNULL)
        entry = ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={self.folder}"]
        with (self.folder / "console.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*java, *entry, f"--config-dir={self.folder / 'conf'}"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._await_bolt(self._process)

    def _await_bolt(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not answers_bolt(self.port):
            if process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError("Neo4j did not start: " + (self.folder / "console.log").read_text()[-2000:])
            time.sleep(0.05)

    def stop(self) -> None:
        """Shut it down cleanly."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a crash would."""
        self._end(signal.SIGKILL)

    def wait(self) -> None:
        """Return when the server has ended."""
        if self._process is not None:
            self._process.wait()

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
        self.wait()


def answers_bolt(port: int) -> bool:
    """True when a Bolt handshake succeeds, which is later than the port's opening."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(HANDSHAKE)
            return connection.recv(4) not in (b"", bytes(4))
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["fetch", "run"])
    parser.add_argument("--folder", type=Path, default=Path(".neo4j-dev"))
    parser.add_argument("--port", type=int, default=7687)
    parser.add_argument("--password", default="", help="of the user neo4j, at least 8 characters; none: no sign-in")
    asked = parser.parse_args()
    if need := missing():
        sys.exit(f"Install {need} first.")
    if asked.command == "fetch":
        print(fetch())
        return
    server = Neo4jServer(asked.folder, port=asked.port, password=asked.password)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        server.start()
        print(f"Neo4j serves on {server.address}", flush=True)
        server.wait()
    except KeyboardInterrupt:
        print("Stopping Neo4j.")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
