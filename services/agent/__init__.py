"""The agent: tools, the loop over a model, the analyst without one, and the check of what they say."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.agent.answerer import questions_about
    from services.agent.app import App, get_services
    from services.agent.approval import allow, refuse
    from services.agent.cases import CaseOutcome, Comparison, answer_of, compared, rerun
    from services.agent.export import answer_markdown, conversation_document, conversation_markdown
    from services.agent.message_tree import branch, siblings
    from services.agent.starters import starter_questions
    from services.agent.turns import AnswerMaker, Turn
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "AnswerMaker",
    "App",
    "CaseOutcome",
    "Comparison",
    "Turn",
    "allow",
    "answer_markdown",
    "answer_of",
    "branch",
    "compared",
    "conversation_document",
    "conversation_markdown",
    "get_services",
    "questions_about",
    "refuse",
    "rerun",
    "siblings",
    "starter_questions",
]
