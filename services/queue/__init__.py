"""What every queue shares: settings, expiry of claims, who is first."""
