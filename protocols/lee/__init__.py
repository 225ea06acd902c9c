"""Lee et al. 2025: questions of five types about causal relations from abstracts, asked of models."""
