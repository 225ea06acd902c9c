"""A worker, begun as execnet has each of its processes begin; see `tests/forked_workers.py`."""

import sys
import tempfile

from streamlit.testing.v1 import app_test

# Streamlit makes one when it is loaded, for the scripts of its tests by their content: two forks would write one file,
# and whoever reads it meanwhile draws nothing.
app_test.TMP_DIR = tempfile.TemporaryDirectory()

exec(eval(sys.stdin.readline()))
