"""`make check` and known vulnerabilities: told where there are any, and where nobody could be asked."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.audit import AUDIT, main

SOUND: dict[str, Any] = {"name": "sound", "version": "1.0", "vulns": []}
HOLED: dict[str, Any] = {"name": "holed", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
UNKNOWN: dict[str, Any] = {"name": "strange", "skip_reason": "not found"}


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.txt"
    path.write_text("# pinned\nsound==1.0 \\\n    --hash=sha256:00\nholed==2.0 \\\n    --hash=sha256:01\n")
    return path


def auditor(folder: Path, *known: dict[str, Any]) -> list[str]:
    """A program that answers as pip-audit does of those of its file's pins that are known to it."""
    script = folder / "auditor.py"
    script.write_text(
        "import json, pathlib, sys\n"
        f"known = json.loads({json.dumps(json.dumps(known))})\n"
        "text = pathlib.Path(sys.argv[-1]).read_text()\n"
        "found = [one for one in known if one['name'] + '==' in text or 'skip_reason' in one]\n"
        "print(json.dumps({'dependencies': found, 'fixes': []}))\n"
    )
    return [sys.executable, str(script)]


def test_a_known_vulnerability_fails_with_its_package_and_the_version_that_mends_it(
    tmp_path: Path, pins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(auditor(tmp_path, SOUND, HOLED), [pins]) == 1
    assert "1 in 2 requirements" in (printed := capsys.readouterr().out)
    assert "holed 2.0: CVE-1 (fixed in 2.1)" in printed


def test_sound_requirements_pass_and_those_of_which_nothing_is_known_are_named(
    tmp_path: Path, pins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(auditor(tmp_path, SOUND, UNKNOWN), [pins]) == 0
    assert "Nothing is known of strange." in capsys.readouterr().out


@pytest.mark.parametrize("known", [[], [UNKNOWN]], ids=["no answer", "not in the index"])
def test_where_nobody_can_be_asked_it_says_so_and_does_not_fail(
    tmp_path: Path, pins: Path, capsys: pytest.CaptureFixture[str], known: list[dict[str, Any]]
) -> None:
    assert main(auditor(tmp_path, *known), [pins]) == 0
    assert "not checked" in capsys.readouterr().out


NO_ANSWER = [
    "requests.exceptions.ProxyError: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded",
    "pip_audit._service.interface.ServiceError",
    "ERROR:pip_audit._cli:Tip: your network may be blocking this service. Try another service with `-s SERVICE`",
]


@pytest.mark.parametrize("last_line", NO_ANSWER)
def test_without_a_network_it_says_so_and_does_not_fail(
    pins: Path, capsys: pytest.CaptureFixture[str], last_line: str
) -> None:
    program = f"raise SystemExit('Traceback\\n' + {last_line!r})"
    assert main([sys.executable, "-c", program], [pins]) == 0
    assert "the package index did not answer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import a_module_that_is_not_there", "No module named 'a_module_that_is_not_there'"),
        ("raise SystemExit('ERROR: requirement sound is not pinned')", "requirement sound is not pinned"),
        ("print('{}')", "no answer"),
    ],
    ids=["crash", "refusal", "silence"],
)
def test_an_audit_that_fails_fails_the_check_with_its_last_line(
    pins: Path, capsys: pytest.CaptureFixture[str], program: str, reason: str
) -> None:
    assert main([sys.executable, "-c", program], [pins]) == 1
    assert reason in capsys.readouterr().out


@pytest.mark.slow
def test_the_real_program_without_a_network_is_no_failure(
    tmp_path: Path, pins: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    assert main([*AUDIT, "--cache-dir", str(tmp_path)], [pins]) == 0
    assert "the package index did not answer" in capsys.readouterr().out
