"""Screens of benchmarks, a package each with its protocol's name (`pages/__init__.py`)."""

from services.runs.benchmarks import refuse_strangers

refuse_strangers(__name__, __path__)
