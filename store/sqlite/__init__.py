"""What only a study in a file needs: its file, who holds it, the disk under it, and whether what it holds is sound."""
