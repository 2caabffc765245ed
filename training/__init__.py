"""How the shipped weights were made: the code that trained the network, and the labelled texts it learned from.

    python -m venv .venv-train
    .venv-train/bin/pip install -r requirements.txt -r requirements-extraction.txt -r training/requirements.txt
    .venv-train/bin/python -m training.train_reader         # an hour on two cores: writes learned/reader.npz
    .venv-train/bin/python -m training.train_entity_pass    # an hour: writes learned/again.npz
    .venv-train/bin/python -m training.fit_dates            # 10 minutes: adds which date starts and ends a fact
    .venv-train/bin/python -m training.calibrate            # prints the weights for extraction/weighing.py

A tenth of the texts, drawn by their ids, is left out of the training: `calibrate` measures and fits on it.
"""
