"""Whether a number is even, and whether it is prime: a benchmark that nobody published, for tests."""
