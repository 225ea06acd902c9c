"""Published benchmarks: samples, prompts, parsed replies, scores. Pure."""

from collections.abc import Mapping

from protocols.econcausal.benchmark import ECONCAUSAL
from protocols.protocol import BenchmarkProtocol

PROTOCOLS: Mapping[str, BenchmarkProtocol] = {ECONCAUSAL.name: ECONCAUSAL}
"""By the name that a run keeps."""
