"""The command line: `files` computes from files, `study` works on a study."""
