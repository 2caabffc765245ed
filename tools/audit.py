"""`make check`: asks the package index whether a pinned requirement has a known vulnerability.

It fails where one has, and where pip-audit itself fails. Where the index could not be asked it says so and does not
fail: a check has to run without a network.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
AUDIT = (sys.executable, "-m", "pip_audit")
_SETTINGS = ("--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json", "--requirement")
_NOBODY = "Known vulnerabilities: not checked, because the package index did not answer."
_NO_ANSWER = re.compile(r"(requests\.exceptions|pip_audit\._service\.interface)\.|.*your network may be blocking")
"""How the last line begins that pip-audit prints where the index could not be reached or answered no sense."""


class AuditFailed(Exception):
    """pip-audit ended without an answer, and not for want of an index."""


def main(command: Sequence[str] = AUDIT, files: Sequence[Path] = tuple(sorted(ROOT.glob("requirements*.txt")))) -> int:
    """Print what is known, and return the status to end with."""
    try:
        return _audit(command, files)
    except AuditFailed as error:
        print(f"Known vulnerabilities: not checked, because pip-audit failed: {error}")
        return 1


def _audit(command: Sequence[str], files: Sequence[Path]) -> int:
    if command is AUDIT and importlib.util.find_spec("pip_audit") is None:
        print(f"{_NOBODY} pip-audit is not installed.")
        return 0
    first, *_ = files
    if not _answers(command, first):
        print(_NOBODY)
        return 0
    answers = {file.name: _audited(command, file) for file in files}
    asked = {one["name"]: one for answer in answers.values() for one in answer}
    vulnerable = [_described(one) for one in asked.values() if one.get("vulns")]
    unknown = [f"what {name} lists" for name, answer in answers.items() if not answer]
    unknown += sorted(name for name, one in asked.items() if "skip_reason" in one)
    print(f"Known vulnerabilities: {len(vulnerable)} in {len(asked):,} requirements.", *vulnerable, sep="\n  ")
    if unknown:
        print(f"  Nothing is known of {', '.join(unknown)}.")
    return 1 if vulnerable else 0


def _answers(command: Sequence[str], file: Path) -> bool:
    """Return whether the first requirement of a file is known, so that an index without answers is asked once."""
    pin = re.search(r"(?m)^\S+==[^ ;\\]+", file.read_text())
    if pin is None:
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as alone:
        alone.write(pin[0])
        alone.flush()
        return any("skip_reason" not in one for one in _audited(command, Path(alone.name)))


def _audited(command: Sequence[str], file: Path) -> Sequence[Mapping[str, Any]]:
    """Return what is known of each requirement; nothing where the index did not answer.

    Raises `AuditFailed`.
    """
    run = subprocess.run([*command, *_SETTINGS, str(file)], capture_output=True, text=True, check=False)
    try:
        found: Sequence[Mapping[str, Any]] = json.loads(run.stdout)["dependencies"]
    except (ValueError, KeyError) as error:
        last = run.stderr.strip().rpartition("\n")[2]
        if _NO_ANSWER.match(last):
            return ()
        raise AuditFailed(last or f"it ended with status {run.returncode} and no answer.") from error
    return found


def _described(one: Mapping[str, Any]) -> str:
    ids = ", ".join(f"{v['id']} (fixed in {', '.join(v['fix_versions']) or 'no version yet'})" for v in one["vulns"])
    return f"{one['name']} {one['version']}: {ids}"


if __name__ == "__main__":
    sys.exit(main())
