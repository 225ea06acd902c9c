"""The desk of a paper's text: its stages with their changes in place, what the guards found."""
