"""The installed model."""

import numpy as np

from services.retrieval import minilm
from services.retrieval.embedder import LocalEmbedder


def test_the_lower_layers_give_a_state_for_each_piece():
    places, states = minilm.middle_states("Ida Moen lives in Oslo.")
    assert [places[at] for at in (0, 1, -2, -1)] == [(0, 0), (0, 3), (22, 23), (0, 0)]
    assert states.shape == (len(places), minilm.WIDTH)


def test_a_longer_text_is_cut_off():
    assert len(minilm.last_states("harbour " * 1000)) == minilm.LONGEST


def test_a_vector_is_the_mean_of_the_last_states():
    mean = minilm.last_states("Ida Moen lives in Oslo.").mean(axis=0)
    vector = LocalEmbedder().embed(["Ida Moen lives in Oslo."])[0]
    assert np.allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)
