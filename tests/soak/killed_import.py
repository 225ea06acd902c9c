"""Imports a file into a study and ends as by `kill -9` before one of its commits.

    python tests/soak/killed_import.py STUDY HOME KIND FILE COMMITS

KIND is samples or triplets; COMMITS: how many commits of the import there are before the kill, 0 for no kill.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlalchemy import event

from services.acting import terminal_viewer
from services.graphs.sample_tables import import_samples
from services.study import open_study, use_study
from services.triplets.importing import import_triplets
from store.tables import new_id


def main(place: str, home: Path, kind: str, file: Path, commits: int) -> None:
    study = open_study(place, home)
    use_study(study)
    done = 0

    def count(_connection: Any) -> None:
        nonlocal done
        if done == commits > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1

    event.listen(study.store.write_engine, "commit", count)
    run = import_samples if kind == "samples" else import_triplets
    run(terminal_viewer(), file.name, file.read_bytes(), with_faulty=False, act_id=new_id())
    study.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]), int(sys.argv[5]))
