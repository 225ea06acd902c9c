"""Documents made once for the room's tests, and one pool that reads them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents.limits import PICTURES, Limits
from documents.pool import Pool
from documents.reader import Reader

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def pool() -> Iterator[Pool]:
    """Up to two children; time for a slow machine to read any honest document."""
    with Pool(Limits(), documents_per_child=1_000, prestart=1) as running:
        yield running


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, pool: Pool) -> Path:
    """The folder that make_documents.py fills (while the pool's children start)."""
    folder = tmp_path_factory.mktemp("made")
    subprocess.run([sys.executable, str(HERE / "make_documents.py"), str(folder)], check=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def picture_pool() -> Iterator[Pool]:
    """In use each picture has a child of its own, which loads the networks: here forty have one after another."""
    with Pool(PICTURES, 1, prestart=0, documents_per_child=40, requests_per_child=40, restarts=False) as running:
        yield running


@pytest.fixture
def reader(pool: Pool, picture_pool: Pool, tmp_path: Path) -> Reader:
    return Reader(pool, tmp_path / "cache", picture_pool)
