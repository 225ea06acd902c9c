"""How one request reaches a model: client, limits, prices, retries, redaction."""
