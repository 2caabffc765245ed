"""Conversations as documents for JSON."""

import json

from services.accounts.account_records import User
from services.accounts.store import Accounts
from services.agent.export import conversation_document
from services.core.json_documents import json_text
from tests.services.accounts.talks import call, exchange

SESSION = {"_id", "userId", "title", "createdAt", "updatedAt"}
MESSAGE = {"_id", "sessionId", "userId", "role", "content", "createdAt"}
SOURCE = {"file_name", "file_path", "directory_name", "text", "similarity", "hybrid_score", "metadata"}


def test_a_conversation_is_exported_in_the_names_of_chat_services_and_whole(accounts: Accounts, ada: User) -> None:
    thinking = {"role": "assistant", "content": [{"type": "thinking", "thinking": "…", "signature": "EqQB=="}]}
    conversation, told = exchange(
        accounts, ada, content="It is so. [1]", sources=({"file_name": "a.md", "text": "so it is"},), blocks=(thinking,)
    )
    made = call(output={"facts": []})
    accounts.conversations.put_calls(told.id, [made])
    kept = accounts.conversations
    document = conversation_document(conversation, kept.messages(conversation.id), kept.calls_of([told.id]))
    again = json.loads(json_text(document))
    assert again == document
    assert again.keys() >= SESSION
    asked, answered = again["messages"]
    assert asked.keys() >= MESSAGE
    assert "sources" not in asked
    assert answered.keys() >= MESSAGE | {"sources"}
    assert {message["sessionId"] for message in (asked, answered)} == {conversation.id}
    assert {message["userId"] for message in (asked, answered)} == {ada.id}
    (source,) = answered["sources"]
    assert source.keys() == SOURCE
    assert (source["file_name"], source["similarity"]) == ("a.md", None)
    assert answered["blocks"] == [thinking]
    assert [line["id"] for line in answered["trace"]] == [made.id]
