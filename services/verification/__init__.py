"""The check of an answer, sentence by sentence, against what its tools returned."""
