"""Choice of the reply to each request: built-in models by name, planted answers, and rules with faults.

A request's model name decides first:

    scripted:plus      always `+`;  `scripted:minus`, `scripted:none`, `scripted:mixed` likewise
    scripted:cycle     a label of the four by the message's hash: the same message gets the same label
    scripted:echo      the message itself
    fault:NAME[:ARG]   a fault every time (FAULTS in `runs/scripted/replies.py`); `fault:rate_limited:2` waits 2 s
    demo:…, texts:…, judge:…   models that the caller adds (`runs/scripted/client.py`)

A script (JSON) plants more, for any model name:

    {"latency_ms": 20, "cache_block": 512,
     "answers": {"MODEL": {"SHA-256 of the user message": "raw answer" or {…as a rule's effect}}},
     "rules": [{"model": "regex", "matches": "regex on the user message", "sha256": ["…"], "share": 0.1, "seed": 1,
                "times": 2, "answer": "text" | "sign": "+" | "fault": "NAME[:ARG]", "latency_ms": 5,
                "chances": {"+": 0.7}, "usage": {"cached": 10} | null, "reasoning": "…", "finish_reason": "length"}]}

The first matching rule wins; then planted answers; then the built-in models. `times` counts per message: with `"times":
2, "fault": "server_error"` the first two tries of each message fail and the third gets its answer. `share` selects that
share of all messages by hash. After a rule with only `latency_ms` the next one applies too. With `cache_block` a model
remembers the beginnings of its requests, in blocks of that many bytes, and its usage reports the cached tokens of a
request.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from runs.scripted.replies import (
    FAULTS,
    AskedRequest,
    PlannedReply,
    ScriptedAnswer,
    completion_plan,
    error_plan,
    fault_plan,
    whole_text,
)

SIGNS = ("+", "-", "None", "mixed")
FIXED = {"scripted:plus": "+", "scripted:minus": "-", "scripted:none": "None", "scripted:mixed": "mixed"}
BUILT_IN = (*FIXED, "scripted:cycle", "scripted:echo")
ScriptedModels = Mapping[str, Callable[[AskedRequest], ScriptedAnswer]]  # name → function from a request to its answer
EFFECTS = ("answer", "sign", "fault", "latency_ms", "chances", "usage", "reasoning", "refusal", "finish_reason")
TESTS = ("model", "matches", "sha256", "share", "seed", "times")


def sign_text(sign: str) -> str:
    """Return the answer to a prompt that asks for a sign."""
    return json.dumps({"predicted_sign": sign, "reasoning": "Planted by the script."}, ensure_ascii=False)


@dataclass(kw_only=True)
class ScriptRule:
    """One element of `rules`; `used` counts its uses per message."""

    effect: Mapping[str, Any]
    model: re.Pattern[str] | None = None
    matches: re.Pattern[str] | None = None
    hashes: frozenset[str] = frozenset()
    share: float | None = None
    seed: int = 0
    times: int | None = None
    used: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def from_json(rule: Mapping[str, Any]) -> ScriptRule:
        unknown = set(rule) - {*EFFECTS, *TESTS}
        if unknown:
            raise ValueError(f"a rule has the unknown field {sorted(unknown)[0]!r}")
        checked_fault(rule)
        hashes = rule.get("sha256", [])
        return ScriptRule(
            effect={name: rule[name] for name in EFFECTS if name in rule},
            model=re.compile(rule["model"]) if "model" in rule else None,
            matches=re.compile(rule["matches"]) if "matches" in rule else None,
            hashes=frozenset([hashes] if isinstance(hashes, str) else hashes),
            share=rule.get("share"),
            seed=rule.get("seed", 0),
            times=rule.get("times"),
        )

    def fits(self, request: AskedRequest) -> bool:
        """Return whether the rule applies now; if so, count the use."""
        if self.model is not None and not self.model.fullmatch(request.model):
            return False
        if self.hashes and request.message_sha256 not in self.hashes:
            return False
        if self.matches is not None and not self.matches.search(request.message):
            return False
        if self.share is not None and chance_of(request.message_sha256, f"rule {self.seed}") >= self.share:
            return False
        if self.times is not None and self.used[request.message_sha256] >= self.times:
            return False
        self.used[request.message_sha256] += 1
        return True


def checked_fault(effect: Mapping[str, Any]) -> None:
    """Raise ValueError for an unknown fault when the script is read, not when it is used."""
    if "fault" in effect and str(effect["fault"]).partition(":")[0] not in FAULTS:
        raise ValueError(f"no such fault: {effect['fault']!r}; there are {', '.join(FAULTS)}")


def chance_of(message_sha256: str, purpose: str) -> float:
    """Return a number in [0, 1) that depends on the message and the purpose only."""
    return int(sha256(f"{purpose} {message_sha256}".encode()).hexdigest()[:12], 16) / 16**12


@dataclass
class PrefixCache:
    """A provider's cache of the beginnings of requests, in whole blocks of `block` bytes (0: none)."""

    block: int = 0
    seen: set[tuple[str, bytes]] = field(default_factory=set)

    def cached(self, request: AskedRequest) -> int:
        """Return the cached bytes of the request; afterwards all of its whole blocks are cached."""
        if not self.block:
            return 0
        text = whole_text(request).encode("utf-8", "surrogatepass")
        ends = range(self.block, len(text) + 1, self.block)
        digest, prefixes = sha256(), []
        for end in ends:
            digest.update(text[end - self.block : end])
            prefixes.append((request.model, digest.digest()))
        known = sum(prefix in self.seen for prefix in prefixes)
        self.seen.update(prefixes)
        return known * self.block


@dataclass
class Script:
    latency_s: float = 0.0
    rules: list[ScriptRule] = field(default_factory=list)
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    models: ScriptedModels = field(default_factory=dict)
    prefixes: PrefixCache = field(default_factory=PrefixCache)

    @staticmethod
    def from_json(script: Mapping[str, Any], models: ScriptedModels | None = None) -> Script:
        """Read a script; `models` adds to the built-in ones. Raises ValueError for an unknown field or fault."""
        unknown = set(script) - {"latency_ms", "cache_block", "rules", "answers"}
        if unknown:
            raise ValueError(f"the script has the unknown field {sorted(unknown)[0]!r}")
        answers = script.get("answers", {})
        for planted in answers.values():
            for effect in planted.values():
                checked_fault(effect if isinstance(effect, dict) else {})
        rules = [ScriptRule.from_json(rule) for rule in script.get("rules", [])]
        prefixes = PrefixCache(script.get("cache_block", 0))
        return Script(script.get("latency_ms", 0) / 1000, rules, answers, models or {}, prefixes)

    def plan(self, request: AskedRequest, cached: int = 0) -> PlannedReply:
        """Return the reply, which depends on the message only unless a rule counts `times`. `cached`: bytes in
        `prefixes`."""
        effect: dict[str, Any] = {}
        for rule in self.rules:
            if rule.fits(request):
                effect = {**rule.effect, **effect}
                if set(rule.effect) - {"latency_ms"}:
                    break
        if not set(effect) - {"latency_ms"}:
            planted = self.answers.get(request.model, {}).get(request.message_sha256)
            if planted is not None:
                effect = {**({"answer": planted} if isinstance(planted, str) else planted), **effect}
        latency_s = effect["latency_ms"] / 1000 if "latency_ms" in effect else self.latency_s
        if self.prefixes.block and "usage" not in effect:
            effect["usage"] = {"cached": cached // 4}
        return replace(self._reply(request, effect), latency_s=latency_s)

    def _reply(self, request: AskedRequest, effect: Mapping[str, Any]) -> PlannedReply:
        answer = changed(self._own(request, effect), effect)
        if answer is None:
            return error_plan(
                "unknown model", 404, f"The model {request.model!r} does not exist.", code="model_not_found"
            )
        if "fault" in effect:
            return fault_plan(effect["fault"], request, answer)
        if request.model.startswith("fault:") and "answer" not in effect and "sign" not in effect:
            try:
                return fault_plan(request.model.removeprefix("fault:"), request, answer)
            except ValueError as error:
                return error_plan("unknown fault", 404, str(error), code="model_not_found")
        return completion_plan("answer", request, answer)

    def _own(self, request: AskedRequest, effect: Mapping[str, Any]) -> ScriptedAnswer | None:
        """Return the answer before faults; None for an unknown model."""
        if "sign" in effect:
            return ScriptedAnswer(text=sign_text(effect["sign"]), label=effect["sign"])
        if "answer" in effect:
            return ScriptedAnswer(text=effect["answer"])
        if request.model in FIXED:
            return ScriptedAnswer(text=sign_text(FIXED[request.model]), label=FIXED[request.model])
        if request.model == "scripted:echo":
            return ScriptedAnswer(text=request.message)
        if request.model in self.models:
            return self.models[request.model](request)
        if request.model == "scripted:cycle" or request.model.startswith("fault:") or "fault" in effect:
            sign = SIGNS[int(request.message_sha256[:8], 16) % len(SIGNS)]
            return ScriptedAnswer(text=sign_text(sign), label=sign)
        return None


def changed(answer: ScriptedAnswer | None, effect: Mapping[str, Any]) -> ScriptedAnswer | None:
    if answer is None:
        return None
    named = {
        name: effect[name] for name in ("chances", "usage", "reasoning", "refusal", "finish_reason") if name in effect
    }
    return replace(answer, **named) if named else answer
