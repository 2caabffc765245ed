"""A model of one's own, from a folder; the installed model, put into one, stands for it."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import BadInput
from services.core.models import Entity, Fact
from services.extraction.learned.network import WEIGHTS_FILE, first_layer_file
from services.retrieval import minilm
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.onnx_embedder import OnnxEmbedder
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import W, write

TEXTS = ["Ida Moen lives in Oslo.", "harbour " * 300, ""]
TOKENIZER = Path(minilm.__file__).parent / "minilm_files" / "tokenizer.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (folder := tmp_path / "encoder").mkdir()
    (folder / "model.onnx").symlink_to(minilm.model_path())
    document = json.loads(TOKENIZER.read_text())
    document["truncation"]["max_length"] = minilm.LONGEST
    (folder / "tokenizer.json").write_text(json.dumps(document))
    return folder


def pool_first(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')


@pytest.mark.slow
def test_a_folder_with_the_installed_model_gives_the_vectors_of_the_installed_model(folder: Path) -> None:
    own, local = OnnxEmbedder(folder), LocalEmbedder()
    assert (own.dimension, own.name.partition("@")[0]) == (local.dimension, "onnx:encoder")
    assert np.allclose(own.embed(TEXTS), local.embed(TEXTS), atol=1e-6)


def test_the_state_of_the_first_piece_stands_for_the_text_where_the_folder_says_so(folder: Path) -> None:
    pool_first(folder)
    first = minilm.last_states(TEXTS[0])[0]
    assert np.allclose(OnnxEmbedder(folder).embed(TEXTS[:1])[0], first / np.linalg.norm(first), atol=1e-6)


def test_the_name_changes_with_each_file_that_makes_other_vectors(folder: Path) -> None:
    names = {OnnxEmbedder(folder).name}
    pool_first(folder)
    names.add(OnnxEmbedder(folder).name)
    (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes() + b"\n")
    names.add(OnnxEmbedder(folder).name)
    assert len(names) == 3


@pytest.mark.slow
def test_vectors_of_another_model_under_the_same_name_are_never_mixed_in(folder: Path, tmp_path: Path) -> None:
    chosen, graph = Settings(home=tmp_path / "home", embedder=f"onnx:{folder}"), MemoryGraphStore()
    services = build_services(chosen, graph=graph)
    write(services, Entity("a", "Ida"), Entity("b", "Oslo"), Fact("f", "a", "b", "Ida", "LIVES_IN", "Oslo"))
    assert services.indexes.prepare(W).stale_model is None
    model = services.mirrors.of(W).vectors.model()
    services.close()
    pool_first(folder)
    changed = build_services(chosen, graph=graph)
    try:
        assert changed.indexes.of(W).stale_model == model
        with pytest.raises(BadInput, match=r"embeddings of this workspace are from onnx:encoder@.*Re-embed"):
            changed.indexes.prepare(W)
        assert changed.mirrors.of(W).vectors.model() == model
        assert changed.indexes.embed_anew(W).stale_model is None
        assert changed.mirrors.of(W).vectors.model() != model
    finally:
        changed.close()


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(BadInput, match=rf"ASOF_EMBEDDER: there is no file .*{missing}\. See docs/guide/search\.md"):
        OnnxEmbedder(folder)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.onnx", "Asof cannot load .* as an ONNX model"),
        ("tokenizer.json", "Asof cannot read .* as a tokenizer"),
        ("1_Pooling/config.json", "is not valid JSON: the error is at column 1"),
    ],
)
def test_a_file_of_something_else_is_refused_in_words(folder: Path, name: str, words: str) -> None:
    pool_first(folder)
    (folder / name).unlink()
    (folder / name).write_text("nothing of the kind")
    with pytest.raises(BadInput, match=words):
        OnnxEmbedder(folder)


def test_a_model_that_is_no_encoder_of_texts_is_refused_in_words(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    shutil.copy(first_layer_file(WEIGHTS_FILE), folder / "model.onnx")
    with pytest.raises(BadInput, match="does not turn text into embeddings"):
        OnnxEmbedder(folder)


@pytest.mark.parametrize("setting", ["onnx:", "onnx", "onxx:folder"])
def test_a_setting_that_names_no_folder_says_what_can_be_written(setting: str, tmp_path: Path) -> None:
    services = build_services(Settings(home=tmp_path, embedder=setting), graph=MemoryGraphStore())
    try:
        with pytest.raises(BadInput, match="onnx:FOLDER"):
            _ = services.indexes
    finally:
        services.close()
