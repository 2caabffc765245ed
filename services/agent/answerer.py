"""One question answered: by a model where one is chosen, else by the analyst that needs none; checked either way."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from services.agent.loop import ModelAgent
from services.agent.starters import about
from services.analyst.analyst import Analyst
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import Synonyms
from services.context import OpenWorkspace
from services.core.answer_records import Answer, Asked, Evidence, FailureKind, Offer, Topic
from services.core.config import listed
from services.core.errors import AccountsUnavailable, BadInput, GraphUnavailable
from services.core.log import logger
from services.language.answer_sentences import split
from services.llm.listener import Listener, NullListener
from services.tools.citations import citations
from services.tools.prompt import system_prompt
from services.tools.registry import READERS, tools_of
from services.tools.tool import Context, Tool
from services.tools.toolbox import CallListener, Consent, Toolbox, ignore_call
from services.verification.check import check

_FOLLOW_UPS = 3
_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class AskRequest:
    """What is asked, of whom, and after what. `history` are the raw messages before it, `topic` what they spoke of."""

    asked: Asked
    model: str = ""
    effort: str = ""
    history: tuple[Mapping[str, Any], ...] = ()
    topic: Topic | None = None


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What came of a question. Where `problem` is not empty, the answer holds what was said before it."""

    answer: Answer
    evidence: tuple[Evidence, ...] = ()
    blocks: tuple[Mapping[str, Any], ...] = ()
    problem: str = ""
    hint: str = ""
    stopped: bool = False
    failure: FailureKind = ""


@dataclass(frozen=True)
class Answerer:
    """Answers questions about one workspace. A model has tools that write only where `consent` keeps their calls.

    It has those of the settings' toolsets, or else `tools`.
    """

    workspace: OpenWorkspace
    on_call: CallListener = ignore_call
    consent: Consent | None = None
    listener: Listener = field(default_factory=NullListener)
    cancel: threading.Event = field(default_factory=threading.Event)
    tools: tuple[Tool, ...] | None = None

    def answer(self, question: AskRequest) -> AnswerOutcome:
        """The answer, its sentences marked.

        Raises `BadInput` for a question that cannot be asked, and `GraphUnavailable` where neither the graph nor a
        mirror of it can be read.
        """
        question = replace(question, asked=self.check(question.asked))
        self._check_readable()
        return self._by_model(question) if question.model else self._by_rules(question)

    def check(self, asked: Asked) -> Asked:
        """The question as it can be asked. Raises `BadInput` for an empty one, and one that is too long."""
        text, longest = asked.question.strip(), self.workspace.settings.max_question
        if not text:
            raise BadInput("The question is empty.", "Enter a question.")
        if len(text) > longest:
            raise BadInput(
                f"The question has {len(text):,} characters; the limit is {longest:,}.", "Shorten the question."
            )
        return replace(asked, question=text.encode("utf-8", "replace").decode())

    def _check_readable(self) -> None:
        if self.workspace.mirror.synced_at is not None:
            return
        status = self.workspace.sync()
        if status.down is not None and status.synced_at is None:
            raise GraphUnavailable("Asof cannot answer questions yet: it has not read the graph.", status.down)

    def _by_rules(self, question: AskRequest) -> AnswerOutcome:
        toolbox = self._toolbox(question.asked, READERS)
        answer = self._analyst().answer(question.asked, toolbox, question.topic)
        return self._finished(toolbox, answer, question.asked.question)

    def _by_model(self, question: AskRequest) -> AnswerOutcome:
        asked, when = self._dated(question.asked)
        settings = self.workspace.settings
        self.workspace.services.add_tools()
        tools = self.tools or tools_of(listed(settings.toolsets), writing=self.consent is not None)
        toolbox = self._toolbox(asked, tools, question.model)
        prompt = system_prompt(toolbox.tools.values(), toolbox.context)
        agent = ModelAgent(
            settings,
            toolbox,
            prompt,
            model=question.model,
            effort=question.effort,
            listener=self.listener,
            cancel=self.cancel,
        )
        spoken = agent.answer(asked, question.history)
        until = when.last if _is_one_period(when) else None
        answer = Answer(
            spoken.text,
            split(spoken.text),
            (),
            toolbox.context.at,
            False,
            until,
            when.phrase,
            topic=Topic(as_of=asked.as_of, known_at=asked.known_at),
            model=question.model,
            prompt_version=spoken.prompt_version,
            stop_reason=spoken.stop_reason,
        )
        outcome = self._finished(toolbox, replace(answer, follow_ups=self._follow_ups(toolbox, answer)), asked.question)
        return replace(
            outcome,
            blocks=spoken.blocks,
            problem=spoken.problem,
            hint=spoken.hint,
            stopped=spoken.state == "stopped",
            failure=spoken.failure,
        )

    def _follow_ups(self, toolbox: Toolbox, answer: Answer) -> tuple[str, ...]:
        """Questions about what the answer cites first."""
        cited = {n for sentence in answer.sentences for n in sentence.citations}
        facts = [one.fact for one in toolbox.evidence if one.n in cited and one.fact is not None]
        return about(toolbox.context.mirror, facts[0].source_uuid, answer.at)[:_FOLLOW_UPS] if facts else ()

    def _dated(self, asked: Asked) -> tuple[Asked, TimeFrame]:
        """The question with the clocks that its own words set; two dates to compare are left to the tools for that."""
        when = self._analyst().when(asked.question, self.workspace.mirror)
        named = when.first if when.way == "at" or _is_one_period(when) else None
        return replace(asked, as_of=named or asked.as_of, known_at=when.known_at or asked.known_at), when

    def _analyst(self) -> Analyst:
        try:
            declared = self.workspace.accounts.synonyms(self.workspace.name)
        except AccountsUnavailable as error:  # a question can do without
            _log.warning("no synonyms", problem=error.message)
            return Analyst()
        words = {kind: {name: tuple(words) for name, words in of.items()} for kind, of in declared.items()}
        return Analyst(Synonyms(words["types"], words["relations"]))

    def _finished(self, toolbox: Toolbox, answer: Answer, question: str) -> AnswerOutcome:
        """The answer with its sentences marked, what they cite, and the trace; without a claim it is none."""
        evidence = toolbox.evidence
        sentences = check(answer.sentences, evidence, answer.at, as_of_2=answer.as_of_2, question=question)
        cited = citations(toolbox.context.mirror, toolbox.evidence, sentences)
        declined = answer.declined or not any(sentence.mark for sentence in sentences)
        whole = replace(answer, sentences=sentences, citations=cited, declined=declined, calls=toolbox.calls)
        return AnswerOutcome(whole, toolbox.evidence)

    def _toolbox(self, asked: Asked, tools: Iterable[Tool], model: str = "") -> Toolbox:
        context = Context(self.workspace, asked.as_of, asked.known_at, model=model)
        return Toolbox(context, tools, self.on_call, self.consent)


def questions_about(workspace: OpenWorkspace, name: str) -> tuple[Offer, ...]:
    """Return what the rule-based analyst can be asked of an entity of that name."""
    return Answerer(workspace)._analyst().questions_about(name, workspace.mirror)


def _is_one_period(when: TimeFrame) -> bool:
    """True for a period that is no range: the two ends of one may be compared."""
    return when.way == "period" and when.second is None
