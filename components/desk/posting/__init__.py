"""The way of acts to the store: the outbox of the browser, its requests, and their reader."""
