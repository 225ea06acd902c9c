"""What benchmarks do in a study, a package each under the name of its protocol's (`services/runs/benchmarks.py`)."""

from services.runs.benchmarks import refuse_strangers

refuse_strangers(__name__, __path__)
