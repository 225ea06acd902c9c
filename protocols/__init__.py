"""Published benchmarks: samples, prompts, parsed replies, scores. Pure."""
