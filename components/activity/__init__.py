"""Active time: a counter in the browser."""
