"""The version of Edgewise, defined only here."""

PROGRAM_VERSION = "0.1.0"
