"""One function per act or view of a person: permission, act, history event, commit. No Streamlit."""
