"""People: accounts, signing in, invitations, identities, credit."""
