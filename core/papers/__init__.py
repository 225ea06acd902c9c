"""Papers, their pages and releases of what was drawn from them."""
