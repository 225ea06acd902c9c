"""Import and export of graphs and triplets."""
