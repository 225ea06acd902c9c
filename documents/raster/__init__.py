"""Figures that are pictures: what their pixels say, as the words and lines that `documents/proposals` reads."""
