"""PDF and image files become page images, words and figure regions, in guarded child processes."""
