"""Serves the app for a trial, on a data folder of its own, until it is stopped: `python -m tests.trials.serve`."""

import signal
import sys

from tests.browser.server import served

CLUB = ["club.csv", "newsletter-may.csv"]


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the app is stopped and its folder removed
    imports = [["import", f"tests/trials/data/{name}", "--workspace", "club"] for name in CLUB]
    with served(["demo"], *imports) as url:
        print(url, flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
