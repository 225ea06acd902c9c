"""Question sets: looked at, frozen, listed and written again."""
