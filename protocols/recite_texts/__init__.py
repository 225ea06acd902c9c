"""Texts of papers made by models: Markdown, normalisation, levels of nodes (ReCITE, appendices R, T and U)."""
