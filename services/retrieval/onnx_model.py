"""Models in ONNX's format on the processor, one thread each: the only place that opens sessions of onnxruntime."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from services.core.gc_pause import give_memory_back


class OnnxModel:
    """A loaded model. Any thread may run it."""

    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep 25 MB for the longest text, and is no faster
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.inputs = tuple(one.name for one in self._session.get_inputs())
        self.outputs = tuple(one.name for one in self._session.get_outputs())
        del model
        give_memory_back()  # loading needs 50 MB more than the model does

    def run(self, output: str, inputs: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Return one output of the model, computed from all its inputs."""
        (computed,) = self._session.run([output], dict(inputs))
        return np.asarray(computed, np.float32)
