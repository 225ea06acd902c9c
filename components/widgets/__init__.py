"""Small parts that several screens draw: tables, charts, lists, uploads."""
