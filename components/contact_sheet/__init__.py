"""The contact sheet: detected figures side by side, each located or left out by one key."""
