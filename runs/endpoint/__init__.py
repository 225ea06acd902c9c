"""One request to a model: client, limits, prices, retries, redaction."""
