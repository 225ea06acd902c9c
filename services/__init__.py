"""One function per thing a person does or wants to see: role check, act, history, commit. No Streamlit."""
