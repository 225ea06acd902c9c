"""The demo study: papers, runs and triplets that are shipped with the program."""
