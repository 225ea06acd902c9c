"""Reading of figures by a vision model, whose edges become proposals. No benchmark, no tables."""
