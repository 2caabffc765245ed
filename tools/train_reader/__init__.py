"""Trains the network of services/extraction/learned on the labelled texts of benchmarks/ingest.

    python -m venv .venv-train
    .venv-train/bin/pip install -r requirements.txt -r requirements-extraction.txt
    .venv-train/bin/pip install -r tools/train_reader/requirements.txt
    .venv-train/bin/python -m tools.train_reader.train     # an hour on two cores: writes learned/reader.npz
    .venv-train/bin/python -m tools.train_reader.again     # an hour: the second look, writes learned/again.npz
    .venv-train/bin/python -m tools.train_reader.dates     # 10 minutes: adds which date starts and ends a fact
    .venv-train/bin/python -m tools.train_reader.weigh     # prints the weights for extraction/weighing.py

A tenth of the texts, drawn by their ids, is left out of the training: `weigh` measures and calibrates on it.
"""
