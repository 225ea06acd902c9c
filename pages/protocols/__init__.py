"""What screens show of one benchmark, a package each under the name of its protocol's (`pages/__init__.py`)."""

from services.runs.benchmarks import refuse_strangers

refuse_strangers(__name__, __path__)
