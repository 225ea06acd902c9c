"""Figures that are pictures: their pixels as the words and lines that `documents/proposals` reads."""
