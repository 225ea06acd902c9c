"""The command line in a fork of a process that has loaded a worker: `python -m tests.cli.study.command WORDS`."""

from edgewise import app

if __name__ == "__main__":
    app()
