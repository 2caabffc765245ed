"""`make run`: the demo on the first start, then the dashboard on a free port."""

import os
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cli  # noqa: E402 - from the folder above

FIRST_PORT = 8501


def main() -> None:
    """Load the demo where there is no graph yet, say the address, and become the server."""
    from services.errors import AsofError

    try:
        load_demo_on_first_start()
    except AsofError as error:
        print(f"{error}\nThe dashboard starts without it.", file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit(cli.STOPPED)
    port = _free_port(int(os.environ.get("ASOF_PORT", FIRST_PORT)))
    print(f"\n  Asof is at  http://localhost:{port}   (Ctrl+C stops it)\n", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--logger.hideWelcomeMessage", "true"]
    os.chdir(ROOT)
    os.execv(sys.executable, command)


def load_demo_on_first_start() -> None:
    """Only into an embedded graph that does not exist yet: nobody's own database gets a demo unasked.

    A mark stays in the data folder until the demo is in whole, so that the next start loads what this one did not.
    Ctrl+C ends the process.
    """
    from services.config import EMBEDDED, settings

    chosen = settings()
    mark = chosen.folder / "demo.unfinished"
    if chosen.graph_url != EMBEDDED or ((chosen.folder / "graph").exists() and not mark.exists()):
        return
    print("First start: loading the demo, the Python Enhancement Proposals.", flush=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    status = cli.main(["demo"])
    if status == cli.STOPPED:
        sys.exit(status)
    if status == cli.DONE:
        mark.unlink()


def _free_port(wanted: int) -> int:
    for port in range(wanted, wanted + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                continue
        if port != wanted:
            print(f"Port {wanted} is taken, so this one is {port}.", flush=True)
        return port
    sys.exit(f"No free port from {wanted} to {wanted + 99}. Set ASOF_PORT to one that is free.")


if __name__ == "__main__":
    main()
