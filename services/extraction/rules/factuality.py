"""Whether a clause is told as a fact: not denied, wished, supposed, asked, ordered, or heard from others."""

import re
from typing import TYPE_CHECKING, Literal

from services.extraction.rules.frames import Frame
from services.extraction.rules.name_boundaries import original_text
from services.extraction.rules.word_categories import known
from services.language.changes import stopping_verbs

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Judgement = Literal["fact", "over", "planned", "none"]
_MODALS = ("may", "might", "could", "would", "should", "must", "shall", "ought", "'d", "can", "wo")
_CONDITIONS = ("if", "unless", "whether", "assuming", "supposing", "lest", "provided", "until", "till")
_OPENERS = (
    "suppose",
    "imagine",
    "assume",
    "assuming",
    "if",
    "supposing",
    "pretend",
    "say",
    "consider",
    "unless",
    "whether",
)
_NEGATIONS = ("not", "n't", "never", "no", "neither", "nor", "hardly", "scarcely", "without", "barely", "nobody")
_STARTS = (
    "start",
    "begin",
    "continue",
    "keep",
    "go",
    "come",
    "help",
    "use",
    "know",
    "remain",
    "proceed",
    "return",
    "manage",
    "happen",
    "serve",
    "get",
    "end",
    "finish",
    "spend",
    "stop",
    "quit",
    "cease",
    "confirm",
    "resume",
    "leave",
    "join",
    "move",
    "step",
    "resign",
    "retire",
    "be",
    "appoint",
    "hire",
    "name",
    "elect",
)
_TELLING = (
    "say",
    "report",
    "announce",
    "confirm",
    "note",
    "explain",
    "add",
    "write",
    "tell",
    "state",
    "recall",
    "know",
    "mention",
    "remember",
    "reveal",
    "show",
    "learn",
    "find",
    "discover",
    "see",
    "mean",
    "notice",
)
_COMPLEMENTS = ("xcomp", "ccomp", "advcl", "acl", "pcomp", "csubj", "oprd")
_PREPOSITIONS = ("without", "instead", "despite", "for", "of", "about", "towards", "at", "in", "from")
_HEARSAY_VERBS = (
    "say",
    "believe",
    "think",
    "rumour",
    "rumor",
    "allege",
    "report",
    "expect",
    "suppose",
    "claim",
    "suspect",
)


def judged(frame: Frame) -> Judgement:
    """How a clause is told. "over": it was so, and is no longer; "planned" is a fact only with a date."""
    token = frame.verb
    judgement: Judgement = _of_verb(frame.verb, frame)
    while judgement != "none" and token.head != token:
        judgement = _through(token, judgement)
        token = token.head
    return judgement


def is_question(sentence: "Span") -> bool:
    """True when a sentence asks."""
    return original_text(sentence).rstrip(" \"'”)").endswith("?")


def is_supposed(sentence: "Span") -> bool:
    """True when a sentence opens a supposition, or tells hearsay as such."""
    words = [token.lower_ for token in sentence if not token.is_punct]
    if not words or words[0] in _OPENERS:
        return bool(words) and words[0] in ("suppose", "imagine", "assume", "supposing", "pretend", "assuming")
    return _RUMOUR.search(original_text(sentence)) is not None


_RUMOUR = re.compile(
    r"\b(?:there(?:'s| is) talk of|rumou?r has it|for example|e\.g\.|in theory(?! of)|word (?:is|has it)\b"
    r"|whispers (?:of|that)|on his way out|would have us believe|rumou?rs that|rumou?red|what if|speculation)",
    re.IGNORECASE,
)


_UNSURE = frozenset(("may", "might", "could", "would", "should"))
_IF = re.compile(
    r"\b(?:if|unless|whether|provided that|assuming that|in the event|in case|subject to|pending|on condition"
    r"|permitting)\b"
    r"|^(?:should|had|were) [^?]*,",
    re.IGNORECASE,
)


def is_doubtful(sentence: "Span", verb: "Token | None") -> bool:
    """True for what a verb tells under a condition, as a plan, a wish or hearsay, or in a question."""
    if is_question(sentence) or is_supposed(sentence) or is_conditional(sentence):
        return True
    return verb is not None and any(_supposes(token) for token in (verb, *verb.ancestors))


def _supposes(token: "Token") -> bool:
    """True for a verb with "might" or "allegedly", below a wish or a plan, or below a noun for one."""
    helpers = {child.lower_ for child in token.children if child.dep_ == "aux" and child.tag_ == "MD"}
    below = token.dep_ in _COMPLEMENTS and (
        token.head.lemma_ in known("denies") or token.head.lemma_.lower() in known("hope") or _is_hearsay(token.head)
    )
    return below or bool(helpers & _UNSURE) or _has_hearsay(token)


def is_conditional(sentence: "Span") -> bool:
    """True for a sentence with a condition in it: "unless the board objects", "Should she leave, ..."."""
    return _IF.search(original_text(sentence)) is not None


def is_denied(token: "Token") -> bool:
    """True for a word with "no", "not" or "never" of its own."""
    return any(
        child.dep_ == "neg" or (child.lower_ in _NEGATIONS and child.dep_ in ("det", "advmod", "neg", "preconj"))
        for child in token.children
    )


def is_no_longer(verb: "Token") -> bool:
    """True for "no longer" and "not any more"."""
    for child in verb.children:
        if child.lower_ == "longer" and (child.i and child.doc[child.i - 1].lower_ == "no"):
            return True
        if child.lower_ in ("anymore", "more") and any(c.dep_ == "neg" for c in verb.children):
            return True
    return False


def _of_verb(verb: "Token", frame: Frame) -> Judgement:
    if is_no_longer(verb):
        return "over"
    if verb.lemma_ in ("like", "enjoy") and is_denied(verb) and not any(c.tag_ == "MD" for c in verb.children):
        return "fact"
    if is_denied(verb) or _has_hearsay(verb) or any(_is_nobody(one) for one in (*frame.surface, *frame.subjects)):
        return "none"
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if any(helper.lower_ in _MODALS and helper.tag_ == "MD" for helper in helpers):
        return "none"
    if any(child.lower_ in _CONDITIONS and child.dep_ == "mark" for child in verb.children):
        return "none"
    if any(helper.lower_ in ("will", "'ll", "wo") for helper in helpers):
        return "planned"
    if verb.dep_ == "ROOT" and verb.tag_ == "VB" and not frame.surface:
        return "none"
    if not frame.surface and verb.tag_ == "VB" and verb.dep_ in ("conj", "dep") and not helpers:
        return "none"
    return "fact"


def _is_nobody(token: "Token") -> bool:
    return token.lower_ in ("nobody", "none", "neither", "nothing") or any(
        child.lower_ in ("no", "neither", "few") and child.dep_ in ("det", "amod") for child in token.children
    )


def _has_hearsay(verb: "Token") -> bool:
    return any(child.lower_ in known("hearsay") and child.dep_ in ("advmod", "acomp") for child in verb.children)


def _through(token: "Token", judgement: Judgement) -> Judgement:
    """What the clause above makes of one below it."""
    head, dep = token.head, token.dep_
    if dep == "conj" and token.pos_ == "VERB":
        return _joined(token, head, judgement)
    if dep in _COMPLEMENTS:
        return (
            _below_noun(token, head, judgement) if head.pos_ not in ("VERB", "AUX") else _complement(token, judgement)
        )
    if dep == "prep" and token.lower_ in _PREPOSITIONS:
        return "none" if any(c.dep_ == "pcomp" and c.pos_ == "VERB" for c in token.children) else judgement
    if dep == "relcl" and (_is_generic(head) or (head.dep_ == "attr" and is_denied(head.head))):
        return "none"
    return judgement


def _joined(token: "Token", head: "Token", judgement: Judgement) -> Judgement:
    """A later verb of a list has the modal and the "to" of the first: "may join and lead"."""
    shares = not any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children) and token.tag_ == "VB"
    if shares and any(c.dep_ == "aux" and c.tag_ in ("MD", "TO") for c in head.children):
        return "planned" if _is_future(head) else "none"
    return judgement


def _below_noun(token: "Token", head: "Token", judgement: Judgement) -> Judgement:
    """ "a plan to join", "rumours that she left"; "a library written in Go" is a fact."""
    if head.lemma_.lower() in known("hope"):
        return "none"
    purpose = _is_infinitive(token) and token.dep_ in ("acl", "advcl", "xcomp") and head.pos_ != "PROPN"
    return "none" if purpose else judgement


def _complement(token: "Token", judgement: Judgement) -> Judgement:
    """What a verb makes of a clause below it."""
    head, dep = token.head, token.dep_
    if dep in ("xcomp", "ccomp", "csubj"):
        return _of_content(token, head, judgement)
    if dep in ("advcl", "acl") and (_is_infinitive(token) or _is_future(head) or _has_aux(head, ("would",))):
        return "none"
    conditional = any(c.lower_ in _CONDITIONS[:8] and c.dep_ == "mark" for c in token.children)
    return "none" if dep == "advcl" and conditional else judgement


def _of_content(token: "Token", head: "Token", judgement: Judgement) -> Judgement:
    """What is said, wanted, begun, stopped or proposed."""
    to = _is_infinitive(token) and token.dep_ == "xcomp"
    if head.lemma_ in stopping_verbs() and token.dep_ != "csubj":
        return "over" if judgement == "fact" else "none"
    if head.lemma_ == "use" and to and head.tag_ in ("VBD", "VBN"):
        return "over"
    if head.lemma_ in ("propose", "suggest", "recommend") and _is_document(head):
        return judgement
    unsure = head.lemma_ in known("denies") or _is_hearsay(head) or (is_denied(head) and not is_no_longer(head))
    if unsure or (token.dep_ != "csubj" and _has_modal(head)):
        return "none"
    if to and head.lemma_ == "be" and any(c.lemma_ in known("hope") for c in head.children if c.dep_ == "nsubj"):
        return "none"
    if to and (_is_future(head) or head.lemma_ == "be"):
        return "planned"
    return judgement if not to or head.lemma_ in _STARTS else "none"


def _is_infinitive(verb: "Token") -> bool:
    return any(c.dep_ == "aux" and c.lower_ == "to" for c in verb.children)


def _has_aux(verb: "Token", words: tuple[str, ...]) -> bool:
    return any(c.dep_ == "aux" and c.lower_ in words for c in verb.children)


def _is_future(verb: "Token") -> bool:
    return _has_aux(verb, ("will", "'ll"))


def _has_modal(verb: "Token") -> bool:
    return any(c.dep_ == "aux" and c.lower_ in _MODALS and c.tag_ == "MD" for c in verb.children)


def _is_document(verb: "Token") -> bool:
    """True for "this PEP proposes adding": what a proposal proposes is what it introduces."""
    subjects = [child for child in verb.children if child.dep_ == "nsubj"]
    return any(s.lower_ in known("document") | {"microsoft", "it"} for s in subjects)


def _is_hearsay(head: "Token") -> bool:
    """ "is said to", "is alleged that": hearsay; "said that" with someone who says it is a fact."""
    return head.lemma_ in _HEARSAY_VERBS and any(c.dep_ in ("auxpass", "nsubjpass") for c in head.children)


def _is_generic(noun: "Token") -> bool:
    return noun.lower_ in known("generic") and noun.pos_ in ("NOUN", "PRON")
