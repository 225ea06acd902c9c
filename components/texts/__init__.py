"""The desk of a paper's text: its stages with their changes in place, and the findings of the guards."""
