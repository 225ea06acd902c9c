"""Lee et al. 2025, section 3: from abstracts to relations and a question set, in steps."""
