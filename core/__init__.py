"""Pure values and functions of the domain: no I/O, no clock, no Streamlit."""
