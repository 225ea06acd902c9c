"""What things are and what is true of them: pure values and functions, no I/O, no clock, no Streamlit."""
