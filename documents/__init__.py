"""PDF and picture files: facts, words, figure regions, page images. PyMuPDF is imported in child processes only."""
