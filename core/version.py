"""The version of Edgewise, stated here alone."""

EDGEWISE_VERSION = "0.1.0"
