"""Cases asked again: a thumbed answer beside what is said to the same question now."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from services.accounts.account_records import User
from services.accounts.cases import Case, CaseRun
from services.agent.answerer import Answerer, AskRequest
from services.agent.message_tree import spent
from services.agent.turns import check_day
from services.context import Services
from services.core.answer_documents import answer_document, read_answer
from services.core.answer_records import Answer, Asked
from services.core.errors import AsofError

CaseOutcome = Literal["same", "changed", "now declined", "failed"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What asking again brought. `gone` and `new` are the ids of records that only one of the two answers cites."""

    outcome: CaseOutcome
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    same_words: bool = True


def rerun(
    services: Services, case: Case, user: User, model: str = "", cancel: threading.Event | None = None
) -> CaseRun:
    """Ask a case's question again at its clocks, of `model` or of none, and keep what came of it.

    It counts for the user's day. Raises `BadInput` where that has cost as much as it may.
    """
    check_day(services, user, model)
    before = case.before and read_answer({**case.before, "trace": []})
    asking = Answerer(services.workspace(case.workspace), cancel=cancel or threading.Event())
    effort = services.settings.effort if model else ""
    asked = Asked(case.question, case.as_of, case.known_at)
    started, cost, document = time.perf_counter(), None, dict[str, Any]()
    try:
        outcome = asking.answer(AskRequest(asked, model, effort, topic=before.topic if before else None))
    except AsofError as error:
        problem = str(error)
    else:
        document = answer_document(outcome.answer)
        took, problem = spent(outcome.answer.calls), outcome.problem
        cost = took["cost"]
        if model:
            services.accounts.traces.count(user.id, case.workspace, model=model, **took)
    ms = (time.perf_counter() - started) * 1000
    return services.accounts.cases.put_run(case.id, document, model=model, ms=ms, cost=cost, problem=problem)


def compared(case: Case, run: CaseRun) -> Comparison:
    """A run beside the answer that was thumbed: the same where both cite the same records."""
    now, then = answer_of(run.answer), answer_of(case.answer)
    if run.problem or now is None:
        return Comparison("failed", same_words=False)
    if then is None:
        return Comparison("changed", same_words=False)
    ours, theirs = _cited(then), _cited(now)
    gone, new = tuple(sorted(ours - theirs)), tuple(sorted(theirs - ours))
    same_words = then.text.split() == now.text.split()
    if now.declined and not then.declined:
        return Comparison("now declined", gone, new, same_words)
    same = ours == theirs and now.declined == then.declined and (bool(ours) or same_words)
    return Comparison("same" if same else "changed", gone, new, same_words)


def answer_of(document: Mapping[str, Any]) -> Answer | None:
    """The answer that a case or a run keeps; None where nothing was said."""
    return read_answer({**document, "trace": []}) if document else None


def _cited(answer: Answer) -> set[str]:
    """Facts and passages; the result of a call has an id of its own each time."""
    return {citation.id for citation in answer.citations if citation.kind != "result"}
