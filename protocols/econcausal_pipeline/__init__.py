"""EconCausal's four stages from papers to triplets in context (arXiv 2510.07231, section 3.1): pure."""
