"""The contact sheet: found figures side by side, each located or left out by one key."""
