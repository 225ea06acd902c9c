"""Texts of request errors, with a remedy each."""

from __future__ import annotations

from collections.abc import Mapping

# `runs.endpoint.faults.RequestFault` → error and remedy.
FAULTS: Mapping[str, tuple[str, str]] = {
    "rate_limited": (
        "Rate limit reached",
        "Retried after a pause. Fewer requests per minute on the endpoint would help.",
    ),
    "quota": ("No credit left on the account", "Add credit at the provider, then resume the run."),
    "server_error": ("Provider error", "Retried automatically."),
    "timeout": ("No reply before the timeout", "Retried automatically. A longer timeout on the endpoint may help."),
    "deadline": (
        "Reply not complete before the timeout",
        "Retried automatically. A longer timeout on the endpoint may help.",
    ),
    "too_long": ("Reply larger than the maximum", "Raise the maximum reply size of the endpoint, then resume the run."),
    "not_reached": (
        "Server not reachable",
        "Nothing was sent. If the server has answered before, the run waits for it.",
    ),
    "connection": ("Connection lost", "Retried automatically."),
    "cut_off": ("Reply broken off", "Retried automatically."),
    "not_json": ("Reply is not JSON", "Check that the address is that of the API."),
    "html": ("Web page instead of a reply", "Check the address, and whether a proxy asks for a sign-in."),
    "no_choices": ("Reply without choices", "Retried automatically."),
    "no_content": ("Empty reply", "Retried automatically."),
    "bad_shape": ("Reply in an unknown format", "Check that the address is that of the API."),
    "bad_request": ("Request rejected by the provider", "The example gives the reason, often a parameter."),
    "unauthorised": ("Key missing or rejected", "Set the key in the environment of the worker, then resume the run."),
    "not_found": (
        "Model or address not found",
        "Correct the model ID on the model card, or the address of the endpoint.",
    ),
}


def what_happened(kind: str) -> str:
    return FAULTS[kind][0] if kind in FAULTS else kind.replace("_", " ")


def what_helps(kind: str) -> str:
    return FAULTS[kind][1] if kind in FAULTS else ""
