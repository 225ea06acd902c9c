"""The desk on which a person labels how explicit the nodes of a ground truth are in its text."""
