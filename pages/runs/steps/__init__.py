"""Runs of several steps on screens: the steps, one group, what people decide, and a step redone."""
