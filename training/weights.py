"""Writes and reads the weights that training makes: heads for numpy, layers for onnxruntime.

`reader.npz` has the heads of a network; beside it `reader.first.onnx` computes its first layer and `reader.upper.onnx`
the others. Large matrices are kept as bytes, with a scale for each column.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from services.extraction.learned.network import HEADS, Array, first_layer_file, read_heads, upper_layers_file
from services.retrieval.minilm import WIDTH

_LARGE = 20_000
"""Numbers from which on a matrix is kept as bytes."""
_OPSET, _FORMAT = 20, 10


def write_weights(path: Path, weights: Mapping[str, Array], relations: tuple[str, ...]) -> None:
    """Write all weights of a network by name, layers apart from heads."""
    heads = {name: value for name, value in weights.items() if not name[0].isdigit()}
    np.savez_compressed(path, relations=np.array(relations), **dict(_kept(heads)))
    numbers = sorted({name.partition(".")[0] for name in weights if name[0].isdigit()})
    if "0" in numbers:
        first_layer_file(path).write_bytes(_Graph(weights).of_layers(["0"]))
    upper_layers_file(path).write_bytes(_Graph(weights).of_layers([number for number in numbers if number != "0"]))


def averaged(some: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """The mean of weights that were trained from the same start, which reads better than any of them."""
    return {name: np.mean([np.asarray(weights[name]) for weights in some], axis=0) for name in some[0]}


def read_weights(path: Path) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Read all weights of a network by name, and its relations."""
    weights, relations = read_heads(path)
    for file in filter(Path.exists, (first_layer_file(path), upper_layers_file(path))):
        kept = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer}
        of_layers = {name: value for name, value in kept.items() if name[0].isdigit() and ":" not in name}
        weights |= {name: value * kept.get(f"{name}:scale", np.float32(1)) for name, value in of_layers.items()}
    return weights, relations


def _kept(weights: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    for name, value in weights.items():
        array = np.asarray(value, np.float32)
        if array.size < _LARGE:
            yield name, array
        else:
            scale = np.abs(array).max(0) / 127 + 1e-12
            yield name, np.round(array / scale).astype(np.int8)
            yield f"{name}:scale", scale


class _Graph:
    """Builds transformer layers, as BERT has them, in ONNX's format."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def of_layers(self, numbers: list[str]) -> bytes:
        """The model from `states` to `encoded`, both pieces x 384."""
        x = "states"
        for number in numbers:
            x = self._layer(f"{number}.", x)
        self._nodes.append(helper.make_node("Identity", [x], ["encoded"]))
        ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["pieces", WIDTH]) for n in ("states", "encoded")]
        graph = helper.make_graph(self._nodes, "layers", ends[:1], ends[1:], list(self._constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_FORMAT)
        onnx.checker.check_model(model)
        return model.SerializeToString()

    def _layer(self, at: str, x: str) -> str:
        query, value = (self._split(self._linear(f"{at}{name}", x), [1, 0, 2]) for name in ("query", "value"))
        key = self._split(self._linear(f"{at}key", x), [1, 2, 0])
        scale = self._constant("scale", np.float32(1 / np.sqrt(WIDTH / HEADS)))
        looked = self._node("Softmax", self._node("Mul", self._node("MatMul", query, key), scale), axis=-1)
        seen = self._node("Transpose", self._node("MatMul", looked, value), perm=[1, 0, 2])
        joined = self._node("Reshape", seen, self._constant("joined", np.array([0, -1])))
        x = self._normed(f"{at}attended", self._node("Add", x, self._linear(f"{at}attend", joined)))
        wide = self._node("Gelu", self._linear(f"{at}wide", x))
        return self._normed(f"{at}fed", self._node("Add", x, self._linear(f"{at}narrow", wide)))

    def _split(self, x: str, order: list[int]) -> str:
        shape = self._constant("split", np.array([0, HEADS, -1]))
        return self._node("Transpose", self._node("Reshape", x, shape), perm=order)

    def _linear(self, name: str, x: str) -> str:
        return self._node("Add", self._node("MatMul", x, self._matrix(name)), self._weight(f"{name}_bias"))

    def _normed(self, name: str, x: str) -> str:
        return self._node("LayerNormalization", x, self._weight(name), self._weight(f"{name}_bias"), epsilon=1e-12)

    def _matrix(self, name: str) -> str:
        """A matrix that is kept as bytes: onnxruntime makes numbers of them once, when it loads the model."""
        kept = dict(_kept({name: self._weights[name]}))
        as_numbers = self._node("Cast", self._constant(name, kept[name]), to=TensorProto.FLOAT)
        return self._node("Mul", as_numbers, self._constant(f"{name}:scale", kept[f"{name}:scale"]))

    def _weight(self, name: str) -> str:
        return self._constant(name, np.asarray(self._weights[name], np.float32))

    def _constant(self, name: str, value: Array) -> str:
        self._constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def _node(self, kind: str, *inputs: str, **attributes: object) -> str:
        output = f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output
