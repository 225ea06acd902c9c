"""The texts of papers: what is kept of them, what is taken out, and whether they give the diagram away."""
