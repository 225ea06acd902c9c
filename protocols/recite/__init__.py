"""ReCITE: causal graphs from long texts."""
