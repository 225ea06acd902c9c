"""Texts: how explicit each node of a ground truth is in its text, labelled by people who do not see each other."""
