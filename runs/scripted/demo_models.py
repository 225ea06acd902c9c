"""Three scripted models for EconCausal's questions, and for what the modules imported here answer.

    demo:copier   repeats the sign that the examples show most (the first of equals); `+` where no example is shown
    demo:reader   counts rising and falling words in the context, leans to `+`, says `unknown` without a context
    demo:talker   reads like demo:reader, but talks: fences, prose, think-blocks, sometimes nothing that can be read

They know nothing of economics. Answers depend on the message only, so that a run can be repeated.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256

from runs.scripted.claim_answers import claim_answer
from runs.scripted.graph_answers import HABITS, graph_question
from runs.scripted.paper_answers import answer_of_paper
from runs.scripted.replies import AskedRequest, ScriptedAnswer
from runs.scripted.text_graphs import drawn_graph

LABELS = ("+", "-", "None", "mixed")
# A line with an example's sign: `Result: +` in this program's prompts, `Sign: +` in the published ones.
SHOWN = re.compile(
    r"^\W*(?:\w+ )?(?:sign|result)\W*?[:=]\s*[\"'`“]?(\+|-|−|none\b|mixed\b)", re.IGNORECASE | re.MULTILINE
)
HEADED = re.compile(r"^#+[^\n]*\bcontext\b[^\n]*\n(.*?)(?=^#|\Z)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
LABELLED = re.compile(
    r"^(?:setting|context):(.*?)(?=^\s*(?:treatment|outcome|result|sign|setting|context):|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
RISING = re.compile(
    r"\b(?:increas|rais|rise|rising|expan|grow|gain|improv|higher|boost|more|positive)\w*", re.IGNORECASE
)
FALLING = re.compile(
    r"\b(?:decreas|declin|reduc|lower|fall|fell|cut|loss|worsen|shrink|less|negative)\w*", re.IGNORECASE
)
VARYING = re.compile(r"\b(?:heterogen|var[iy]|differ|depend|while|whereas)\w*", re.IGNORECASE)
MANY = 3  # words of difference in a context that make it `mixed`
LEAN = ((0.6, "+"), (0.85, "-"), (1.0, "None"))  # upper chance and sign, where the words are even


def _chance(message: str, purpose: str) -> float:
    """Return a number in [0, 1) that depends on the message and the purpose only."""
    return int(sha256(f"{purpose}\n{message}".encode("utf-8", "surrogatepass")).hexdigest()[:12], 16) / 16**12


def shown_signs(message: str) -> tuple[str, ...]:
    words = {"−": "-", "none": "None", "mixed": "mixed"}
    return tuple(words.get(sign.lower(), sign) for sign in SHOWN.findall(message))


def context_of(message: str) -> str:
    """Return the last context of the prompt, under a heading or behind a label; empty without one."""
    contexts = HEADED.findall(message) or LABELLED.findall(message)
    return str(contexts[-1]).strip() if contexts else ""


def read_sign(message: str) -> str:
    context = context_of(message)
    if not context:
        may_be_unknown = re.search(r"[\"'`“]unknown[\"'`”]", message, re.IGNORECASE) is not None
        return "unknown" if may_be_unknown and _chance(message, "unknown") < 0.8 else "+"
    lead = len(RISING.findall(context)) - len(FALLING.findall(context))
    if lead:
        return "+" if lead > 0 else "-"
    if len(VARYING.findall(context)) >= MANY:
        return "mixed"
    draw = _chance(message, "lean")
    return next(sign for share, sign in LEAN if draw < share)


def _chances(label: str, message: str) -> Mapping[str, float]:
    """Return probabilities with the label first: over-confident, like those of many models."""
    own = 0.55 + 0.44 * _chance(message, "confidence")
    others = [other for other in LABELS if other != label]
    weights = [0.1 + _chance(message, f"other {other}") for other in others]
    return {
        label: own,
        **{other: (1 - own) * weight / sum(weights) for other, weight in zip(others, weights, strict=True)},
    }


def _answer_text(sign: str, reasoning: str) -> str:
    return json.dumps({"predicted_sign": sign, "reasoning": reasoning}, ensure_ascii=False)


def _copier(request: AskedRequest) -> ScriptedAnswer:
    shown = shown_signs(request.message)
    sign = Counter(shown).most_common(1)[0][0] if shown else "+"
    text = _answer_text(sign, "The examples show this sign.")
    return ScriptedAnswer(text=text, label=sign, chances=_chances(sign, request.message))


def _reader(request: AskedRequest) -> ScriptedAnswer:
    sign = read_sign(request.message)
    text = _answer_text(sign, "The context speaks of it in these words.")
    return ScriptedAnswer(
        text=text, label=sign, chances=_chances(sign, request.message), usage={"cached": len(request.message) // 16}
    )


def _talker(request: AskedRequest) -> ScriptedAnswer:
    sign = read_sign(request.message)
    text = _answer_text(sign, "It follows from the setting.")
    return replace(_talked(request, text, sign), label=sign, chances=_chances(sign, request.message))


def _talked(request: AskedRequest, text: str, label: str) -> ScriptedAnswer:
    draw = _chance(request.message, "manner")
    odds = 0.0
    for share, manner in MANNERS:
        odds += share
        if draw < odds:
            return manner(text, label)
    return ScriptedAnswer(text=f"```json\n{text}\n```")


# Share of messages → how the answer is given; the others are a plain fence.
MANNERS: tuple[tuple[float, Callable[[str, str], ScriptedAnswer]], ...] = (
    (
        0.30,
        lambda text, sign: ScriptedAnswer(
            text=f"Let me consider the setting first.\n\n```json\n{text}\n```\nHappy to explain more."
        ),
    ),
    (
        0.10,
        lambda text, sign: ScriptedAnswer(
            text=f"<think>Could be '{sign}', or perhaps 'mixed'.</think>\n{text}", usage={"reasoning": 12}
        ),
    ),
    (0.08, lambda text, sign: ScriptedAnswer(text=text.replace('"}', '",}'))),
    (0.06, lambda text, sign: ScriptedAnswer(text="It depends on many things; economists disagree.")),
    (0.03, lambda text, sign: ScriptedAnswer(text=text.replace(f'"{sign}"', '"rather positive"'))),
    (0.03, lambda text, sign: ScriptedAnswer(text=text[: len(text) // 3], finish_reason="length")),
    (0.02, lambda text, sign: ScriptedAnswer(text=None, refusal="I would rather not judge this paper.")),
)


def _answer_any(
    name: str, of_signs: Callable[[AskedRequest], ScriptedAnswer]
) -> Callable[[AskedRequest], ScriptedAnswer]:
    def answered(request: AskedRequest) -> ScriptedAnswer:
        whole = drawn_graph(request.message, name) or answer_of_paper(request, name)
        if whole is not None:
            return whole
        claim = claim_answer(request.message, name)
        if claim is not None:
            return _talked(request, *claim) if name == "talker" else ScriptedAnswer(text=claim[0], label=claim[1])
        question = graph_question(request.message)
        return of_signs(request) if question is None else HABITS[name](question)

    return answered


MODELS: Mapping[str, Callable[[AskedRequest], ScriptedAnswer]] = {
    "demo:copier": _answer_any("copier", _copier),
    "demo:reader": _answer_any("reader", _reader),
    "demo:talker": _answer_any("talker", _talker),
    "demo:chatty": _answer_any("talker", _talker),  # its ID in demo studies that were made earlier
}
