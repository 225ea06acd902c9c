"""Arrows of a figure: what the pen drew becomes lines with heads. Pure; knows shapes, no names."""
