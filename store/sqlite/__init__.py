"""Parts of the store that only a SQLite study needs: files, locks, and checks for damage."""
