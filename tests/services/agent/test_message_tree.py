"""The tree of a conversation, and what a question takes over from what was said before."""

from datetime import UTC, datetime, timedelta

from services.accounts.account_records import Message
from services.agent.message_tree import branch, history, siblings, spent, titled, topic
from services.core.answer_documents import answer_document, read_answer
from services.core.answer_records import Answer, Citation, Sentence, ToolCall, Topic
from services.core.models import Instants

NOW = datetime(2024, 1, 1, 12, tzinfo=UTC)


def message(id: str, parent: str | None, role: str = "user", minute: int = 0, **more: object) -> Message:
    return Message(id, "c", role, id, NOW + timedelta(minutes=minute), parent, **more)  # type: ignore[arg-type]


TREE = (
    message("q1", None),
    message("a1", "q1", "assistant", 1),
    message("q2", "a1", minute=2),
    message("a2", "q2", "assistant", 3),
    message("q2 edited", "a1", minute=4),
    message("a2 edited", "q2 edited", "assistant", 5),
)


def ids(messages: tuple[Message, ...]) -> list[str]:
    return [m.id for m in messages]


def test_a_branch_goes_from_the_first_message_to_the_one_named() -> None:
    assert ids(branch(TREE, "a2")) == ["q1", "a1", "q2", "a2"]
    assert ids(branch(TREE, "a2 edited")) == ["q1", "a1", "q2 edited", "a2 edited"]
    assert branch(TREE, None) == ()


def test_an_edited_question_stands_beside_the_one_before() -> None:
    assert ids(siblings(TREE, TREE[4])) == ["q2", "q2 edited"]
    assert ids(siblings(TREE, TREE[0])) == ["q1"]


def test_raw_blocks_go_to_the_model_again_and_answers_without_a_model_as_text() -> None:
    raw = (
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": [{"type": "thinking", "signature": "s"}]},
    )
    before = (TREE[0], TREE[1], TREE[2], message("a2", "q2", "assistant", blocks=raw))
    assert history(before) == ({"role": "user", "content": "q1"}, {"role": "assistant", "content": "a1"}, *raw)


def answer() -> Answer:
    call = ToolCall("c1", "facts_at", {"entity": "Ada"}, NOW, output={"facts": [1]}, summary="1 fact", ms=1.5)
    about = Topic(("Ada",), "WORKS_FOR", NOW, None, NOW, "count")
    return Answer(
        "Ada works for Labs. [1]",
        (Sentence("Ada works for Labs.", (1,), "supported", end=19),),
        (Citation(1, "fact", "f", "e", None, "works for Labs", 3, 17),),
        Instants(NOW, NOW),
        topic=about,
        calls=(call,),
        follow_ups=("Since when?",),
    )


def test_an_answer_is_read_back_as_it_was_kept() -> None:
    assert read_answer(answer_document(answer())) == answer()


def test_a_follow_up_is_about_what_the_last_answer_spoke_of() -> None:
    answered = message("a1", "q1", "assistant", answer=answer_document(answer()))
    assert topic((TREE[0], answered, TREE[2])) == answer().topic
    assert topic(TREE[:1]) is None


def test_a_title_is_the_questions_beginning_cut_at_a_word() -> None:
    assert titled("  Who wrote\n PEP 8? ") == "Who wrote PEP 8?"
    assert titled("What was the status of PEP 484 when Python 3.7 shipped, and later?").endswith("shipped, and …")


def test_costs_are_added_up_over_the_requests_and_are_unknown_without_a_price() -> None:
    asked = [ToolCall("1", "m", {}, NOW, "model", input_tokens=10, output_tokens=2, cost=0.5), answer().calls[0]]
    assert spent(asked) == {"input_tokens": 10, "output_tokens": 2, "cost": 0.5}
    assert spent(answer().calls)["cost"] is None
