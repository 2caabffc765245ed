"""The words of sql_words.txt, by kind."""

from services.analyst.question_words import lines_of


def words_named(name: str) -> frozenset[str]:
    """Return the words of one kind."""
    lines = [line.partition(":") for line in lines_of("sql_words.txt")]
    return frozenset(word for kind, _, words in lines if kind == name for word in words.split())
