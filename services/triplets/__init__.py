"""Triplets: imported, sampled, claimed and scored."""
