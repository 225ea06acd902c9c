"""The only table of the marks that models put around reasoning, and detection of where reasoning ends. Servers remove
the marks if started with the parser of the model's family. Case is ignored."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ATTRIBUTES = r"(?:\s[^<>]*)?"
_NAMESPACE = r"(?:[\w.]{1,20}[:_])?"  # <seed:think>, <mm:think>, <longcat_think>, <ant_thinking>
_THINK = r"(?:think(?:ing)?|thoughts?|antthinking|inner_monologue)"
_REASON = r"(?:reasoning|reasons?|analysis|reflections?|rationale|scratchpad|chain_of_thought|cot)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingMarks:
    """Patterns of the marks before and after reasoning."""

    opening: str
    closing: str
    # The closing mark alone ends reasoning: chat templates of such models end with the opening one
    closes_alone: bool = True
    is_aside: bool = False  # the same marks also enclose a reason after an answer, which does not end the answer
    is_first: bool = False  # plain words: an opening mark only at the beginning of a reply


MARKS: tuple[ThinkingMarks, ...] = (
    # Sky-T1, OpenThinker, Cohere Command A Reasoning, PLaMo 3 (Open WebUI, llama.cpp, vLLM)
    ThinkingMarks(
        opening=rf"<\|?(?:plamo:)?(?:begin|start)_(?:of_)?{_THINK}(?::plamo)?\|?>",
        closing=rf"<\|?(?:plamo:)?(?:end|stop)_(?:of_)?{_THINK}(?::plamo)?\|?>",
    ),
    # DeepSeek R1, Qwen, GLM, MiniMax, Nemotron: <think>; EXAONE Deep: <thought>; Anthropic's examples: <thinking>;
    # ByteDance Seed-OSS: <seed:think>; LongCat: <longcat_think>; Solar Open: <|think|> (vLLM, llama.cpp)
    ThinkingMarks(
        opening=rf"< ?[|｜]?{_NAMESPACE}{_THINK}{_ATTRIBUTES}[|｜]?>",
        closing=rf"< ?[|｜]?/ ?[|｜]?{_NAMESPACE}{_THINK}\s*[|｜]?>",
    ),
    # Mistral Magistral (vLLM, mistral_reasoning_parser)
    ThinkingMarks(opening=rf"\[{_THINK}\]", closing=rf"\[/{_THINK}\]"),
    # Moonshot Kimi-VL and Kimi K2 Thinking (LLaMA-Factory, NVIDIA Dynamo)
    ThinkingMarks(opening="◁think▷", closing="◁/think▷"),
    # OpenAI gpt-oss, the harmony format; a message to a tool (commentary) is no answer either
    ThinkingMarks(
        opening=r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*(?:analysis|commentary)\b[^<]*(?:<\|message\|>)?",
        closing=r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?(?:<\|message\|>)?",
    ),
    # The same where the server drops special tokens: "analysisWe need …assistantfinal{…}"
    ThinkingMarks(opening=r"analysis(?=\w)", closing=r"assistantfinal(?:json)?", is_first=True),
    # Gemma 4 and MedGemma
    ThinkingMarks(opening=r"<\|channel>\s*thought\b|<unused94>\s*thought\b", closing=r"<channel\|>|<unused95>"),
    # Apertus; Pangu
    ThinkingMarks(opening=r"<\|inner_prefix\|>|\[unused16\]", closing=r"<\|inner_suffix\|>|\[unused17\]"),
    # ServiceNow Apriel; IBM Granite 3.2
    ThinkingMarks(opening=r"here are my reasoning steps:", closing=r"\[BEGIN FINAL RESPONSE\]", is_first=True),
    ThinkingMarks(
        opening=r"here(?: is|'s) my thought process:",
        closing=r"here(?: is|'s) my response:",
        closes_alone=False,
        is_first=True,
    ),
    # Marks of prompts and fine-tuned models; Open WebUI takes <reason> and <reasoning> for reasoning too
    ThinkingMarks(
        opening=rf"<{_NAMESPACE}{_REASON}{_ATTRIBUTES}>",
        closing=rf"</{_NAMESPACE}{_REASON}\s*>",
        closes_alone=False,
        is_aside=True,
    ),
    ThinkingMarks(opening=rf"\[{_REASON}\]", closing=rf"\[/{_REASON}\]", closes_alone=False, is_first=True),
)
_END_OF_MESSAGE = r"<\|end\|>(?!\s*(?:<\|(?:start|channel)\|>|\Z))"
"""Ends open reasoning if something other than a further message follows."""
_EVERY = re.compile(
    # The lookahead skips positions where no mark can begin.
    r"(?=<[|｜/ \w]|\[[/a-z]|◁|analysis\w|assistantfinal|here[ '])(?:"
    + "|".join(f"(?P<o{place}>{each.opening})|(?P<c{place}>{each.closing})" for place, each in enumerate(MARKS))
    + f"|(?P<end>{_END_OF_MESSAGE}))",
    re.IGNORECASE,
)
_LONGEST_BEGINNING = 100  # length of the longest beginning of an answer
_ENDS = ("<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "</s>")
"""Special tokens at the end of a message, removed by servers that know the model's format."""


@dataclass(frozen=True, slots=True)
class ReasoningPlace:
    """Position of the reasoning in a reply."""

    end: int  # end of the last closed reasoning; 0 without any
    open_at: int | None  # start of reasoning that never ends


def find_reasoning(text: str, answer: re.Pattern[str]) -> ReasoningPlace:
    """Return the position of a reply's reasoning, in linear time. `answer` matches the beginning of an answer."""
    end, opened = 0, None
    family: ThinkingMarks | None = None
    first = len(text) - len(text.lstrip())
    is_answered, searched = False, 0  # an answer begins between `end` and `searched`
    for mark in _EVERY.finditer(text):
        name, start = mark.lastgroup or "", mark.start()
        if name == "end":
            closes = opened is not None
        else:
            marks = MARKS[int(name[1:])]
            closes = name[0] == "c" and (marks.closes_alone or (opened is not None and marks is family))
            if name[0] == "o" and opened is None and (start <= first or not marks.is_first):
                if marks.is_aside:  # after an answer it is a reason for it; only new text is searched: linear time
                    is_answered = (
                        is_answered or answer.search(text, max(end, searched - _LONGEST_BEGINNING), start) is not None
                    )
                    searched = start
                if not (marks.is_aside and is_answered):
                    opened, family = start, marks
        if closes:
            end, opened, family, is_answered, searched = mark.end(), None, None, False, mark.end()
    return ReasoningPlace(end, opened)


def without_marks(text: str) -> str:
    return without_end_marks(_EVERY.sub("", text)).strip()


def without_end_marks(text: str) -> str:
    """Remove the special tokens that end a message."""
    for _ in _ENDS:
        rest = text.rstrip()
        end = next((each for each in _ENDS if rest.endswith(each)), "")
        if not end:
            break
        text = rest.removesuffix(end).rstrip()
    return text
