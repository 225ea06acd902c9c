"""Services of the benchmarks, one package for each protocol (`services/runs/benchmarks.py`)."""

from services.runs.benchmarks import refuse_strangers

refuse_strangers(__name__, __path__)
