"""Texts of papers: prose that is kept, matter that is removed, and guards against revealing the diagram."""
