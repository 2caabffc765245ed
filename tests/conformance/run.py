"""Asks our server on a loopback port what the protocol's own programs ask: `make conformance`, `make inspector`."""

import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from mcp.shared.exceptions import MCPDeprecationWarning

from services.agent.app import App
from tests.conformance import inspector, suite
from tests.conformance.everything import everything
from tests.conformance.server import serving
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import open_services
from tests.services.tools.conftest import _fill


def main() -> None:
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    began = time.monotonic()
    logging.disable()
    with _app() as app:
        problems = inspect(app) if sys.argv[1:] == ["inspector"] else conform(app)
    print(*problems, f"{time.monotonic() - began:.0f} s", sep="\n")
    sys.exit(bool(problems))


@contextmanager
def _app() -> Iterator[App]:
    with tempfile.TemporaryDirectory(prefix="asof-") as home:
        app = open_services(Path(home), MemoryGraphStore())
        yield _fill(app)
        app.close()


def conform(app: App) -> list[str]:
    """What is wrong with our server, by the suite: with the suite's toolset mounted, then as it runs."""
    tools = {tool.name for tool in anyio.run(everything.list_tools)}
    with serving(app, has_everything=True) as url:
        problems = [f"There is no {name}." for name in suite.missing(url, tools)]
        for revision in suite.AS_IT_IS:
            problems += _judged(f"{revision}, required", suite.run(url, revision), suite.required(revision))
    with serving(app, has_everything=False) as url:
        for revision, scenarios in suite.AS_IT_IS.items():
            problems += _judged(f"{revision}, our tools alone", suite.run(url, revision), scenarios)
    return problems


def _judged(title: str, outcome: suite.Outcome, scenarios: tuple[str, ...]) -> list[str]:
    passed = outcome.passed(scenarios)
    print(f"{title}: {len(passed)} of {len(scenarios)} scenarios passed", flush=True)
    left = [name for name in scenarios if name not in passed]
    return [f"{title}: {', '.join(left)}\n{outcome.printed}"] if left else []


def inspect(app: App) -> list[str]:
    """What is wrong with the answers that the inspector gets."""
    problems = []
    with serving(app, has_everything=False) as url:
        for title, found in (
            ("over HTTP", inspector.over_http(url)),
            ("on standard input", inspector.on_stdio(app.settings.folder)),
        ):
            print(f"{title}: {len(inspector.CALLS) - len(found)} of {len(inspector.CALLS)} tools answered", flush=True)
            problems += [f"{name} {title}: {problem}" for name, problem in found.items()]
    return problems


if __name__ == "__main__":
    main()
