"""A figure read by a model that takes pictures: one more reader, whose edges are proposals. No benchmark; no table."""
