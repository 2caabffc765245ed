"""How the shipped weights were made: the code that trained the network, and the labelled texts it learned from.

    python -m venv .venv-train
    .venv-train/bin/pip install -r requirements.txt -r requirements-extraction.txt -r training/requirements.txt
    learned=services/extraction/learned
    .venv-train/bin/python -m training.train_reader --start $learned/reader.npz --epochs 6 --seeds 3
    .venv-train/bin/python -m training.train_entity_pass --start $learned/again.npz --epochs 5 --seeds 3
    .venv-train/bin/python -m training.calibrate            # prints the weights for extraction/weighing.py
    .venv-train/bin/python -m training.calibrate_dates      # writes extraction/date_confidence.json

Without `--start` the network begins with MiniLM's own layers and reads the texts 13 times. With it, it goes on from
weights: the shipped ones went on from those of 26 November 2026 (commit 5b21508) with 1,901 texts more. All of
it takes eight minutes on one H200 where the three seeds are trained side by side, and hours on two cores.

A tenth of the texts, drawn by their ids, is left out of the training: on it and on `changes-open.jsonl` both calibrate.
"""
