"""Finding passages and facts: words, vectors, and a walk over what they mention."""
