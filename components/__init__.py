"""Streamlit components: draw a value, return what the user did. No store, no services, no model calls."""
