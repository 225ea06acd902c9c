"""The version of Edgewise, stated here alone."""

PROGRAM_VERSION = "0.1.0"
