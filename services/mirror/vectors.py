"""Our vectors: kept by a digest of the text that each was made of, all of one model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.core.errors import BadInput
from services.mirror.reads import Reads, in_list, one, registered

Vectors = NDArray[np.float32]
"""One row for each text, of length 1."""


_FEW = 500
"""So few vectors are looked up by the index, which DuckDB takes for a list of values alone; for more it reads the whole
table, and keeps it in memory."""


@dataclass(frozen=True, slots=True)
class VectorModel:
    """What made vectors: they are compared with vectors of the same model only."""

    name: str
    dimension: int


class VectorTable(Reads):
    """The vectors of one workspace. Any thread may read or write."""

    def model(self) -> VectorModel | None:
        """The model that the vectors are of; None while there are none."""
        name, dimension = self._one("SELECT model, dimension FROM meta")
        return None if name is None else VectorModel(name, dimension)

    def add(self, model: VectorModel, keys: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors by key. Raises `BadInput` where others are of another model: they are never mixed."""
        with self._database.write() as cursor:
            held = one(cursor, "SELECT model, dimension FROM meta")
            if held[0] is None:
                cursor.execute("UPDATE meta SET model = ?, dimension = ?", [model.name, model.dimension])
            elif held != (model.name, model.dimension):
                raise BadInput(
                    f"The stored embeddings are from {held[0]}, not from {model.name}.",
                    "Re-embed all texts on Settings.",
                )
            flat = pa.array(np.ascontiguousarray(vectors, np.float32).ravel())
            lists = pa.FixedSizeListArray.from_arrays(flat, model.dimension).cast(pa.list_(pa.float32()))
            with registered(cursor, pa.table({"key": pa.array(keys, pa.string()), "vector": lists})):
                cursor.execute("INSERT INTO vectors FROM incoming WHERE key NOT IN (SELECT key FROM vectors)")

    def missing(self, keys: Iterable[str]) -> list[str]:
        """The keys without a vector, each once, in their order."""
        asked = list(dict.fromkeys(keys))
        sql = "SELECT key FROM vectors WHERE key IN (SELECT unnest($keys::VARCHAR[]))"
        known = {key for (key,) in self._rows(sql, {"keys": asked})}
        return [key for key in asked if key not in known]

    def of(self, keys: Sequence[str], model: VectorModel) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row for each key, of zeros where there is none of that model, and which there are."""
        found = np.zeros((len(keys), model.dimension), np.float32)
        there = np.zeros(len(keys), bool)
        with self._database.read() as cursor:
            if one(cursor, "SELECT model, dimension FROM meta") != (model.name, model.dimension):
                return found, there
            if len(keys) <= _FEW:
                held = dict(in_list(cursor, "SELECT key, vector FROM vectors WHERE key IN", keys)) if keys else {}
                for place, key in enumerate(keys):
                    if key in held:
                        found[place], there[place] = held[key], True
                return found, there
            cursor.register("asked", pa.table({"key": pa.array(keys, pa.string()), "place": np.arange(len(keys))}))
            batches = cursor.sql("SELECT place, vector FROM asked JOIN vectors USING (key)").to_arrow_reader(8_192)
            for batch in batches:
                places = batch.column("place").to_numpy()
                lists = batch.column("vector")
                found[places] = lists.flatten().to_numpy(zero_copy_only=False).reshape(-1, model.dimension)
                there[places] = True
            cursor.unregister("asked")
        self._database.forget_pages()
        return found, there

    def clear(self) -> None:
        """Forget every vector, and with them the model."""
        with self._database.write() as cursor:
            cursor.execute("DELETE FROM vectors")
            cursor.execute("UPDATE meta SET model = NULL, dimension = NULL")
