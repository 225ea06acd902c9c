"""Detection of refusals: a closed list of sentences that servers without a field for refusals send as the answer.

Providers with such a field report it themselves (`message.refusal`, finish reason `content_filter`). Only an answer
that contains nothing else is a refusal: an optional apology, one sentence of the list, an optional offer of other help.
Anything more, such as an explanation or half an object, makes it an answer. "I cannot determine the sign" is an answer
too, and a wrong one.
"""

from __future__ import annotations

from itertools import product

from protocols.replies.json_in_text import without_reasoning

MOST_CHARACTERS = 400  # longer than any sentence of the list with apology and offer
_APOLOGIES = (
    "sorry",
    "i'm sorry",
    "i'm really sorry",
    "i'm very sorry",
    "i'm so sorry",
    "i apologize",
    "apologies",
    "my apologies",
    "unfortunately",
)
_OPENINGS = tuple(f"{apology}{join}" for apology, join in product(_APOLOGIES, (", but ", " but ", ", ", ". ")))
_WHO = ("i can't", "i'm not able to", "i won't")
_VERBS = ("help with", "help you with", "assist with", "assist you with", "comply with", "fulfill", "do")
_OBJECTS = ("that", "this", "that request", "this request", "your request", "the request")
_OTHERS = (
    "complete that request",
    "complete this request",
    "complete your request",
    "process that request",
    "process this request",
    "process your request",
    "continue with that request",
    "continue with this request",
    "continue this conversation",
    "discuss that",
    "discuss this",
    "discuss that topic",
    "discuss this topic",
)
_SENTENCES = frozenset(
    [f"{who} {verb} {what}" for who, verb, what in product(_WHO, _VERBS, _OBJECTS)]
    + [f"{who} {what}" for who, what in product(_WHO, _OTHERS)]
    + [
        "i'm just a language model, so i can't help you with that",
        "i'm just a language model, so i can't help with that",
        "i'm only a language model, so i can't help you with that",
        "i'm only a language model, so i can't help with that",
        "as a language model, i'm not able to assist you with that",
        "as a language model, i can't help with that",
        "as an ai language model, i can't help with that",
        "i'm not able to help with that, as i'm only a language model",
        "i'm a text-based ai, and that is outside of my capabilities",
        "i'm designed solely to process and generate text, so i'm not able to assist you with that",
        "i'm not programmed to assist with that",
    ]
)
_OFFERS = (
    "is there anything else i can help you with",
    "is there anything else i can help with",
    "is there anything else i can assist you with",
    "is there something else i can help you with",
    "is there something else i can help with",
    "can i help you with something else",
    "can i help with something else",
    "how else can i help you",
    "let me know if there's anything else i can help you with",
    "let me know if there is anything else i can help you with",
)
_SAME = (
    ("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    ("\N{LEFT SINGLE QUOTATION MARK}", "'"),
    ("cannot", "can't"),
    ("can not", "can't"),
    ("unable to", "not able to"),
    ("will not", "won't"),
    ("i am ", "i'm "),
    ("apologise", "apologize"),
    ("fulfil ", "fulfill "),
)
"""Spellings of the same words: each is read as the second."""


def is_declined(text: str) -> bool:
    """Return True if an answer is a sentence of the list and nothing else. Reasoning before it, quotes, case and
    spelling are ignored.

    >>> is_declined("I'm sorry, but I cannot help with that.")
    True
    >>> is_declined("I'm sorry, but I cannot help with that. My best guess is +.")
    False
    """
    whole = without_reasoning(text).strip()
    if len(whole) > MOST_CHARACTERS:
        return False
    sentence = " ".join(whole.lower().split())
    for spelling, same in _SAME:
        sentence = sentence.replace(spelling, same)
    sentence = sentence.strip("\"'“”«»*_` .!?")
    for offer in _OFFERS:
        if sentence.endswith(f". {offer}"):
            sentence = sentence.removesuffix(offer).rstrip(" .")
            break
    if sentence in _SENTENCES:
        return True
    if not sentence.startswith(_OPENINGS):
        return False
    return any(sentence.startswith(opening) and sentence.removeprefix(opening) in _SENTENCES for opening in _OPENINGS)
