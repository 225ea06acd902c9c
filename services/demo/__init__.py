"""The demo study: papers, runs and triplets that ship with the program."""
