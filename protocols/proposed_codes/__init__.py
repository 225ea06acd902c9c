"""Models that read failures and propose codes, which people accept or reject."""
