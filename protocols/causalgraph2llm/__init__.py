"""CausalGraph2LLM: queries about causal graphs that a model is given as text or as a picture."""
