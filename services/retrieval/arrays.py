"""Parts of an index as plain arrays, which a file holds and reads back fast."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Arrays = dict[str, NDArray[np.generic]]

_BETWEEN = "\0"
"""What stands between texts; none of those that are kept so holds it."""


def joined(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Texts without NUL as one array of bytes."""
    return np.frombuffer(_BETWEEN.join(texts).encode("utf-8", "surrogatepass"), np.uint8)


def separated(array: NDArray[np.generic]) -> list[str]:
    """The texts of `joined`."""
    text = array.tobytes().decode("utf-8", "surrogatepass")
    return text.split(_BETWEEN) if text else []


def packed(name: str, matrix: sparse.csr_array) -> Arrays:
    """A sparse matrix as arrays under its name."""
    return {
        f"{name}.data": matrix.data,
        f"{name}.indices": matrix.indices.astype(np.int32, copy=False),
        f"{name}.indptr": matrix.indptr.astype(np.int32, copy=False),
        f"{name}.shape": np.array(matrix.shape),
    }


def unpacked(name: str, arrays: Arrays) -> sparse.csr_array:
    """The sparse matrix that `packed` was given."""
    parts = (arrays[f"{name}.data"], arrays[f"{name}.indices"], arrays[f"{name}.indptr"])
    rows, columns = arrays[f"{name}.shape"].tolist()
    return sparse.csr_array(parts, shape=(rows, columns))


def under(prefix: str, arrays: Arrays) -> Arrays:
    """Arrays with a prefix before their names, so that several parts fit in one file."""
    return {f"{prefix}/{name}": array for name, array in arrays.items()}


def inside(prefix: str, arrays: Arrays) -> Arrays:
    """The arrays of `under` that prefix."""
    start = f"{prefix}/"
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
