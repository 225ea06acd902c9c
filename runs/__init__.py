"""Model work that survives a closed browser: client, cache, limits, queue, runner, worker (`python -m runs`)."""
