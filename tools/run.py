"""`make run`: the demo on the first start, then the dashboard on a free port."""

import os
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cli  # noqa: E402 - from the folder above
from services.commands.command import DONE  # noqa: E402

PORTS = 100
"""How many ports `make run` tries, from the first on."""


def main() -> None:
    """Load the demo where there is no graph yet, say the address, and become the server."""
    from services.api.guard import check_start
    from services.core.config import settings
    from services.core.data_folder import claim, use_private_files
    from services.core.errors import AsofError, BadInput
    from services.graph.connect import target

    try:
        target(settings())
        check_start(settings(), os.environ.get("STREAMLIT_SERVER_ADDRESS", "127.0.0.1"))
        use_private_files()
        claim(settings().folder)
    except BadInput as error:
        sys.exit(str(error))
    try:
        load_demo_on_first_start()
    except AsofError as error:
        print(f"{error}\nThe dashboard starts without it.", file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit(cli.STOPPED)
    port = _free_port(settings().port)
    print(f"\n  In a moment Asof is at  http://localhost:{port}   (Ctrl+C stops it)\n", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--logger.hideWelcomeMessage", "true"]
    os.chdir(ROOT)
    os.execv(sys.executable, command)


def load_demo_on_first_start() -> None:
    """Only into an embedded graph in which nothing is yet: nobody's own database gets a demo unasked.

    A mark in the data folder says that the demo is in whole; until then the next start loads what this one did not.
    Ctrl+C ends the process.
    """
    from services.core.config import EMBEDDED, settings

    chosen = settings()
    offered, begun = chosen.folder / "demo.offered", chosen.folder / "demo.unfinished"
    if chosen.graph_url != EMBEDDED or offered.exists():
        return
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if begun.exists() or not _holds_anything():
        print("First start: loading the demo, the Python Enhancement Proposals.", flush=True)
        begun.touch()
        status = cli.main(["demo"])
        if status == cli.STOPPED:
            sys.exit(status)
        if status != DONE:
            return
    offered.touch()
    begun.unlink(missing_ok=True)


def _holds_anything() -> bool:
    """True when there is something in the graph."""
    from services.bootstrap import build_services
    from services.core.config import settings

    if not (settings().folder / "graph").exists():
        return False
    services = build_services(settings())
    try:
        return bool(services.bridge.run(services.graph.workspaces(), timeout=None))
    finally:
        services.close()


def _free_port(wanted: int) -> int:
    for port in range(wanted, wanted + PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                continue
        if port != wanted:
            print(f"Port {wanted} is taken, so this one is {port}.", flush=True)
        return port
    sys.exit(f"No free port from {wanted} to {wanted + PORTS - 1}. Set ASOF_PORT to one that is free.")


if __name__ == "__main__":
    main()
