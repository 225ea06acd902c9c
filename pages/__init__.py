"""One screen per file, functions only: read state, call services, place components."""
