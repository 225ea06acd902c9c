"""People: accounts, roles, guidelines, identities."""
