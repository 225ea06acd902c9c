"""What went wrong with requests, in words a person can act on."""

from __future__ import annotations

from collections.abc import Mapping

FAULTS: Mapping[str, tuple[str, str]] = {
    "rate_limited": ("Asked too often", "Asked again after a wait; fewer requests a minute on the endpoint help."),
    "quota": ("The account has no money left", "Top the account up with the provider, then resume."),
    "server_error": ("The provider failed", "It is asked again by itself."),
    "timeout": ("No answer in time", "It is asked again; the endpoint's deadline can be longer."),
    "deadline": ("The answer did not end in time", "It is asked again; the endpoint's deadline can be longer."),
    "too_long": ("The answer is larger than the endpoint may send", "Raise the endpoint's most bytes, then resume."),
    "not_reached": ("The server could not be reached", "Nothing was sent. A run waits if it has answered before."),
    "connection": ("The connection was lost", "It is asked again by itself."),
    "cut_off": ("The connection was lost amid an answer", "It is asked again by itself."),
    "not_json": ("The answer is no JSON", "Is the address the one of the API?"),
    "html": ("A web page came in place of an answer", "Is the address the one of the API, or a sign-in in between?"),
    "no_choices": ("The answer has no content list", "It is asked again by itself."),
    "no_content": ("The answer is empty", "It is asked again by itself."),
    "bad_shape": ("The answer is not of this API", "Is the address the one of the API?"),
    "bad_request": ("The provider does not take the request", "The example says why; often it is a parameter."),
    "unauthorised": ("The key is missing or refused", "Set it in the worker's environment, then resume."),
    "not_found": ("No such model, or no such address", "Correct the model's name on its card, or the address."),
}
"""By `runs.endpoint.faults.RequestFault`: what happened, and what helps."""


def what_happened(kind: str) -> str:
    return FAULTS[kind][0] if kind in FAULTS else kind.replace("_", " ")


def what_helps(kind: str) -> str:
    return FAULTS[kind][1] if kind in FAULTS else ""
