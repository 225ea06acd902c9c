"""Tables, sessions, migrations, queries by subject and the append-only history. No Streamlit, no statistics."""
