"""The only table of providers' finish reasons and their meaning. Case, punctuation and prefix are ignored:
`MAX_TOKENS`, `maxTokens` and `FinishReason.MAX_TOKENS` are one. A reason that is not in the table is flagged, never
guessed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from core.words import quoted


class Finish(Enum):
    """Meaning of a finish reason."""

    COMPLETE = auto()  # the model stopped by itself
    TRUNCATED = auto()  # token limit
    REFUSED = auto()  # the model declined, or a filter withheld the reply
    TOOLS = auto()  # the model called a tool, well-formed or not
    FAILED = auto()  # provider failure: there is no answer, and the request is repeated
    NOT_GIVEN = auto()  # some local servers and imported replies have none
    UNKNOWN = auto()  # not in this table


_REASONS: Mapping[Finish, tuple[str, ...]] = {
    Finish.COMPLETE: (
        "stop",  # OpenAI's chat completions API and compatible ones; Gemini's STOP
        *("end_turn", "stop_sequence"),  # Anthropic, "Handling stop reasons"; Amazon Bedrock, Converse
        "complete",  # Cohere, FinishReason
        *("eos", "eos_token", "stop_token"),  # Together AI; Hugging Face TGI; IBM watsonx
        *("endoftext", "finish", "finished", "completed"),  # AI21; Amazon Titan; OpenAI's Responses API
    ),
    Finish.TRUNCATED: (
        "length",  # OpenAI's API
        *("max_tokens", "model_context_window_exceeded"),  # Anthropic; Amazon Bedrock; Gemini; Z.ai
        "model_length",  # Mistral, ChatCompletionChoice
        "error_limit",  # Cohere: the model's context length was reached
        *("token_limit", "max_new_tokens", "max_length", "limit"),  # IBM watsonx; TGI; llama.cpp
        *("max_output_tokens", "max_completion_tokens", "incomplete"),  # OpenAI's Responses API, and proxies for it
        *("context_length", "context_length_exceeded", "context_window_exceeded"),  # vLLM, SGLang and LiteLLM
    ),
    Finish.REFUSED: (
        "content_filter",  # OpenAI's API; Azure
        *("refusal", "refused"),  # Anthropic
        *("content_filtered", "guardrail_intervened"),  # Amazon Bedrock, Converse; Amazon Titan
        "sensitive",  # Zhipu and Z.ai: withheld by the safety check
        "error_toxic",  # Cohere
        *("safety", "recitation", "blocklist", "prohibited_content", "spii", "language"),  # Gemini, FinishReason
        *("image_safety", "image_prohibited_content", "image_recitation", "model_armor", "jailbreak"),  # Vertex AI
        *("content_blocked", "content_policy_violation", "blocked", "moderation"),  # proxies
    ),
    Finish.TOOLS: (
        *("tool_calls", "function_call"),  # OpenAI's API
        *("tool_call", "tool_use"),  # Cohere; Anthropic
        *("malformed_function_call", "unexpected_tool_call", "too_many_tool_calls"),  # Gemini, FinishReason
        *("malformed_tool_use", "malformed_tool_call"),  # Amazon Bedrock, Converse
    ),
    Finish.FAILED: (
        "error",  # OpenRouter, "Errors"; Mistral; Cohere
        "insufficient_system_resource",  # DeepSeek, "Create chat completion"
        "network_error",  # Zhipu and Z.ai: the model's inference failed
        *("abort", "aborted"),  # vLLM and SGLang
        *("cancel", "canceled", "cancelled", "user_cancel"),  # Cohere; IBM watsonx
        *("timeout", "time_limit"),  # Cohere; IBM watsonx
        *("malformed_response", "malformed_model_output"),  # Gemini; Amazon Bedrock
        *("failed", "failure", "internal_error", "server_error", "upstream_error", "overloaded"),  # proxies
        *("rate_limit", "rate_limit_exceeded", "resource_exhausted", "service_unavailable", "unavailable"),
    ),
}


def _plain(reason: str) -> str:
    """Return `FinishReason.MAX_TOKENS` and `FINISH_REASON_MAX_TOKENS` as `maxtokens`."""
    letters = "".join(filter(str.isalnum, reason.rpartition(".")[2].casefold()))
    return letters.removeprefix("finishreason")


_MEANINGS = {_plain(reason): finish for finish, reasons in _REASONS.items() for reason in reasons}


def finish_of(reason: str) -> Finish:
    """Return the meaning of a finish reason.

    >>> finish_of("MAX_TOKENS"), finish_of("guardrail-intervened"), finish_of("pause_turn")
    (<Finish.TRUNCATED: 2>, <Finish.REFUSED: 3>, <Finish.UNKNOWN: 7>)
    """
    if not reason.strip():
        return Finish.NOT_GIVEN
    return _MEANINGS.get(_plain(reason), Finish.UNKNOWN)


UNKNOWN_REASON = "unknown finish reason"  # beginning of the flag of such a reply
MOST_SHOWN = 60  # characters of a reason shown in its flag


def flag_of(reason: str) -> str:
    """Return the flag of a reply with an unknown finish reason; empty if it is known."""
    return f"{UNKNOWN_REASON} {quoted(reason[:MOST_SHOWN])}" if finish_of(reason) is Finish.UNKNOWN else ""
